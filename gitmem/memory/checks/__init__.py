"""Whether all is well: files, derived state, and every way in and out, tried."""

"""Files on disk: the record files, which are the only truth, and the local journal."""

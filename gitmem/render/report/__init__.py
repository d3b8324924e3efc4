"""One page that shows what a memory taught: HTML with everything in it, and no network."""

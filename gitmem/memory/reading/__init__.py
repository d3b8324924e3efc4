"""Questions about records: search, lists, single records, archives, packs, other revisions."""

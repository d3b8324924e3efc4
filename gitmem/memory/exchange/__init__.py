"""Import and export: histories, packs, archives, backups."""

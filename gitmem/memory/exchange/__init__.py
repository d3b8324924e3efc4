"""What comes in from elsewhere and goes out: imports, packs, archives, backups."""

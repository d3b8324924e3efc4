"""Pictures: taken apart safely, freed of metadata, and read by OCR (an extra, offline)."""

"""What servers share: memories that are kept open, and who may ask."""

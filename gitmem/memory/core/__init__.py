"""What every part of a memory needs: its folders, files and derived state."""

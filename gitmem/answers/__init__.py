"""Values that questions to the memory return, and that every face renders."""

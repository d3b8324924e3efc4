"""Language models and pictures: called on request only, with the price shown before."""

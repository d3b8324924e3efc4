"""Language models and pictures: asked when somebody wants it, priced before, marked after."""

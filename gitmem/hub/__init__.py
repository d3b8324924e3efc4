"""What a developer's side knows of a hub: how it is asked, with which prints, what it answers."""

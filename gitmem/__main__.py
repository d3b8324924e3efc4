"""``python -m gitmem``."""

from gitmem.cli import main

if __name__ == "__main__":
    main()

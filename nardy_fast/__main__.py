"""``python -m nardy_fast`` is the command ``nardy-fast``."""

import sys

from nardy_fast.commands.main import main

if __name__ == "__main__":
    sys.exit(main())

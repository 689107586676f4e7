"""`python -m baghdad` is `baghdad`."""

import sys

from .cli import main

sys.exit(main())

"""`python -m flowassist` is the command line."""

import sys

from flowassist.cli import main

sys.exit(main())

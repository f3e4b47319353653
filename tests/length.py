"""How much the tests of processes try: in the core a part of each, in ./dev test long and ./dev test programs all
(LOCKSTEP_LONG=1)."""
import os

LONG = os.environ.get("LOCKSTEP_LONG") == "1"

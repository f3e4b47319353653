"""How much the tests of processes try. The core runs a part of each, ./dev test long all (LOCKSTEP_LONG=1)."""
import os

LONG = os.environ.get("LOCKSTEP_LONG") == "1"

"""The parts of bench/compare.py: docs/comparing.md tells what they do together."""


class BadInput(Exception):
    """The command line or a file is wrong: what, and what was expected. Exit status 2."""


class OwnFault(Exception):
    """Something that should work did not, a build or a program. Exit status 3."""

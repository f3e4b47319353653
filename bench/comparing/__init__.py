"""The parts of bench/compare.py: docs/comparing.md describes the whole."""


class BadInput(Exception):
    """The command line or a file is wrong; the message says what was expected. Exit status 2."""


class OwnFault(Exception):
    """A build or a program failed. Exit status 3."""

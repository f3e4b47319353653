"""The parts of bench/compare.py: docs/comparing.md describes the whole."""

Counts = dict[str, "float | None"]  # benchmark → instructions per action; None: it is there, but cannot be counted


class BadInput(Exception):
    """The command line or a file is wrong; the message says what was expected. Exit status 2."""


class InternalError(Exception):
    """A build or a program failed. Exit status 3."""

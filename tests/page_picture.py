#!/usr/bin/env python3
"""Writes the picture of a page that README.md shows: of the first finding of a campaign against a canary.

usage: page_picture.py ROOT PROGRAM FILE      FILE: docs/page.png for the one in the tree
"""
import shutil
import subprocess
import sys
from pathlib import Path

from browser import Browser

CAMPAIGN = "ts_tetris --with run_capped_at_12 --runs 1000 --seed 1 --jobs 1 --engine suggested --no-canary"
FINDINGS = Path("build") / "picture"  # as the page shows it


def main(root: Path, program: Path, file: Path) -> None:
    shutil.rmtree(root / FINDINGS, ignore_errors=True)
    found = subprocess.run([program, "fuzz", *CAMPAIGN.split(), "--out", FINDINGS], cwd=root, check=False,
                           capture_output=True, text=True)
    assert found.returncode == 1, found.stderr
    finding, = (each.relative_to(root) for each in (root / FINDINGS).glob("*.txt"))
    subprocess.run([program, "html", finding], cwd=root, check=True, stdout=subprocess.DEVNULL)
    browser = Browser()
    try:
        browser.size(1180, 1115)
        browser.prefer("light", "reduce")
        browser.open((root / finding).with_suffix(".html").as_uri())
        browser.screenshot(file, whole=False)
    finally:
        browser.close()


if __name__ == "__main__":
    main(*(Path(word).absolute() for word in sys.argv[1:]))

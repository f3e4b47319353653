"""Validates SARIF and JUnit's XML against the published schemas in tests/schemas/.

usage: schemas.py FILE…    *.sarif and *.xml; exit 1 when one is not valid

Needs python3-jsonschema and xmllint (libxml2-utils).
"""
import json
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema

FOLDER = Path(__file__).resolve().parent / "schemas"


def sarif(text: str) -> dict:
    """The log; AssertionError if the schema refuses it, or if a result lacks what GitHub's code scanning needs."""
    log = json.loads(text)
    schema = json.loads((FOLDER / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    for fault in validator(schema).iter_errors(log):
        raise AssertionError(f"SARIF: {list(fault.absolute_path)}: {fault.message[:300]}")
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            if rules[result["ruleIndex"]] != result["ruleId"]:
                raise AssertionError(f"SARIF: ruleIndex {result['ruleIndex']} is not the rule {result['ruleId']}")
            if len(result["locations"]) != 1 or not result["partialFingerprints"]["primaryLocationLineHash"]:
                raise AssertionError("SARIF: a result needs one location and a fingerprint")
            # Without a file, GitHub refuses the whole log.
            if not result["locations"][0].get("physicalLocation", {}).get("artifactLocation", {}).get("uri"):
                raise AssertionError("SARIF: a result needs a physicalLocation with a file")
    return log


def junit(text: str) -> ElementTree.Element:
    """The suite; AssertionError if the schema refuses it, or if its counts are not those of its cases."""
    checked = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", str(FOLDER / "junit-10.xsd"), "-"],
                             input=text.encode(), capture_output=True, check=False)
    if checked.returncode != 0:
        raise AssertionError(f"JUnit: {checked.stderr.decode()[:600]}")
    suite = ElementTree.fromstring(text.encode())
    for attribute, found in (("tests", suite.findall("testcase")), ("failures", suite.findall("testcase/failure")),
                             ("errors", suite.findall("testcase/error"))):
        if suite.get(attribute) != str(len(found)):
            raise AssertionError(f"JUnit: {attribute}={suite.get(attribute)}, and there are {len(found)}")
    return suite


def main() -> int:
    status = 0
    for name in sys.argv[1:]:
        try:
            (sarif if name.endswith(".sarif") else junit)(Path(name).read_text(encoding="utf-8"))
        except (AssertionError, ValueError, KeyError, ElementTree.ParseError) as fault:
            print(f"{name}: {fault}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())

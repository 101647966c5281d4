"""Look up whether anything that is installed has a known hole (pip-audit).

It needs the advisories of PyPI. Whether these can be had is found out with a release that is known to have
holes: when nothing is said of it, nothing would be said of ours, and this says that nothing was audited.

Exit code 1 when a hole was found; 0 when none was, or when none could be.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

KNOWN = "jinja2==2.4.1"
"""A release with holes that were published long ago."""
PATIENCE = "15"
"""Seconds for one answer."""


def audit(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run pip-audit."""
    command = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--format", "json"]
    return subprocess.run(
        [*command, "--timeout", PATIENCE, *arguments], capture_output=True, text=True, check=False
    )


def holes(output: str) -> list[str] | None:
    """Return a line for each hole in pip-audit's answer; None when it is no answer."""
    try:
        found = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    return [
        f"{each['name']} {each['version']}: {hole['id']}, mended in {hole['fix_versions'] or 'no release'}"
        for each in found
        for hole in each.get("vulns", ())
    ]


def main() -> int:
    """Audit what is installed."""
    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder) / "known.txt"
        known.write_text(f"{KNOWN}\n")
        probe = audit("--requirement", str(known), "--no-deps", "--disable-pip")
    if not holes(probe.stdout):
        errors = [line for line in probe.stderr.splitlines() if line.startswith("ERROR")]
        why = errors[-1] if errors else f"nothing is said of {KNOWN}, which has holes"
        print(f"pip-audit: NOTHING WAS AUDITED, the advisories cannot be had: {why[:300]}")
        return 0
    done = audit("--local", "--skip-editable")
    found = holes(done.stdout)
    if found is None:
        print(f"pip-audit failed: {done.stderr.strip()[-500:]}")
        return 1
    print("\n".join(found) or "pip-audit: no known holes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""`roundtable doctor`: what is configured, reachable and missing."""

import os
from pathlib import Path

import click


@click.command("doctor")
@click.option("--offline", is_flag=True, help="Ask nothing that is not on this machine.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml", help="A file of settings.")
def command(offline: bool, config: Path | None) -> int:
    """Say what is configured, reachable and missing. Exit code 1 when something needed does not work."""
    from roundtable.config import home
    from roundtable.doctor import examine, healthy
    from roundtable.terminal.clean import clean_line

    findings = []
    for finding in examine(home(), dict(os.environ), offline=offline, config=config):
        click.echo(clean_line(finding.line()) if "\n" in finding.line() else finding.line())
        findings.append(finding)
    return 0 if healthy(findings) else 1

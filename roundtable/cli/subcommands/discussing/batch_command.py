"""`roundtable batch TOPICS`: a session for each topic of a file."""

from pathlib import Path
from typing import Any

import click

from roundtable.cli.near_commands import NearChoice
from roundtable.cli.options import read_budget, session_options, settings_options


@click.command("batch")
@click.argument("topics", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", required=True,
    help="Folder for the results: one folder a topic, an index (batch.jsonl, batch.csv) and a page.",
)  # fmt: skip
@click.option(
    "--name", metavar="NAME",
    help="What the batch is called; ids of its sessions begin with it. Default: drawn once, and kept in DIR.",
)  # fmt: skip
@click.option(
    "--on", "engine", type=NearChoice(["local", "ray", "queue"]), default="local",
    help="Where sessions run. Default: local, in processes of this machine; ray: on a cluster of Ray; queue: "
    "wherever `roundtable worker` takes them from the database of sessions.",
)  # fmt: skip
@click.option(
    "--address", metavar="HOST:PORT",
    help="The cluster of --on ray; auto: the one that this machine is part of. Default: one of its own.",
)  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(1, 512), metavar="N", help="Processes. Default: one a processor."
)
@click.option(
    "--sessions", type=click.IntRange(1, 1000), metavar="N",
    help="Sessions at once in each process; with --on queue, in the queue at a time. "
    "Default: 1 for the embedded model, 4 for others, which wait; 100 in the queue.",
)  # fmt: skip
@click.option(
    "--retries", type=click.IntRange(0, 20), default=2, metavar="N",
    help="Try a topic that failed so often again, where that may help. Default: 2.",
)  # fmt: skip
@click.option(
    "--total", multiple=True, metavar="NAME=LIMIT", callback=read_budget,
    help="All sessions together spend no more than: names as of --budget, which is for each. Repeatable.",
)  # fmt: skip
@click.option(
    "--format", "formats", multiple=True, type=NearChoice(["drb", "scholarqa", "freshwiki"]),
    help="Write the reports as a benchmark reads them, too: DeepResearch Bench, ScholarQABench, FreshWiki.",
)  # fmt: skip
@click.option(
    "--rows-may-set", multiple=True, metavar="NAME",
    help="Let rows set this, too: docs, mcp, models.base_url, … By themselves they set the course of the "
    "discussion, and no server, program, document from elsewhere or larger budget. Repeatable.",
)  # fmt: skip
@session_options
@settings_options
@click.option("--json", "as_json", is_flag=True, help="A JSON line for each change, on stdout.")
@click.option("--plain", is_flag=True, help="Plain lines, also on a terminal.")
def command(topics: Path, out: Path, **flags: Any) -> int:
    """Discuss each topic of the file TOPICS and write its report.

    TOPICS is a text with a topic a line; or JSON lines or CSV (.jsonl, .csv) with a `topic` in each row, an
    `id` if you like, and settings of its own by the names of these flags: docs, turns, model, …

    The same command again goes on where it stood: what ended is left alone, what was under way goes on from
    its last event, what failed is tried again. Ctrl-C once begins nothing more and lets sessions under way
    end; twice leaves them where they are. Exit code: 0 all ended, 1 some failed, 3 some are left.
    """
    from roundtable.cli.running.run_batch import run_batch

    return run_batch(topics, out, flags)

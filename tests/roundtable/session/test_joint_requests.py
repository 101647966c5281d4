"""Tasks are joined in one request as far as none of them has to be cut for it."""

from models.prompting import render
from reports.tasks.editing_tasks import SmoothReport, ToldSection
from roundtable.session.context.joint_requests import groups_that_fit, size_of


def report(sentences: int) -> SmoothReport:
    told = [f"The keeper lit lamp number {n} at dusk. [p{n}]" for n in range(sentences)]
    return SmoothReport(topic="Lamps", language="en", sections=[ToldSection(heading="Lamps", sentences=told)])


def test_tasks_that_do_not_fit_into_one_prompt_are_asked_apart() -> None:
    long, short, other = report(400), report(10), report(20)
    assert groups_that_fit([short, long, other], size_of(long) + size_of(short)) == [[short, long], [other]]
    assert groups_that_fit([long, short, other], size_of(long)) == [[long], [short, other]]
    assert groups_that_fit([long, short, other], 0) == [[long, short, other]]


def test_a_task_s_size_is_at_least_that_of_its_prompt() -> None:
    assert size_of(report(400)) > len(render(report(400)).user) // 5

"""A person's seat at the table: what happens streams by, and what they type goes to the session.

Two seats: on a terminal there is a live input line with a status bar below what streams by; on a pipe, lines
are read one after another and plain text is written.
"""

import asyncio
import contextlib
import io
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TextIO

from roundtable.config.errors import RoundtableError
from roundtable.journal.events import Recorded
from roundtable.output.clean import clean, clean_line
from roundtable.output.event_text import EventText, Line
from roundtable.session.session import Session
from roundtable.terminal.plain_view import printed
from roundtable.terminal.repl import Typed, completions
from roundtable.terminal.safe_output import write_line
from roundtable.terminal.terminal_language import told_language


def fitting(line: str, width: int) -> list[str]:
    """Break a line between words where a terminal of so many cells would break it anywhere; it hangs."""
    from rich.console import Console
    from rich.text import Text

    told = clean(line)
    body = told.lstrip(" ")
    indent = len(told) - len(body)
    if "\n" in told or width - indent < 20:
        return [line]
    broken = Text(body).wrap(Console(width=width, file=io.StringIO()), width - indent)
    return [" " * indent + part.plain.rstrip() for part in broken] or [""]


class Seat(Protocol):
    """Where a person sits."""

    def show(self, recorded: Recorded) -> None:
        """Show an event."""

    def say(self, text: str, *, error: bool = False) -> None:
        """Tell the person something that is not of the session."""

    async def sit(
        self, session: Session, typed: Typed, press: Callable[[], None], ended: Callable[[], None]
    ) -> None:
        """Show the session and take what is typed, until the person leaves or nothing more can come.

        Args:
            session: The session to sit at.
            typed: Does what is typed.
            press: Does what Ctrl-C does.
            ended: Told each time the session has ended with a report: first, and after each follow-up.
        """


def choose_seat(*, plain: bool, language: str, past: Sequence[Recorded] = ()) -> Seat:
    """Return the seat that fits this process's input and output.

    Args:
        plain: Lines alone, on a terminal too.
        language: The session's, which it is told in where the locale names none.
        past: Events that are shown again; they have the numbers of the report among them.
    """
    language = told_language(language)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return PipeSeat(sys.stdin, sys.stdout, language, past)
    return TerminalSeat(colours=not os.environ.get("NO_COLOR"), language=language, past=past)


async def _following(session: Session, show: Callable[[Recorded], None], ended: Callable[[], None]) -> None:
    async with contextlib.aclosing(session.run(stay=True)) as events:
        async for recorded in events:
            show(recorded)
            if recorded.event.kind == "session_ended":
                ended()


async def _let_go(*tasks: "asyncio.Task[Any]") -> None:
    """Cancel tasks and wait for them; what one of them failed with by itself is raised."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled() and (failure := task.exception()):
            raise failure


class PipeSeat:
    """Reads lines, writes lines."""

    def __init__(
        self, lines: TextIO, out: TextIO, language: str = "", past: Sequence[Recorded] = ()
    ) -> None:
        self._lines = lines
        self._out = out
        self._told = EventText(language, past, seated=True)
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._moved = asyncio.Event()

    def show(self, recorded: Recorded) -> None:
        """Write an event's lines."""
        for line in self._told.tell(recorded):
            self._write(printed(line))
        self._moved.set()

    def say(self, text: str, *, error: bool = False) -> None:
        """Write a line; errors go to stderr."""
        stream = sys.stderr if error else self._out
        write_line(self._told.translated(text), stream)
        stream.flush()

    def _write(self, lines: Iterable[str]) -> None:
        for line in lines:
            write_line(line, self._out)
        self._out.flush()

    async def sit(
        self,
        session: Session,
        typed: Typed,
        press: Callable[[], None],  # noqa: ARG002
        ended: Callable[[], None],
    ) -> None:
        """Take each line when what was typed before it has been heard, then follow the session to its end."""
        self._read_on(asyncio.get_running_loop())
        following = asyncio.create_task(_following(session, self.show, ended))
        talking = asyncio.create_task(self._talk(session, typed))
        await asyncio.wait({following, talking}, return_when=asyncio.FIRST_COMPLETED)
        await _let_go(following, talking)

    async def _talk(self, session: Session, typed: Typed) -> None:
        state = session.state
        await self._until(
            lambda: bool(state.under_way.called) or state.controls.standing_still or state.status != "running"
        )
        while (line := await self._queue.get()) is not None:
            await self._until(lambda: not state.controls.waiting or state.status == "ended")
            try:
                answer = typed.do(line)
            except RoundtableError as failure:
                self.say(f"! {self._told.translated(str(failure))}", error=True)
                continue
            self._write(answer.lines)
            if answer.leave:
                return
        # Nobody is left who could let it go on.
        if state.controls.mode == "wait":
            session.do("/mode passive")
        if state.controls.standing_still:
            session.do("/go")
        await self._until(lambda: state.status == "ended" and not state.controls.asked)

    async def _until(self, reached: Callable[[], bool]) -> None:
        while not reached():
            self._moved.clear()
            await self._moved.wait()

    def _read_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Read in a thread that holds nobody up: a pipe cannot be asked whether a line is there."""

        def put(line: str | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._queue.put_nowait, line)

        def read() -> None:
            for line in self._lines:
                put(line)
            put(None)

        threading.Thread(target=read, daemon=True).start()


class TerminalSeat:
    """A live input line below what streams by."""

    def __init__(self, *, colours: bool, language: str = "", past: Sequence[Recorded] = ()) -> None:
        from roundtable.terminal.paint import Paint

        self._told = EventText(language, past, seated=True)
        self._paint = Paint()
        self._colours = colours
        self._writing: dict[str, str] = {}
        """What speakers are writing at this moment: drawn above the input line, and gone with the turn."""

    def show(self, recorded: Recorded) -> None:
        """Print an event above the input line."""
        if recorded.event.kind in {"turn_taken", "turn_failed"}:
            turn = getattr(recorded.event, "turn", None)
            self._writing.pop(str(getattr(turn, "speaker", getattr(recorded.event, "speaker", ""))), None)
        for line in self._told.tell(recorded):
            self._print(line)

    def say(self, text: str, *, error: bool = False) -> None:
        """Print a line above the input line."""
        self._print(Line("warning" if error else "fact", self._told.translated(text)))

    def _print(self, line: Line) -> None:
        if not self._colours:
            for plain in printed(line):
                write_line(plain)
            return
        from rich.console import Console

        painted = io.StringIO()
        width = shutil.get_terminal_size().columns
        console = Console(file=painted, force_terminal=True, width=width, highlight=False)
        for text in self._paint.printed(line):
            console.print(text)
        sys.stdout.write(painted.getvalue())

    async def sit(
        self, session: Session, typed: Typed, press: Callable[[], None], ended: Callable[[], None]
    ) -> None:
        """Take lines until the person leaves (/quit, Ctrl-D) or the session cannot go on."""
        from prompt_toolkit.patch_stdout import patch_stdout

        prompt = self._prompt(session, press)

        def written(speaker: str, said: str) -> None:
            self._writing[speaker] = said
            prompt.app.invalidate()

        unwatch = session.watch(written)
        with patch_stdout(raw=True):
            following = asyncio.create_task(_following(session, self.show, ended))
            try:
                while await self._line(prompt, typed, following):
                    pass
            finally:
                unwatch()
                await _let_go(following)

    async def _line(self, prompt: Any, typed: Typed, following: "asyncio.Task[None]") -> bool:
        """Take one line; False when that was the last."""
        asking = asyncio.create_task(prompt.prompt_async())
        await asyncio.wait({asking, following}, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            await _let_go(asking)
            return False
        try:
            answer = typed.do(asking.result())
        except EOFError:
            return False
        except RoundtableError as failure:
            self.say(str(failure), error=True)
            return True
        for line in answer.lines:
            for part in fitting(line, shutil.get_terminal_size().columns):
                write_line(part)
        return not answer.leave

    def _prompt(self, session: Session, press: Callable[[], None]) -> Any:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.key_binding import KeyBindings
        from prompt_toolkit.output import ColorDepth

        told = self._told

        class Completions(Completer):
            def get_completions(self, document: Any, complete_event: Any) -> Any:  # noqa: ARG002
                for text, meaning, back in completions(
                    document.text_before_cursor, session.state, told.language
                ):
                    yield Completion(text, start_position=-back, display_meta=meaning)

        keys = KeyBindings()

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _interrupt(event: Any) -> None:
            if session.state.status == "ended":
                event.app.exit(exception=EOFError())
            else:
                press()

        return PromptSession(
            self.before_input,
            completer=Completions(),
            complete_while_typing=True,
            bottom_toolbar=lambda: self.status(session),
            key_bindings=keys,
            erase_when_done=True,
            refresh_interval=0.5,
            color_depth=None if self._colours else ColorDepth.DEPTH_1_BIT,
        )

    def before_input(self) -> str:
        """Return what stands before the words that are typed: the end of what is being written, and `> `.

        Only the end of it: the whole is printed when it is said, and what is drawn anew all the time must not
        push away what a person reads.
        """
        size = shutil.get_terminal_size()
        lines: list[str] = []
        for speaker, said in self._writing.items():
            if words := clean_line(said):
                name = clean_line(self._told.name(speaker), 30)
                lines.append(self._told.say("is_writing", name=name))
                lines += _last_lines(words, max(20, size.columns - 4))
        most = max(0, min(8, size.lines // 3))
        return "".join(f"{line}\n" for line in lines[-most:]) + "> "

    def status(self, session: Session) -> str:
        """Return the status bar: turn, who is at work, what was spent, how much is new."""
        state, told = session.state, self._told
        at_work = ", ".join(clean_line(told.name(slug), 30) for slug in told.at_work())
        if state.status == "ended":
            at_work = told.say("status_ended")
        elif state.status == "closed":
            at_work = told.writing()
        elif state.controls.standing_still and not at_work:
            at_work = told.say("status_paused" if state.controls.paused else "status_waits")
        measured = state.talk.novelty[-1:]  # the very figure of the page
        new = [told.say("new", share=f"{max(each.passages, each.terms):.0%}") for each in measured]
        at_work = at_work or told.say("status_between" if state.turns else "status_opening")
        turn, width = told.turn(), shutil.get_terminal_size().columns
        wider = [[turn, at_work, told.spent(), *new], [turn, at_work, *new], [turn, at_work]]
        return _fitted(at_work, wider, width)


def _fitted(said: str, wider: Sequence[Sequence[str]], width: int) -> str:
    """Return a status bar: what is going on, with what a line of so many cells has room for."""
    from rich.cells import cell_len, set_cell_size

    for parts in (*wider, [said]):
        line = f" {' · '.join(parts)} "
        if cell_len(line) <= width:
            return line
    return f"{set_cell_size(f' {said}', max(width - 1, 1))}…"


def _last_lines(words: str, width: int, most: int = 4) -> list[str]:
    """Break words into lines no wider than a screen; return the last ones."""
    from rich.cells import chop_cells

    return [f"  {line}" for line in chop_cells(words[-most * width :], width)[-most:]]

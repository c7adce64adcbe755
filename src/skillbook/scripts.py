"""Running a skill's scripts: the only module that starts processes of a skill.

It never uses a shell: a script is run by its interpreter, with a list of arguments. Imports
``disk``, ``processes``, ``script_files``, ``script_input``, ``tool`` and the records; the standard library's
``subprocess`` and ``signal`` only while a script runs.
"""

from __future__ import annotations

import codecs
import inspect
import os
import select
import shlex
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from skillbook import disk, processes
from skillbook.errors import ScriptError
from skillbook.model import printable, visible
from skillbook.script_files import command_line, locate
from skillbook.script_input import Environment, environment, parse_args, parse_envs
from skillbook.tool import ToolResult

if TYPE_CHECKING:
    import subprocess

TIMEOUT = 60.0
"""Seconds that a script may take."""

MAX_OUTPUT = 1_000_000
"""Bytes of each stream that are kept."""

_GRACE = 1.0  # seconds for what a script left running to hand over its last output
_LOOK = 50  # milliseconds between looks at whether a stream is still wanted
_TERM = 0.5  # seconds between asking a process group to end and ending it
_TAKEN = -(1 << 16)  # stands for an exit code that something else in this process has taken


@dataclass(frozen=True, slots=True)
class ScriptCommand:
    """What is about to run, for a person to say yes or no to.

    Attributes:
        script: the script, relative to the skill's folder.
        argv: the interpreter, the script and its arguments, one item each.
        folder: the working folder.
        variables: the names of the variables that the call adds; values are not shown.
    """

    script: str
    argv: tuple[str, ...]
    folder: str
    variables: tuple[str, ...] = ()

    def __str__(self) -> str:
        return printable(shlex.join(self.argv))


Confirm = Callable[[ScriptCommand], bool]


@dataclass(frozen=True, slots=True)
class ScriptResult(ToolResult):
    """What a script gave. Its ``output`` is the text form that a model reads.

    Attributes:
        script: the script, relative to the skill's folder.
        stdout: what it printed, decoded as UTF-8 with replacement.
        stderr: what it printed to the other stream.
        exit_code: its exit code; below 0 it is the number of the signal that ended it.
        timed_out: whether it was ended because its time was up.
        duration_s: how long it ran, in seconds.
        stdout_cut: bytes of the stream that were not kept.
        stderr_cut: the same for the other stream.
    """

    script: str = ""
    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    timed_out: bool = False
    duration_s: float = field(default=0.0, compare=False)
    stdout_cut: int = 0
    stderr_cut: int = 0

    def __repr__(self) -> str:
        cut = self.stdout_cut + self.stderr_cut
        return (
            f"<ScriptResult {visible(self.script)}: exit code {self.exit_code}, {self.ended};"
            f" {len(self.stdout):,} characters of stdout, {len(self.stderr):,} of stderr"
            f"{f', {cut:,} bytes not kept' if cut else ''}>"
        )

    @property
    def ended(self) -> str:
        """How it ended, in words."""
        if self.timed_out:
            return "its time was up, so it was ended with all it had started that was found"
        if self.exit_code < 0:
            return f"ended by {_signal_name(-self.exit_code)}"
        return "it went well" if self.exit_code == 0 else "it failed"

    def to_dict(self) -> dict[str, Any]:
        """Returns the result as a JSON-safe mapping."""
        return {
            **ToolResult.to_dict(self),
            "script": self.script,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "exit_code": self.exit_code,
            "timed_out": self.timed_out,
            "duration_s": self.duration_s,
            "stdout_cut": self.stdout_cut,
            "stderr_cut": self.stderr_cut,
        }


# --- running -----------------------------------------------------------------------------------


def check_confirm(confirm: Any) -> None:
    """Checks what is to be asked before a script runs.

    Raises:
        TypeError: when it is no plain callable; an async one could not be waited for.
    """
    if confirm is not None and not callable(confirm):
        raise TypeError(f"confirm is {confirm!r}; pass a callable that takes the command")
    if inspect.iscoroutinefunction(confirm):
        raise TypeError(f"confirm is {confirm!r}, which is async; pass a plain function")


def check_options(env: Any, timeout: Any, max_output: Any) -> None:
    """Checks the options of :func:`run_script`.

    Raises:
        TypeError, ValueError: when one is of the wrong type or value.
    """
    if env not in ("caller", "clean"):
        raise ValueError(f"env is {env!r}; pass 'caller' (the whole environment) or 'clean'")
    for name, value, unit in (("timeout", timeout, "seconds"), ("max_output", max_output, "bytes")):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"{name} is {value!r}; pass a number of {unit}")
        if not 0 < value < 1e9:
            raise ValueError(
                f"{name} is {value!r}; pass a number of {unit} above 0 and below 1,000,000,000"
            )


def run_script(
    folder: str | os.PathLike[str],
    script: str,
    args: Sequence[str] = (),
    *,
    envs: Mapping[str, str] | Sequence[str] | None = None,
    env: Environment = "caller",
    timeout: float = TIMEOUT,
    max_output: int = MAX_OUTPUT,
    confirm: Confirm | None = None,
    stop: threading.Event | None = None,
    over_mcp: bool = False,
) -> ScriptResult:
    """Runs one script of a skill and waits for it.

    Its working folder is the skill's, and ``SKILL_DIR`` holds that path; files that it writes by a
    relative path land there. It has no standard input. What it leaves running in its process group
    is ended with it, one second after it.

    Args:
        folder: the skill's folder.
        script: the script, relative to it: ``scripts/greet.py``.
        args: its arguments, one item each; no shell reads them.
        envs: variables to add, as ``KEY=VALUE`` or as a mapping.
        env: ``caller`` passes the caller's whole environment; ``clean`` only what a process needs
            (``PATH``, ``HOME``, language, folders for temporary files).
        timeout: in seconds; then the script is ended, with its process group and, on Linux, all
            processes that come from it and whose parents still run.
        max_output: in bytes a stream; what is above is read and counted, not kept.
        confirm: is shown the command first; anything but True refuses it.
        stop: when it is set, the script is ended.
        over_mcp: whether a client asks for it over MCP (sets ``SKILLBOOK_USING_MCP=TRUE``).

    Returns:
        The result; a script that fails or takes too long is a result too.

    Raises:
        ScriptError: when it cannot be run.
        TypeError, ValueError: when an option is of the wrong type or value.
    """
    check_options(env, timeout, max_output)
    check_confirm(confirm)
    folder = os.path.abspath(folder)
    added = parse_envs(envs)
    arguments = parse_args(args)
    argv = _located(folder, script, arguments)
    command = ScriptCommand(script, argv, folder, tuple(added))
    if confirm is not None:
        if confirm(command) is not True:
            raise ScriptError(f"{printable(script)!r} was not run: it was not confirmed")
        # A person may take minutes, in which a link can be laid to what lies outside.
        if _located(folder, script, arguments) != argv:
            raise ScriptError(
                f"{printable(script)!r} was not run: its file or what runs it was replaced while"
                " the confirmation was waited for"
            )
    ran = _run(
        command,
        environment(folder, added, env, over_mcp=over_mcp),
        timeout,
        int(max_output),
        stop or threading.Event(),
    )
    return _result(printable(script), ran, timeout)


def _located(folder: str, script: str, args: Sequence[str]) -> tuple[str, ...]:
    """Returns what runs a script that is there now, inside the skill."""
    return command_line(locate(folder, script), args, os.environ.get("PATH"), script)


@dataclass(frozen=True, slots=True)
class _Ran:
    exit_code: int
    timed_out: bool
    duration_s: float
    streams: tuple[_Stream, _Stream]


class _Stream(threading.Thread):
    """Reads one stream to its end, whatever its length, and keeps its first bytes."""

    def __init__(self, stream: IO[bytes], keep: int) -> None:
        super().__init__(daemon=True)
        self.stream = stream
        self.keep = keep
        self.kept = bytearray()
        self.total = 0
        self.left = False  # when set, a process that nobody found may go on holding the stream

    def run(self) -> None:
        """Reads until the last process that holds the stream is gone, or it is left."""
        with self.stream:
            while self._ready() and (chunk := os.read(self.stream.fileno(), 1 << 16)):
                self.kept += chunk[: max(0, self.keep - self.total)]
                self.total += len(chunk)

    def _ready(self) -> bool:
        """Waits until there is something to read; returns False once the stream is left."""
        if not hasattr(select, "poll"):
            return not self.left
        poll = select.poll()
        poll.register(self.stream.fileno(), select.POLLIN)
        while not self.left:
            if poll.poll(_LOOK):
                return True
        return False

    def text(self) -> tuple[str, int]:
        """Returns the text, and how many bytes were not kept."""
        data = bytes(self.kept)
        cut = self.total - len(data)
        # Where the cut goes through a character, its first bytes are left out.
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(data, final=not cut)
        return text.replace("\r\n", "\n"), cut


def _run(
    command: ScriptCommand,
    environment: dict[str, str],
    timeout: float,
    keep: int,
    stop: threading.Event,
) -> _Ran:
    import subprocess  # noqa: PLC0415 - only needed while a script runs

    start = time.monotonic()
    try:
        process = subprocess.Popen(
            command.argv,
            cwd=command.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **_own_group(),
        )
    except (OSError, ValueError) as error:
        reason = disk.words(error) if isinstance(error, OSError) else str(error)
        raise ScriptError(f"{command.script!r} cannot be started: {reason}") from error
    assert process.stdout is not None  # noqa: S101 - says to mypy what PIPE means
    assert process.stderr is not None  # noqa: S101
    streams = (_Stream(process.stdout, keep), _Stream(process.stderr, keep))
    try:
        for stream in streams:
            stream.start()
        ended = _wait(process, start + timeout, stop)
        timed_out = not ended and not stop.is_set()
        if ended:
            _join(streams, min(_GRACE, max(0.0, start + timeout - time.monotonic())))
    except RuntimeError as error:  # the system gives no more threads
        raise ScriptError(f"{command.script!r} cannot be run: {error}") from error
    finally:  # an interrupt comes here too
        _end(process)
    _join(streams, _GRACE)
    for stream in streams:
        stream.left = True
    _join(streams, _GRACE)
    took = round(time.monotonic() - start, 3)
    if process.returncode == _TAKEN and not timed_out:
        raise ScriptError(
            f"{command.script!r} ran, but how it ended is not known: this process ignores SIGCHLD or"
            " reaps children that are not its own, so their exit codes are lost"
        )
    code = -9 if process.returncode == _TAKEN else process.returncode or 0
    return _Ran(code, timed_out, took, streams)


def _own_group() -> dict[str, Any]:
    """Returns what puts a process in a group of its own, to be ended as a whole."""
    if os.name == "nt":
        return {"creationflags": 0x200}  # CREATE_NEW_PROCESS_GROUP
    return {"start_new_session": True}


def _join(streams: Iterable[_Stream], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    for stream in streams:
        stream.join(max(0.0, deadline - time.monotonic()))


def _exited(process: subprocess.Popen[bytes]) -> bool:
    """Returns whether a process has exited, without reaping it where the system can say so.

    Until it is reaped its number stays taken, so that ending its group cannot meet another's.
    """
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        state = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        if process.returncode is None:
            process.returncode = _TAKEN
        return True
    return state is not None


def _wait(process: subprocess.Popen[bytes], deadline: float, stop: threading.Event) -> bool:
    """Waits for a process; returns whether it has exited in time, and before a stop."""
    delay = 0.002
    while not _exited(process):
        left = deadline - time.monotonic()
        if left <= 0 or stop.wait(min(delay, left)):
            return False
        delay = min(delay * 2, 0.05)
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and its whole group, and reaps it."""
    import subprocess  # noqa: PLC0415 - only needed while a script runs

    if os.name == "nt":
        tree = ("taskkill", "/T", "/F", "/PID", str(process.pid))
        subprocess.run(tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    else:
        import signal  # noqa: PLC0415

        others: set[tuple[int, str]] = set()
        if not _exited(process):
            others = processes.descendants(process.pid)
            _signal_group(process.pid, signal.SIGTERM)
            _wait(process, time.monotonic() + _TERM, threading.Event())
            others |= processes.descendants(process.pid)
        _signal_group(process.pid, signal.SIGKILL)
        processes.end(others)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:  # the system itself holds it; nothing more can be done
        process.returncode = -9


def _signal_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # it is gone, or only its exit code is left
        return


def _signal_name(number: int) -> str:
    import signal  # noqa: PLC0415

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _result(script: str, ran: _Ran, timeout: float) -> ScriptResult:
    (stdout, stdout_cut), (stderr, stderr_cut) = (stream.text() for stream in ran.streams)
    ended = f"Exit code: {ran.exit_code}"
    if ran.timed_out:
        ended += (
            f" (timed out after {timeout:g} s; it was ended with all it had started that was found)"
        )
    elif ran.exit_code < 0:
        ended += f" (ended by {_signal_name(-ran.exit_code)})"
    parts = (
        ("title", "## stdout\n"),
        ("body", _shown(stdout, stdout_cut)),
        ("title", "\n## stderr\n"),
        ("body", _shown(stderr, stderr_cut)),
        ("note", f"\n{ended}"),
    )
    return ScriptResult(
        "".join(text for _, text in parts),
        is_error=ran.timed_out or ran.exit_code != 0,
        metadata={"script": script, "exit_code": ran.exit_code, "timed_out": ran.timed_out},
        parts=parts,
        script=script,
        stdout=stdout,
        stderr=stderr,
        exit_code=ran.exit_code,
        timed_out=ran.timed_out,
        duration_s=ran.duration_s,
        stdout_cut=stdout_cut,
        stderr_cut=stderr_cut,
    )


def _shown(text: str, cut: int) -> str:
    if text and not text.endswith("\n"):
        text += "\n"
    return f"{text}[cut here: {cut:,} more bytes were not kept]\n" if cut else text

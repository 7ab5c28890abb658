"""Run a student's notebook apart from what judges it: code and arguments in, plain answers out.

The judge (`judge.py`) starts this program in a sandbox and speaks to it through its standard input
and output, one line of JSON each way. Nothing here knows a right answer, so whatever a student's
code does to this process, it can only answer wrongly. Three processes stand below each other, each
a fork of the one above:

- the first runs no student's code, and says how the others ended;
- a session runs the cells of a notebook, in order;
- a trial calls one function for one test, and is gone with all that it changed.
"""

import builtins
import contextlib
import io
import json
import os
import resource
import signal
import sys

from checks import FORBIDDEN, Odd, called, plain

LIMITS = {  # for one process; the judge limits time
    resource.RLIMIT_AS: 3 << 30,
    resource.RLIMIT_FSIZE: 16 << 20,
    resource.RLIMIT_NOFILE: 128,
    resource.RLIMIT_CORE: 0,
}
CLOCKS = {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}
MOST_PROCESSES = 64
DEPTH = sys.getrecursionlimit()
MOST_TEXT = 20_000  # the characters that a cell may print
MOST_BYTES = 4_000_000  # of a line
SHOWN = ("text/plain", "image/png")  # the kinds of output that go to a page


def packed(value):
    """Return a plain value as JSON can hold it: containers are lists that begin with their kind.

    >>> packed({"a": (1, None)})
    ['dict', ['a', ['tuple', 1, None]]]
    """
    if isinstance(value, dict):
        return ["dict", *([packed(key), packed(inside)] for key, inside in value.items())]
    if isinstance(value, Odd):
        return ["odd", value.kind]
    for kind in (list, tuple, frozenset):
        if isinstance(value, kind):
            return [kind.__name__, *map(packed, value)]
    return value


def unpacked(value):
    """Return what was packed; raise ValueError or TypeError if nothing was."""
    if not isinstance(value, list):
        if isinstance(value, dict):
            raise ValueError("not packed")
        return value
    kind, *inside = value
    if kind == "dict":
        return {unpacked(key): unpacked(of) for key, of in inside}
    if kind == "odd":
        return Odd(str(inside[0]))
    return {"list": list, "tuple": tuple, "frozenset": frozenset}[kind](map(unpacked, inside))


class Line:
    """One end of a pipe each way. Never reads ahead, so that a fork can go on reading."""

    def __init__(self, reads, writes):
        self.reads, self.writes = reads, writes

    def send(self, **message):
        data = json.dumps(message).encode() + b"\n"
        if len(data) > MOST_BYTES:
            data = json.dumps({"large": True}).encode() + b"\n"
        while data:
            data = data[os.write(self.writes, data) :]

    def receive(self):
        data = bytearray()
        while not data.endswith(b"\n"):
            some = os.read(self.reads, 1 << 16)
            if not some:
                os._exit(0)  # the judge is gone
            data += some
        return json.loads(data)


def main():
    """Take requests for sessions until the judge closes the line."""
    line = Line(os.dup(0), os.dup(1))
    for end in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), end)
    if "alone" in sys.argv:  # what counts is then the processes of this sandbox
        LIMITS[resource.RLIMIT_NPROC] = MOST_PROCESSES
    for limit, most in LIMITS.items():
        resource.setrlimit(limit, (most, most))
    shell = notebook_shell()
    for name in FORBIDDEN:
        sys.modules[name] = None
    line.send(ready=True)
    while True:
        if "session" in line.receive():
            forked(line, lambda: session(line, shell))
        else:  # the session has ended unseen
            line.send(ended="died")


def forked(line, work):
    """Do something in a fork; say how it ended."""
    child = os.fork()
    if not child:
        try:
            os.setpgid(0, 0)
            line.send(ready=True)
            work()
        finally:
            os._exit(0)
    ended = 0
    while ended != child:  # others are left by those who left them
        ended, status = os.waitpid(-1, 0)
    stop_group(child)
    timed_out = os.WIFSIGNALED(status) and os.WTERMSIG(status) in CLOCKS.values()
    line.send(ended="time" if timed_out else "died" if status else "done")


def stop_group(leader):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def stop_all():
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(-1, signal.SIGKILL)
        while True:
            os.waitpid(-1, 0)


def notebook_shell():
    """Return an IPython that keeps nothing: it understands what a notebook's cells may say."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    class Shell(InteractiveShell):
        system = InteractiveShell.system_raw  # the sandbox has no terminals

        def enable_matplotlib(self, gui=None):
            return None, "agg"

    HistoryManager.enabled = False
    shell = Shell.instance(colors="NoColor")
    shell.user_ns["__name__"] = "__main__"
    shell.showtraceback = shell.showsyntaxerror = lambda *_, **__: None  # kept as an output
    return shell


def session(line, shell):
    """Run cells, read names and make trials, as the judge asks."""
    while True:
        request = line.receive()
        if "cell" in request:
            limit_time(*request["seconds"])
            outputs = run(shell, request["cell"])
            limit_time(0, 0)
            line.send(outputs=outputs)
        elif "restore" in request:
            for name in set(shell.user_ns) & set(vars(builtins)) - {"__builtins__", "__name__"}:
                del shell.user_ns[name]
            sys.setrecursionlimit(DEPTH)
            line.send(restored=True)
        elif "value" in request:
            value = shell.user_ns.get(request["value"])
            line.send(value=str(value)[:1000] if isinstance(value, str | int) else "")
        elif "trial" in request:
            if "alone" in sys.argv:
                stop_all()
            forked(line, lambda asked=request: trial(line, shell.user_ns, asked))


def limit_time(work, waiting):
    """Let the system end this process after so many seconds of the processor, and by the clock.

    0: never.
    """
    for (clock, rings), seconds in zip(CLOCKS.items(), (work, waiting), strict=True):
        signal.signal(rings, signal.SIG_DFL)
        signal.setitimer(clock, seconds)


def run(shell, code):
    """Run a cell; return its outputs as a notebook stores them."""
    from IPython.utils.capture import capture_output

    with capture_output() as captured:
        result = shell.run_cell(code, store_history=False)
    outputs = []
    for name, text in (("stdout", captured.stdout), ("stderr", captured.stderr)):
        if text:
            outputs.append({"output_type": "stream", "name": name, "text": text[:MOST_TEXT]})
    for shown in captured.outputs[:20]:
        data = {kind: shown.data[kind] for kind in SHOWN if isinstance(shown.data.get(kind), str)}
        if data:
            outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        text = f"{type(error).__name__}: {str(error)[:1000]}"
        outputs.append(
            {"output_type": "error", "ename": type(error).__name__, "evalue": str(error)[:1000]}
            | {"traceback": [text]}
        )
    return outputs


def trial(line, namespace, asked):
    """Call functions as the judge asks; the functions named in "trial" are asked of the judge."""
    for name in asked["trial"]:
        namespace[name] = asking(line, name)
    sys.stdout = sys.stderr = io.StringIO()
    limit_time(*asked["seconds"])
    while True:
        request = line.receive()
        if "call" not in request:
            return
        function, outcomes = namespace.get(request["call"]), []
        for arguments in unpacked(request["batch"]):
            outcome = called(function, arguments)
            if "value" in outcome:
                outcome["value"] = packed(outcome["value"])
            outcomes.append(outcome)
        line.send(outcomes=outcomes)


def asking(line, name):
    """Return a function that lets the judge's function of a name answer."""

    def ours(*arguments):
        line.send(ask=name, arguments=packed(plain(arguments)))
        answer = line.receive()
        if "error" in answer:
            raise ValueError(f"{name} cannot be called like this: {answer['error']}")
        return unpacked(answer["value"])

    ours.__name__ = name
    return lambda *arguments, **more: ours(*arguments, *more.values())


if __name__ == "__main__":
    main()

"""Scripts that compute, without Python and without a browser: `deno test` in seconds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_what_computes_is_right():
    """The tests are the files `*_test.js` beside this one."""
    beside = Path(sys.executable).parent
    deno = shutil.which("deno", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    command = [deno, "test", "--quiet", "--no-check", "--allow-read", HERE]
    run = subprocess.run(
        command, env=os.environ | {"NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr

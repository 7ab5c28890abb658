"""How nbgrader runs this course: `make assignments`, `make grade`, and nbgrader's own commands."""

from pathlib import Path

from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat.v4 import new_output
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute
from nbgrader.utils import is_grade, is_solution

ROOT = Path(__file__).resolve().parent


class Persist(Execute):
    """Run a notebook to its end, leaving out a cell that cannot be stopped or ends Python."""

    def on_cell_start(self, cell, cell_index):
        self.running = cell

    def preprocess(self, nb, resources, km=None):
        while True:
            try:
                nb, resources = super().preprocess(nb, resources, km)
                break
            except (CellTimeoutError, DeadKernelError) as error:
                why = "This cell ended Python, or could not be stopped. The others ran without it."
                self.running.outputs = [failure(error, why)]
                self.running.metadata["tags"] = [self.skip_cells_with_tag]
        for cell in nb.cells:
            if is_grade(cell) and not is_solution(cell) and not gives_points(cell):
                # nbgrader would take it for a test that had nothing to complain about
                cell.outputs.append(failure(Warning(), "The check did not run to its end."))
        return nb, resources


def gives_points(cell):
    """Say whether a check ended with the points that it gives."""
    return any(output.output_type == "execute_result" for output in cell.outputs)


def failure(error, why):
    """Return the output of a cell that failed."""
    return new_output("error", ename=type(error).__name__, evalue=why, traceback=[why])


def leave_out_hidden_tests(assignment, student, notebooks):
    """Take the hidden tests out of what students get: it copies all files."""
    for folder in (ROOT / "release", ROOT / "feedback" / student):
        (folder / assignment / "hidden.py").unlink(missing_ok=True)


c = get_config()  # noqa: F821 (nbgrader gives it)
c.CourseDirectory.course_id = "dtreebook"
c.CourseDirectory.root = str(ROOT)
c.GenerateAssignment.post_convert_hook = leave_out_hidden_tests
c.GenerateFeedback.post_convert_hook = leave_out_hidden_tests
steps = Autograde.autograde_preprocessors.default()
c.Autograde.autograde_preprocessors = [Persist if step is Execute else step for step in steps]
# A cell that never ends is stopped, and the next ones run. Each test has a shorter limit itself.
c.Persist.timeout = 30
c.Persist.extra_arguments = ["--Application.log_level=ERROR"]

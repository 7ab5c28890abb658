"""The grader: from the notebooks that students hand in to points and pages of feedback.

An assignment's own tests import `checks`, as they do beside a student's notebook; so does the
grader.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# Two commands: `make book` builds the HTML, `make test` checks everything. Both set up what they need in
# .venv, from the versions pinned in requirements.txt. All a machine needs is Python, git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPARK := .venv-spark

.PHONY: help book editions test test-lab test-spark fuzz notebooks assignments grade inventory bench bench-data lock clean
.DEFAULT_GOAL := help

help:
	@echo 'make book         build the book as HTML'
	@echo 'make editions     the book to take along: a zip of its pages, PDF, EPUB, slides'
	@echo 'make test         run the tests, the docstrings and the chapters, and compare every number'
	@echo 'make test-lab     run every chapter in JupyterLab, in a browser: make test runs three'
	@echo 'make test-spark   grow trees in Apache Spark, in an environment of its own (700 MB, once)'
	@echo 'make fuzz         draw other random tables than make test, for an hour: make fuzz MINUTES=60'
	@echo 'make notebooks    run the chapters and store their outputs'
	@echo 'make assignments  build the graded assignments as students get them'
	@echo '                    NEW=name            begin one of your own from the template'
	@echo '                    HUB=name            give one to the students of a JupyterHub'
	@echo '                    GRADESCOPE=name     pack one for Gradescope'
	@echo 'make grade        grade a folder of submissions: make grade SUBMISSIONS=folder'
	@echo '                    AGAIN=name          grade once more what is stored of an assignment'
	@echo '                    HUB=name            collect one from a JupyterHub, grade, return the pages'
	@echo '                    UNPROTECTED=yes     also where code cannot be kept apart from your files'
	@echo 'make inventory    print the concept inventory: questions before and after a course'
	@echo '                    ANSWERS=class.csv   say how a class answered them'
	@echo 'make bench        time the package against scikit-learn'
	@echo 'make bench-data   time trees from DuckDB and Spark against trees in memory: SIZE=record, for an hour'
	@echo 'make lock         pin new versions in requirements.txt'
	@echo 'make clean        remove what the other commands made'

# jupyter-book does not repeat the warnings of pages it need not build again, so a failed build is cleared.
book: $(VENV)/ready
	@$(BIN)/jupyter-book build book -W --keep-going -q || { rm -rf book/_build; echo; \
	  echo 'make book: the build stopped at the warnings above. Each names its file: put it right and run'; \
	  echo 'make book again. A number without a stored value is put right by make notebooks.'; exit 1; }

editions: book
	@PYTHONPATH=tools $(BIN)/python -m editions book/_build/html book/_build/editions

# In the order of the files: the long ones come first, and the chapters, short by then, fill up the end.
test: $(VENV)/ready
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder || { echo; \
	  echo 'make test: something failed; see the summary above. One file alone:'; \
	  echo '  $(BIN)/python -m pytest tests/project/test_project.py      a chapter: book/entropy.ipynb'; \
	  echo 'If a chapter gives new and right outputs, run make notebooks and commit it.'; exit 1; }

test-lab: $(VENV)/ready
	@LAB=all $(BIN)/python -m pytest tests/book/test_jupyterlab.py

# The options of pytest are those of the book's tests, which need more than this environment has.
test-spark: $(SPARK)/ready
	@$(SPARK)/bin/python -m pytest -o addopts=-ra -p no:cacheprovider --confcutdir=tests/spark tests/spark

fuzz: $(VENV)/ready
	@$(BIN)/python tools/fuzz.py $(MINUTES)

notebooks: $(VENV)/ready
	@$(BIN)/python tools/notebooks.py

assignments: $(VENV)/ready
	@$(BIN)/python tools/release.py $(if $(NEW),--new "$$NEW") $(if $(HUB),--hub "$$HUB") \
	  $(if $(GRADESCOPE),--gradescope "$$GRADESCOPE")

# Without SUBMISSIONS or AGAIN, the table of points and the feedback pages are made anew. The names of
# folders come through the environment, so that they may contain anything.
grade: $(VENV)/ready
	@$(BIN)/python tools/grade.py $(if $(SUBMISSIONS),"$$SUBMISSIONS") $(if $(AGAIN),--again "$$AGAIN") \
	  $(if $(HUB),--hub "$$HUB") $(if $(UNPROTECTED),--unprotected)

inventory: $(VENV)/ready
	@$(BIN)/python tools/inventory.py $(if $(ANSWERS),"$$ANSWERS")

bench: $(VENV)/ready
	@$(BIN)/python benchmarks/run.py

bench-data: $(VENV)/ready $(SPARK)/ready
	@$(BIN)/python benchmarks/data.py $(SIZE)

# uv resolves for all systems at once, with one version for every Python, so that the outputs of the
# chapters are the same on each; it lives in an environment of its own.
lock: pyproject.toml $(VENV)/ready
	@$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install -q --disable-pip-version-check uv
	@$(VENV)/lock/bin/uv pip compile pyproject.toml --extra dev --upgrade --quiet \
	  --universal --python-version 3.11 --fork-strategy fewest \
	  --generate-hashes --no-annotate --no-header --output-file requirements.txt
	@$(VENV)/lock/bin/uv pip compile pyproject.toml --extra test-spark --constraint requirements.txt --quiet \
	  --universal --python-version 3.11 --fork-strategy fewest \
	  --generate-hashes --no-annotate --no-header --output-file requirements-spark.txt
	@echo 'requirements.txt is new. Carry its versions over to environment.yml, then: make notebooks test'

clean:
	rm -rf $(VENV) $(SPARK) book/_build build *.egg-info .pytest_cache .ruff_cache .hypothesis

# --- the environment ----------------------------------------------------------------------------------

# The pinned versions. Made anew when the pins change, so that nothing old stays behind.
$(VENV)/locked: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'dtreebook needs Python 3.11 or newer; $(PYTHON) is missing or older. Install one and name it:'; \
	  echo '  make $(or $(MAKECMDGOALS),book) PYTHON=python3.12'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo 'This Python cannot make environments. On Debian and Ubuntu: sudo apt install python3-venv'; \
	  exit 1; }
	@echo 'Setting up $(VENV): a minute or two, this first time only ...'
	@$(PYTHON) -m venv --clear $(VENV) || { \
	  echo 'Could not make $(VENV): is this folder writable and is there room on the disk?'; exit 1; }
	@$(BIN)/pip install -q --disable-pip-version-check -r requirements.txt || { \
	  echo 'Could not install the pinned packages: is there a network? What was downloaded is kept; run'; \
	  echo 'make again. If a package has no build for this Python, name another: PYTHON=python3.12'; \
	  exit 1; }
	@touch $@

# The package itself, editable: a change in dtreebook/ needs no new installation.
$(VENV)/ready: pyproject.toml $(VENV)/locked
	@$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . || { \
	  echo 'Could not install dtreebook itself: see the message above, it is about pyproject.toml.'; \
	  exit 1; }
	@touch $@

# Spark's own environment: it is large, and only test-spark needs it.
$(SPARK)/ready: requirements-spark.txt
	@echo 'Setting up $(SPARK): some minutes, this first time only ...'
	@$(PYTHON) -m venv --clear $(SPARK)
	@$(SPARK)/bin/pip install -q --disable-pip-version-check -r requirements-spark.txt
	@touch $@

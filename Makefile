# Two commands: `make book` builds the HTML, `make test` checks it and the package. Both set up what they
# need in .venv, from the versions pinned in requirements.txt. All a machine needs is Python, git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SPARK := .venv-spark
NEWEST := .venv-newest
WAY_OUT := .venv-way-out
SITE := book/_build/html
# Kernels and workers start three times as fast from compiled modules.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help book browser lab editions exercises lint test test-all test-weekly links way-out test-newest test-spark test-databases fuzz notebooks assignments grade inventory bench bench-data lock clean
.DEFAULT_GOAL := help

help:
	@echo 'make book         build the book as HTML'
	@echo 'make lab          open the pages as notebooks in JupyterLab, to change and run them'
	@echo 'make editions     the book to take along: a zip of its pages, PDF, EPUB, slides'
	@echo 'make exercises    the questions of the book for learning platforms and flash cards'
	@echo 'make test         run every page and compare its numbers, test the package: six minutes'
	@echo '                    SEED=123            draw once more what a run drew, as it says at its end'
	@echo 'make test-all     the same with twice the draws, four times the pages, slow tests: a quarter of an hour'
	@echo 'make test-weekly  and what takes longest: every page in JupyterLab, all attacks on the grader'
	@echo 'make lint         look at the code without running it: style, layout and types, scripts' too'
	@echo 'make links        try the links that lead out of the book; it asks publishers, so once a week is enough'
	@echo 'make way-out      build the same pages without jupyter-book, with the newest Sphinx, and compare them'
	@echo 'make test-newest  test the package with the newest version of each library: what breaks?'
	@echo 'make test-spark   grow trees in Apache Spark, in an environment of its own (700 MB, once)'
	@echo 'make test-databases  ask trees as SQL in PostgreSQL and MariaDB: apt-get install postgresql mariadb-server'
	@echo 'make fuzz         draw random tables for an hour: make fuzz MINUTES=60'
	@echo 'make notebooks    run the pages and store their outputs'
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
	@echo 'make lock         pin what pyproject.toml asks for in requirements.txt: UPGRADE=yes for new versions'
	@echo 'make clean        remove what the other commands made'

# `jupyter-book build book` builds the same pages, more slowly and forgiving warnings. Here jupyter-book
# writes Sphinx's settings, and Sphinx itself builds in parts: four, so that none waits for the last. It
# does not repeat the warnings of pages it need not build again, so a failed build is cleared.
# WITH=page makes the pages run.
book: $(VENV)/book $(WITH:%=$(VENV)/%) book/_build/.extensions
	@$(BIN)/jupyter-book config sphinx book
	@PYTHONPATH=book/_ext $(BIN)/sphinx-build -j 4 -W --keep-going -d book/_build/.doctrees book $(SITE) || { \
	  rm -rf book/_build; echo; \
	  echo 'make book: the build stopped at the warnings above. Each names its file: put it right and run'; \
	  echo 'make book again. A number without a stored value is put right by make notebooks.'; exit 1; }
	@echo 'The book is built: $(SITE)/index.html'

# Sphinx does not see that an extension or a style changed: what the old one wrote goes.
book/_build/.extensions: $(wildcard book/_ext/*.* book/_ext/in_page/*.* book/_static/*.*)
	@rm -rf book/_build && mkdir book/_build && touch $@

# JupyterLab shows the stored pictures of trusted notebooks only. Binder does the same in postBuild.
lab: $(VENV)/test
	@$(BIN)/jupyter trust book/*.ipynb
	@$(BIN)/jupyter lab --config tools/jupyter_server_config.py --ServerApp.root_dir=book

# Said before anything is made: where there is no browser, what to install.
browser: $(VENV)/test
	@$(BIN)/python -m tools.chromium

editions: browser book
	@$(BIN)/python -m tools.editions $(SITE) book/_build/editions

exercises: browser book
	@$(BIN)/python -m tools.exercises $(SITE) build/exercises

PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal
FAILED = { echo; echo 'make $@: something failed; see the summary above. One file alone:'; \
  echo '  $(BIN)/python -m pytest tests/project/test_project.py      a page: book/entropy.ipynb'; \
  echo 'If a page gives new and right outputs, run make notebooks and commit it.'; exit 1; }

test: $(VENV)/test book
	@TIER=quick $(PYTEST) || $(FAILED)

test-all: $(VENV)/dev book
	@TIER=all $(PYTEST) || $(FAILED)

test-weekly: $(VENV)/weekly $(VENV)/page book
	@TIER=weekly $(PYTEST) || $(FAILED)

lint: $(VENV)/dev
	$(BIN)/python -m tools.subjects
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/oxlint --deny-warnings twentyquestions/web book tools tests/scripts
	$(BIN)/oxfmt --check 'twentyquestions/**/*.js' 'tests/scripts/*.js' 'book/_*/**/*.js' 'tools/**/*.js'
	$(BIN)/deno check --quiet twentyquestions/web book/_ext/in_page/*.js
	$(BIN)/mypy
	$(BIN)/mypy --strict --follow-imports=silent --ignore-missing-imports tests/project/a_users_script.py

# Publishers turn programs away, so of a DOI it is asked whether it is registered.
links: $(VENV)/book
	@$(BIN)/jupyter-book build --builder linkcheck --path-output build/links book
	@sed -n 's/^ *doi *= *{\(.*\)},*$$/\1/p' book/references.bib | while read -r doi; do \
	  curl -fsS --retry 3 -o /dev/null "https://doi.org/api/handles/$$doi" || { echo "Not registered: $$doi"; exit 1; }; \
	done

# The way out of jupyter-book, whose last version pins Sphinx 7: the newest Sphinx, and no extension of it.
# In British English Sphinx 9 lacks the words for a search that has ended.
way-out: book $(VENV)/test $(WAY_OUT)/ready
	@sed "s/'jupyter_book', 'sphinx_thebe', 'sphinx_comments', //" book/conf.py > book/_build/conf.py
	@mv book/_build/conf.py book/conf.py
	@rm -rf book/_build/way-out
	@PYTHONPATH=book/_ext $(WAY_OUT)/bin/sphinx-build -j auto -W --keep-going -D language=en -d book/_build/.way-out book book/_build/way-out
	@OLD=$(SITE) NEW=book/_build/way-out $(PYTEST) tests/way_out
	@SITE=book/_build/way-out TIER=weekly $(PYTEST) tests/book/test_browser.py

# With what is newer than the pins, and than the ranges of pyproject.toml.
test-newest: $(VENV)/locked
	@$(BIN)/python -m tools.newest

# The options of pytest are those of the book's tests, which need more than this environment has.
test-spark: $(SPARK)/ready
	@$(SPARK)/bin/python -m pytest -o addopts=-ra -p no:cacheprovider --confcutdir=tests/spark tests/spark

# Both servers are started on this machine for the test, and end with it.
test-databases: $(VENV)/test
	@$(BIN)/python -m pytest -p no:cacheprovider tests/databases

fuzz: $(VENV)/test
	@end=$$(($$(date +%s) + 60 * $(or $(MINUTES),60))); while [ $$(date +%s) -le $$end ]; do \
	  TIER=weekly $(PYTEST) -x tests/package/test_everything.py || exit 1; done

notebooks: $(VENV)/test
	@$(BIN)/python -m tools.notebooks

assignments: $(VENV)/test
	@$(BIN)/python -m course.grader.assignments $(if $(NEW),--new "$$NEW") $(if $(HUB),--hub "$$HUB") \
	  $(if $(GRADESCOPE),--gradescope "$$GRADESCOPE")

# Without SUBMISSIONS or AGAIN, the table of points and the feedback pages are made anew. The names of
# folders come through the environment, so that they may contain anything.
grade: $(VENV)/test
	@$(BIN)/python -m course.grader.grade $(if $(SUBMISSIONS),"$$SUBMISSIONS") $(if $(AGAIN),--again "$$AGAIN") \
	  $(if $(HUB),--hub "$$HUB") $(if $(UNPROTECTED),--unprotected)

inventory: $(VENV)/test
	@$(BIN)/python -m course.grader.inventory $(if $(ANSWERS),"$$ANSWERS")

bench: $(VENV)/test
	@$(BIN)/python benchmarks/run.py

bench-data: $(VENV)/test $(SPARK)/ready
	@$(BIN)/python benchmarks/data.py $(SIZE)

# uv resolves for all systems at once, with one version for every Python, so that the outputs of the
# pages are the same on each.
COMPILE = $(BIN)/uv pip compile pyproject.toml $(if $(UPGRADE),--upgrade) --quiet --universal \
  --python-version 3.11 --fork-strategy fewest --generate-hashes --no-annotate --no-header
lock: $(VENV)/locked
	@$(COMPILE) --extra plot --extra explore --extra duckdb --group weekly --group page \
	  --no-emit-package dtreebook --no-emit-package twentyquestions --output-file requirements.txt
	@$(COMPILE) --extra spark --group spark --constraint requirements.txt \
	  --output-file requirements-spark.txt
	@echo 'The pins are new. Carry their versions over to environment.yml, then: make notebooks test'

clean:
	rm -rf $(VENV) $(SPARK) $(WAY_OUT) $(NEWEST) book/_build build *.egg-info .pytest_cache .ruff_cache .hypothesis

# --- the environment ----------------------------------------------------------------------------------

# Made anew when the pins change, so that nothing old stays behind.
$(VENV)/locked: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo 'dtreebook needs Python 3.11 or newer; $(PYTHON) is missing or older. Install one and name it:'; \
	  echo '  make $(or $(MAKECMDGOALS),book) PYTHON=python3.12'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
	  echo 'This Python cannot make environments. On Debian and Ubuntu: sudo apt install python3-venv'; \
	  exit 1; }
	@echo 'Setting up $(VENV), this first time only ...'
	@$(PYTHON) -m venv --clear $(VENV) || { \
	  echo 'Could not make $(VENV): is this folder writable and is there room on the disk?'; exit 1; }
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.txt > $(VENV)/uv.txt
	@$(BIN)/pip install -q --disable-pip-version-check -r $(VENV)/uv.txt || { \
	  echo 'Could not install uv, which installs all else: is there a network?'; exit 1; }
	@$(BIN)/uv pip uninstall -q --python $(BIN)/python pip setuptools
	@touch $@

# Both packages, editable, and a group of pyproject.toml with it: book, test, dev, weekly or page.
$(VENV)/book: EXTRAS = plot,explore
EXTRAS = plot,explore,duckdb
GROUPS = book test dev weekly page
$(GROUPS:%=$(VENV)/%): pyproject.toml $(VENV)/locked
	@echo 'Installing what $(@F) needs into $(VENV) ...'
	@$(BIN)/uv pip install --python $(BIN)/python --constraint requirements.txt \
	  --build-constraint requirements.txt --editable '.[$(EXTRAS)]' --group $(@F) || { \
	  echo 'Could not install the pinned packages: is there a network? What was downloaded is kept; run'; \
	  echo 'make again. If a package has no build for this Python, name another: PYTHON=python3.12'; \
	  exit 1; }
	@touch $@

$(WAY_OUT)/ready: pyproject.toml $(VENV)/locked
	@$(PYTHON) -m venv --clear $(WAY_OUT)
	@$(BIN)/uv pip install --python $(WAY_OUT)/bin/python --editable '.[plot,explore]' --group way-out
	@touch $@

# Spark's own environment: it is large, and only test-spark needs it.
$(SPARK)/ready: requirements-spark.txt $(VENV)/locked
	@echo 'Setting up $(SPARK): some minutes, this first time only ...'
	@$(PYTHON) -m venv --clear $(SPARK)
	@$(BIN)/uv pip install --python $(SPARK)/bin/python -r requirements-spark.txt
	@touch $@

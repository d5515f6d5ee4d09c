"""How Sphinx builds the site: `make docs`, or `sphinx-build -W docs build/site`."""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

from pictures import draw

import nardy_fast

project = "nardy_fast"
author = "nardy_fast developers"
copyright = "nardy_fast developers, MIT licence"
version = release = nardy_fast.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
exclude_patterns = ["conf.py"]
suppress_warnings = ["misc.highlighting_failure"]

# Docstrings are for `help()` first: a name in single backticks is code there.
default_role = "code"
autodoc_default_options = {"members": True, "member-order": "bysource", "undoc-members": True}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"nardy_fast {version}"
html_static_path = ["pictures"]

draw()

"""How `make docs` turns the documents and the docstrings into a site.

The source folder is the repository itself, so that a link which works on GitHub works here too.
"""

import sys
from pathlib import Path

import baghdad

sys.path.insert(0, str(Path(__file__).parent))

project = html_title = "Baghdad"
release = baghdad.__version__
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "examples/**.md", "web/README.md"]
exclude_patterns = [".*", "benchmarks", "build", "dist", "src", "tests", "tools", "web/[!R]*"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "flowcharts"]

myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]

# Docstrings put code between single backticks, and those of other packages are not ours to show.
default_role = "code"
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_inherit_docstrings = False
autodoc_preserve_defaults = True
add_module_names = False

html_theme = "furo"
html_copy_source = False
html_show_copyright = False
templates_path = ["templates"]
html_additional_pages = {"index": "redirect.html"}

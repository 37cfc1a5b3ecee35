"""Settings of the site; `build_site.py` writes its source folder and calls Sphinx."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from extensions.publishing import ADDRESS, as_address

from repro import __version__

WORK = Path(__file__).resolve().parent.parent / "build" / "site-work"

project = "repro"
release = __version__
copyright = "the repro developers, BSD-3-Clause"
html_title = "repro"
html_baseurl = as_address(os.environ.get(ADDRESS, ""))
html_favicon = str(Path(__file__).with_name("assets") / "favicon.svg")
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "extensions.anchors",
    "extensions.docstrings",
    "extensions.formulas",
    "extensions.accessible",
    "extensions.publishing",
    "extensions.sortable",
]

# Notebooks are shown with the outputs that are committed.
nb_execution_mode = "off"
nb_merge_streams = True
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# The reference: what the packages export, with the docstrings as definitions.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

templates_path = ["templates"]
html_theme = "furo"
html_math_renderer = "mathml"
html_static_path = [str(Path(__file__).with_name("assets")), str(WORK / "static")]
html_extra_path = [str(WORK / "extra")]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#00607a", "color-brand-content": "#00607a"},
    "dark_css_variables": {"color-brand-primary": "#6cc5dd", "color-brand-content": "#6cc5dd"},
}
# Pages of source code do without the menu: in 160 pages it takes 3 MB.
html_sidebars = {"_modules/**": ["sidebar/brand.html", "sidebar/search.html"]}
# Their colours have a contrast of 4.5 at least.
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"

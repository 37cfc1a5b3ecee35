"""What the site adds to Sphinx: anchors, docstrings, formulas."""

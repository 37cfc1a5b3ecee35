"""The explorer, a page that plays streams: its parts in Python, and what runs in the browser."""

#!/bin/sh
# Start a tool of .venv for a commit hook: the folder of its programs has another name on Windows.
tool=$1
shift
for folder in .venv/bin .venv/Scripts; do
  for program in "$folder/$tool" "$folder/$tool.exe"; do
    [ -x "$program" ] && exec "$program" "$@"
  done
done
echo "no $tool in .venv: make env, or python -m pip install -r requirements.lock" >&2
exit 1

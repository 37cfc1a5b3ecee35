"""A trial in JupyterLab changes no committed file, and its edits are not lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import pytest
from toy_checkout import WRITE, content, edit, make_checkout, save

import repro
from repro import _locks, data_sets
from repro.__main__ import main
from repro.runner import lab
from repro.runner import notebook as nb

LIBRARY = Path(repro.__file__).parent


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    return make_checkout(tmp_path / "checkout", monkeypatch)


@pytest.fixture
def copied(checkout, monkeypatch):
    """The notebook 01_a and its copy; no other lab is open."""
    monkeypatch.setattr(_locks, "try_to_keep", lambda path: True)
    notebook = save(checkout, "01_a", WRITE)
    list(lab.copy_all(checkout))
    return notebook, checkout / "lab/01_a.ipynb"


def content_of(path):
    """The content of a notebook, to be changed and written."""
    return nb.read(path).content


def opened(copy):
    """Change `copy` as a lab does when a notebook is only opened and run."""
    stored = content_of(copy)
    stored["metadata"]["language_info"] = {"name": "python", "version": "3.11.7"}
    stored["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1\n"]}]
    copy.write_text(json.dumps(stored))


def test_copies_equal_the_notebooks_and_git_does_not_see_them(copied, checkout):
    notebook, copy = copied
    assert content_of(copy) == content_of(notebook)
    for command in (["init", "-q"], ["add", "lab"]):
        subprocess.run(["git", "-C", checkout, *command], check=False, capture_output=True)
    status = ["git", "-C", checkout, "status", "--porcelain", "-uall"]
    shown = subprocess.run(status, check=True, capture_output=True, text=True).stdout
    assert "notebooks/01_a.ipynb" in shown
    assert "lab" not in shown


def test_an_edited_copy_stays_until_it_is_renamed(copied, checkout):
    notebook, copy = copied
    edit(copy, "print(n)", "print(n, 'mine')")
    before = copy.read_bytes()
    stay = "01_a: your edits of before are in the copy"
    new = "for a new copy rename or delete lab/01_a.ipynb"
    assert f"{stay}; {new}" in list(lab.copy_all(checkout))
    edit(notebook, "# Title", "# New title")
    changed = f"{stay}, and notebooks/01_a.ipynb has changed since; {new}"
    assert changed in list(lab.copy_all(checkout))
    assert copy.read_bytes() == before
    copy.rename(copy.with_name("mine.ipynb"))
    list(lab.copy_all(checkout))
    assert content_of(copy) == content_of(notebook)


def test_a_copy_that_was_not_edited_follows_the_notebook(copied, checkout):
    notebook, copy = copied
    edit(notebook, "# Title", "# Title 2")
    assert len(list(lab.copy_all(checkout))) == 2
    assert "# Title 2" in copy.read_text()
    opened(copy)
    ran = copy.read_bytes()
    list(lab.copy_all(checkout))
    assert copy.read_bytes() == ran
    edit(notebook, "# Title 2", "# Title 3")
    line = "01_a: it has changed: a new copy; the one that you ran is lab/01_a.old-1.ipynb"
    assert line in list(lab.copy_all(checkout))
    assert "# Title 3" in copy.read_text()
    assert (checkout / "lab/01_a.old-1.ipynb").read_bytes() == ran


def test_while_another_lab_is_open_its_copies_stay(checkout):
    notebook = save(checkout, "01_a", WRITE)
    hold = "import sys, time; from pathlib import Path; from repro.runner import lab\n"
    hold += "print(list(lab.copy_all(Path(sys.argv[1]))), flush=True); time.sleep(60)"
    other = subprocess.Popen([sys.executable, "-c", hold, checkout], stdout=subprocess.PIPE)
    try:
        other.stdout.readline()
        edit(notebook, "# Title", "# Title 2")
        save(checkout, "02_b", WRITE)
        before = (checkout / "lab/01_a.ipynb").read_bytes()
        shown = list(lab.copy_all(checkout))
        assert (
            "another lab of this checkout is open: copies that are there stay as they are" in shown
        )
        assert (checkout / "lab/01_a.ipynb").read_bytes() == before
        assert (checkout / "lab/02_b.ipynb").is_file()
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    list(lab.copy_all(checkout))  # a killed lab leaves no lock behind
    assert "# Title 2" in (checkout / "lab/01_a.ipynb").read_text()


@pytest.fixture
def wanted(checkout, monkeypatch):
    """A notebook that needs real data, and its copy; no other lab is open."""
    monkeypatch.setattr(_locks, "try_to_keep", lambda path: True)
    (checkout / "data").mkdir()
    shutil.copy(Path(__file__).parents[2] / "data/sources.toml", checkout / "data")
    notebook = save(checkout, "01_a", WRITE)
    more = '\\ndata_sets: list[str] = [\\"elec2\\"]  # real\\nstand_in: bool = False  # generated'
    edit(notebook, "# text", f"# text{more}")
    return notebook, checkout / "lab/01_a.ipynb"


def test_without_its_data_the_copy_has_a_stand_in_until_they_are_there(
    wanted, checkout, monkeypatch
):
    notebook, copy = wanted
    monkeypatch.setattr(data_sets, "available", lambda name: False)
    line = "01_a: no elec2 (make data downloads it): the copy has stand_in = True"
    assert line in list(lab.copy_all(checkout))
    assert "stand_in: bool = True  # generated" in copy.read_text()
    assert not lab.edited(checkout, notebook)
    monkeypatch.setattr(data_sets, "available", lambda name: True)
    list(lab.copy_all(checkout))
    assert content_of(copy) == content_of(notebook)


def test_edits_are_adopted_without_outputs_metadata_or_stand_in(
    wanted, checkout, monkeypatch, capsys
):
    notebook, copy = wanted
    stored = content_of(notebook)
    kept = [{"output_type": "stream", "name": "stdout", "text": ["kept\n"]}]
    stored["cells"][1] |= {"outputs": kept, "execution_count": 1}
    nb.write(notebook, stored)
    monkeypatch.setattr(data_sets, "available", lambda name: False)
    list(lab.copy_all(checkout))
    opened(copy)
    assert main(["adopt", "01_a"]) == 0
    assert capsys.readouterr().out == "01_a: no edits in lab/01_a.ipynb\n"
    edited = content_of(copy)
    edited["cells"][2]["source"] = ["print(n + 1)"]
    edited["cells"].append(edited["cells"][2] | {"id": "new", "metadata": {"tags": ["t"]}})
    copy.write_text(json.dumps(edited))
    assert lab.edited(checkout, notebook)
    assert main(["adopt", "lab/01_a.ipynb"]) == 0
    stored["cells"][2] |= {"source": ["print(n + 1)"], "outputs": [], "execution_count": None}
    stored["cells"].append(stored["cells"][2] | {"id": "new", "metadata": {"tags": ["t"]}})
    assert content_of(notebook) == stored
    assert not lab.edited(checkout, notebook)


def test_changes_on_both_sides_are_not_merged(copied, checkout, capsys):
    notebook, copy = copied
    edit(copy, "print(n)", "print(n, 'mine')")
    edit(notebook, "print(n)", "print(n, 'theirs')")
    before = content(checkout)
    assert main(["adopt", "01_a"]) == 1
    line = "error: notebooks/01_a.ipynb has changed since lab/01_a.ipynb was made from it: "
    assert capsys.readouterr().err.startswith(line)
    assert main(["adopt", "02_b"]) == 1
    assert capsys.readouterr().err.startswith("error: there is no copy lab/02_b.ipynb; make lab")
    assert content(checkout) == before


def test_a_notebook_created_in_the_lab_is_adopted(copied, checkout):
    _, copy = copied
    shutil.copy(copy, copy.with_name("02_new.ipynb"))
    assert main(["adopt", "02_new"]) == 0
    new = content_of(checkout / "notebooks/02_new.ipynb")
    assert [cell["source"] for cell in new["cells"]] == [
        cell["source"] for cell in content_of(copy)["cells"]
    ]


def test_a_run_reports_edits_in_the_copy_and_does_not_use_them(copied, checkout, capsys):
    _, copy = copied
    assert main(["run", "01_a"]) == 0
    list(lab.copy_all(checkout))
    edit(copy, "n: int = 1", "n: int = 2")
    capsys.readouterr()
    assert main(["run", "01_a"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("01_a: the copy in lab/ has edits (")
    assert shown[1:] == ["01_a: up to date"]


def test_the_command_passes_arguments_and_serves_root_in_a_container(checkout, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    command = lab.command(checkout, ["--no-browser", "--port", "9999"])
    assert command[1:] == [
        *("-m", "jupyterlab", f"--ServerApp.root_dir={checkout / 'lab'}", "--allow-root"),
        f"--LabApp.app_settings_dir={checkout / 'lab' / '.settings'}",
        *("--no-browser", "--port", "9999"),
    ]
    hidden = json.loads((checkout / "lab" / ".settings" / "page_config.json").read_text())
    assert hidden == {"disabledExtensions": ["@jupyter/nbgrader"]}
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "--allow-root" not in lab.command(checkout, [])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(lab.LabError, match=r"JupyterLab is not installed; .*\[notebooks\]"):
        lab.command(checkout, [])


# --- a notebook run through the server, as by a browser


class Server:
    """JupyterLab's server on the copies of a checkout, and the requests of a browser."""

    def __init__(self, root, environment):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address, self.token = f"127.0.0.1:{port}", uuid.uuid4().hex
        options = ["--no-browser", "--port", str(port), f"--IdentityProvider.token={self.token}"]
        self.log = (root.parent / "lab.log").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "repro", "lab", *options],
            cwd=root, env=environment, stdout=self.log, stderr=self.log,
        )  # fmt: skip

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        header = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(
            f"http://{self.address}/api/{path}", data, header, method=method
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or "null")

    def wait(self):
        for _ in range(600):
            try:
                return self.ask("GET", "status")
            except (urllib.error.URLError, ConnectionError):
                self.log.seek(0)
                assert self.process.poll() is None, self.log.read()
                time.sleep(0.1)
        raise TimeoutError

    def run_all(self, notebook, path):
        """Restart the kernel and run every code cell; the outputs go into `notebook`."""
        import websocket

        body = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        kernel = self.ask("POST", "sessions", body)["kernel"]["id"]
        self.ask("POST", f"kernels/{kernel}/restart")
        header = [f"Authorization: token {self.token}"]
        address = f"ws://{self.address}/api/kernels/{kernel}/channels"
        channel = websocket.create_connection(address, header=header, timeout=60)
        for cell in (c for c in notebook["cells"] if c["cell_type"] == "code"):
            cell["outputs"], number = [], uuid.uuid4().hex
            names = {"msg_id": number, "msg_type": "execute_request", "session": "s"}
            inside = {"code": cell["source"], "silent": False, "store_history": True}
            message = {"header": names | {"username": "u", "version": "5.3"}, "content": inside}
            channel.send(
                json.dumps(message | {"parent_header": {}, "metadata": {}, "channel": "shell"})
            )
            waiting = {"execute_reply", "idle"}  # outputs may come after the reply, not after idle
            while waiting:
                answer = json.loads(channel.recv())
                if answer["parent_header"].get("msg_id") != number:
                    continue
                kind, inside = answer["msg_type"], answer["content"]
                assert kind != "error", inside
                if kind == "stream":
                    cell["outputs"].append({"output_type": "stream", **inside})
                if kind == "execute_reply":
                    cell["execution_count"] = inside["execution_count"]
                waiting -= {kind, inside.get("execution_state", "")}
        channel.close()
        return kernel

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self.log.close()


@pytest.fixture
def real(tmp_path):
    """A checkout with its own library, and the environment variables for using it."""
    root = tmp_path / "checkout"
    (root / "notebooks").mkdir(parents=True)
    (root / "profiles").mkdir()
    shutil.copytree(LIBRARY, root / "src/repro", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "pyproject.toml").write_text("")
    (root / ".gitignore").write_text("/build/\n__pycache__/\n")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("REPRO_", "JUPYTER"))}
    environment |= {"PYTHONPATH": str(root / "src"), "HOME": str(tmp_path / "home")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return root, environment


@pytest.mark.slow
def test_a_notebook_run_in_the_lab_between_two_runs_changes_no_committed_file(real):
    root, environment = real
    save(root, "01_a", WRITE)

    def call(*command):
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done
        return done.stdout

    call(sys.executable, "-m", "repro", "run", "01_a", "--accept")
    call("git", "init", "-q")
    call("git", "add", ".")
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    call("git", *identity, "commit", "-qm", "paper")
    assert call(sys.executable, "-m", "repro", "run", "01_a") == "01_a: up to date\n"

    server = Server(root, environment)
    try:
        server.wait()
        names = [entry["name"] for entry in server.ask("GET", "contents")["content"]]
        assert names == ["01_a.ipynb"]
        opened = server.ask("GET", "contents/01_a.ipynb")
        notebook = opened["content"]
        notebook["metadata"]["language_info"] = {"name": "python", "version": "3"}  # as on opening
        server.ask("PUT", "contents/01_a.ipynb", {"type": "notebook", "content": notebook})
        source = notebook["cells"][1]["source"]
        notebook["cells"][1]["source"] = source.replace("n: int = 1", "n: int = 2")
        server.ask("PUT", "contents/01_a.ipynb", {"type": "notebook", "content": notebook})
        kernel = server.run_all(notebook, "01_a.ipynb")
        assert notebook["cells"][2]["outputs"][0]["text"] == "2\n"
        server.ask("PUT", "contents/01_a.ipynb", {"type": "notebook", "content": notebook})
        server.ask("POST", "contents/01_a.ipynb/checkpoints")
        assert call("git", "status", "--porcelain") == ""
        said = call(sys.executable, "-m", "repro", "run", "01_a").splitlines()
        assert said[1:] == ["01_a: up to date"]
        assert said[0].startswith("01_a: the copy in lab/ has edits")
        server.ask("DELETE", f"kernels/{kernel}")
    finally:
        server.stop()
    assert call("git", "status", "--porcelain") == ""
    assert call("git", "diff") == ""
    assert (root / "build/interactive/figures/01_figure_1.png").read_bytes() == b"2"
    assert (root / "figures/01_figure_1.png").read_bytes() == b"1"
    assert "n: int = 2" in (root / "lab/01_a.ipynb").read_text()

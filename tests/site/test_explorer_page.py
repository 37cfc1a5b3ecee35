"""The page of the explorer in Chromium: what it shows is what its code computes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import repro
from repro import _folders, detectors, learners, metrics, permutations, prequential, streams

pytest.importorskip("bokeh", reason="Bokeh is not installed")
sys.path.insert(0, str(_folders.need_checkout() / "docs"))

from explorer.page import KERNELS, SCRIPTS, VIEWS, write_page
from explorer.recorded import LEARNERS, STREAMS, STRENGTHS

pytestmark = pytest.mark.slow  # all learners run on all streams

N = 3000  # examples: one drift of "Four concepts" lies among them
PUBLIC = vars(repro) | {"TESTBED": repro.TESTBED, "prequential": prequential}
PUBLIC |= {"detectors": detectors, "learners": learners, "metrics": metrics, "streams": streams}
PUBLIC |= {"permutations": permutations}


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("site") / "new" / "explorer.html"
    write_page(path, n=N)
    return path


class Opened:
    """A page of the browser, and what went wrong in it."""

    def __init__(self, page: Any) -> None:
        self.page, self.requests, self.faults = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda m: m.type == "error" and self.faults.append(m.text))

    def open(self, file: Path) -> Opened:
        self.page.goto(file.as_uri())
        self.page.wait_for_selector("body[data-ready]")
        return self

    def choose(self, name: str, value: Any) -> None:
        """Let a select have a value."""
        self.page.select_option(f"#{name}", value)

    def move(self, name: str, value: float) -> None:
        """Move a slider to the place of a value that it offers."""
        moved = """([name, value]) => {
            const slider = document.getElementById(name), place = slider.values.indexOf(value)
            slider.value = place
            slider.dispatchEvent(new Event("input"))
            return place
        }"""
        assert self.page.evaluate(moved, [name, value]) >= 0

    def wait(self, condition: str) -> None:
        """Wait until a condition holds. (Playwright's own waiting is refused by the page.)"""
        pause = "await new Promise(done => setTimeout(done, 20))"
        self.page.evaluate(f"async () => {{ while (!({condition})) {pause} }}")

    def shown(self, path: str) -> Any:
        """What a view shows, in full."""
        plain = "v => ArrayBuffer.isView(v) ? Array.from(v) : v"
        return self.page.evaluate(f"({plain})(shown.{path})")

    def computed(self, view: str) -> dict[str, Any]:
        """The names that the code of a view defines in Python."""
        code = self.page.evaluate(f"view_code(recording, settings, chosen).{view}.join('\\n')")
        names: dict[str, Any] = {}
        exec(code, names)
        return names


@pytest.fixture(scope="module")
def opened(browser, file) -> Iterator[Opened]:
    page = Opened(browser.new_page(viewport={"width": 1400, "height": 900})).open(file)
    yield page
    assert page.faults == []


def assert_equal(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


# --- without a browser


@pytest.mark.parametrize("name", STREAMS)
def test_the_code_of_a_stream_makes_it(name):
    names = dict(PUBLIC)
    exec(STREAMS[name].code, names)
    assert names["stream"] == STREAMS[name].made


@pytest.mark.parametrize("name", LEARNERS)
def test_the_code_of_a_learner_makes_it(name):
    assert eval(LEARNERS[name].code, dict(PUBLIC)) == LEARNERS[name].made


def test_every_script_is_in_the_page():
    assert {path.stem for path in SCRIPTS.glob("*.js")} == {*KERNELS, *VIEWS}


def test_the_page_is_one_file_of_a_few_megabytes_without_addresses_in_its_markup(file):
    text = file.read_text("utf-8")
    assert len(text) < 6e6
    before_scripts = text[: text.index("<script")]
    for markup in ("src=", "href=", "url(", "@import"):
        places = before_scripts.split(markup)[1:]
        assert [place[:20] for place in places if not place.startswith('"data:')] == []
    assert "<script src" not in text
    assert "{{" not in before_scripts


def test_a_page_must_have_a_thousand_examples(tmp_path):
    with pytest.raises(ValueError, match=r"n must .*1000.*got 10"):
        write_page(tmp_path / "a.html", n=10)
    assert list(tmp_path.iterdir()) == []


# --- in the browser


def test_nothing_is_requested_but_the_file(opened, file):
    assert [url for url in opened.requests if not url.startswith(("data:", "blob:"))] == [
        file.as_uri()
    ]


CHANGES = [("late", 0), ("late", 20), ("time", 0.003), ("speed", 0.2), ("shape", 3000)]


@pytest.mark.parametrize(("kind", "strength"), CHANGES)
@pytest.mark.parametrize(
    ("name", "a", "b"), [("Four concepts", "DDM", "HAT"), ("Label chain", "HT", "NB")]
)
def test_every_view_shows_what_its_code_computes(opened, name, kind, strength, a, b):
    for setting, value in {"stream": name, "a": a, "b": b, "kind": kind}.items():
        opened.choose(setting, value)
    for setting, value in {"strength": strength, "window": 70, "alpha": 0.98}.items():
        opened.move(setting, value)
    for setting, value in {"memory": 200, "pair_window": 100, "pair_alpha": 0.99}.items():
        opened.move(setting, value)
    names = opened.computed("error")
    assert_equal(opened.shown("error.curves.prequential"), names["prequential_error"])
    assert_equal(opened.shown("error.curves.window"), names["sliding_error"])
    assert_equal(opened.shown("error.curves.fading"), names["fading_error"])
    names = opened.computed("kappa")
    assert_equal(opened.shown("kappa.curves.chance"), names["chance"])
    assert_equal(opened.shown("kappa.curves.change"), names["change"])
    names = opened.computed("order")
    assert_equal(opened.shown("order.distance"), names["distance"])
    names = opened.computed("pair")
    assert_equal(opened.shown("pair.q.window"), names["q"])
    assert_equal(opened.shown("pair.mcnemar.fading"), names["m"])
    wholes = {row["name"]: row for row in opened.shown("whole")}
    run, y = names["a"], names["stream"].y
    delay = strength if kind == "late" else 0
    assert_equal(wholes[a]["error"], run.error)
    assert_equal(wholes[a]["kappa"], metrics.kappa(y, run.y_pred))
    for measure in ("kappa_temporal", "kappa_combined"):
        assert_equal(wholes[a][measure], getattr(metrics, measure)(y, run.y_pred, delay=delay))


@pytest.mark.parametrize("every", [1, 50, 1000])
def test_looks_at_equal_pairs_are_those_of_the_code(opened, every):
    opened.move("every", every)
    names = opened.computed("looks")
    at = slice(every - 1, None, every)
    for key in ("mcnemar", "evidence"):
        shown = opened.shown(f"looks.curves.{key}")
        assert_equal(shown[at], names[key])
        assert shown[: every - 1] == [0] * (every - 1)
    opened.wait("stale.size === 0")
    said = opened.page.evaluate("document.getElementById('says-looks').textContent")
    assert f"{100 * names['mcnemar'][-1]:.1f}" in said


DETECTORS = {
    "page_hinkley": {"delta": 0.02, "threshold": 5},
    "error_ratio": {"delta": 0.1, "threshold": 30, "short": 0.98, "long": 0.998},
    "ddm": {"deviations": 2.5},
    "eddm": {"ratio": 0.93},
    "adwin": {"confidence": 0.5},
}


@pytest.mark.parametrize("detector", DETECTORS)
@pytest.mark.parametrize(("kind", "strength"), [("late", 0), ("late", 50), ("time", 0.003)])
def test_every_detector_alarms_as_its_code_does(opened, detector, kind, strength):
    for setting, value in {"stream": "Four concepts", "a": "NB", "kind": kind}.items():
        opened.choose(setting, value)
    opened.move("strength", strength)
    opened.choose("detector", detector)
    for setting, value in {**DETECTORS[detector], "tolerance": 300}.items():
        opened.move(setting, value)
    names = opened.computed("alarms")
    assert opened.shown("alarms.alarms") == names["alarms"].tolist() != []
    found, expected = opened.shown("alarms.report"), names["report"]
    for measure in ("detected", "missed", "false_alarms", "repeated", "mtd", "mtfa", "mtr", "arl1"):
        assert_equal(found[measure], getattr(expected, measure))
    assert_equal(found["delays"], expected.delays[0])
    kinds = opened.page.evaluate(
        "kinds_of_alarms(shown.alarms.alarms, chosen.drifts, recording.n, 300)"
    )
    counts = [kinds.count(kind) for kind in ("detected", "false", "repeated")]
    assert counts == [expected.detected, expected.false_alarms, expected.repeated]


@pytest.mark.parametrize("kind", STRENGTHS)
def test_every_slider_position_of_a_change_has_runs(opened, kind):
    opened.choose("kind", kind)
    for strength in opened.page.evaluate("document.getElementById('strength').values"):
        opened.move("strength", strength)
        assert len(opened.shown("whole")) == len(LEARNERS)


def test_figures_hold_the_largest_and_the_smallest_value_of_a_curve(opened):
    opened.choose("kind", "late")
    opened.wait("stale.size === 0")
    curve = np.array(opened.shown("error.curves.window"))
    drawn = opened.page.evaluate("drawing.sources['error.window'].data")
    assert_equal([min(drawn["y"]), max(drawn["y"])], [100 * curve.min(), 100 * curve.max()])
    at = np.array(drawn["x"]) - 1
    assert_equal(drawn["y"], 100 * curve[at])
    assert (np.diff(at) > 0).all()


def test_the_points_that_play_are_those_of_the_stream(opened):
    """To a pixel: places are recorded to a 65 534th of the frame."""
    for setting, value in {"stream": "NSGT", "a": "NB", "kind": "late"}.items():
        opened.choose(setting, value)
    opened.page.evaluate("change({ t: 1500 })")
    opened.wait("stale.size === 0")
    stream = STREAMS["NSGT"].made.sample(seed=0, n=N)
    run = prequential(LEARNERS["NB"].made, stream)
    latest = slice(1301, 1501)
    X, y, wrong = stream.X[latest], stream.y[latest], run.loss[latest] == 1
    frame = np.ptp(stream.X, axis=0).max()
    for key, part in {"0": y == 0, "1": y == 1, "wrong": wrong}.items():
        data = opened.page.evaluate(f"drawing.sources['points.{key}'].data")
        found = np.column_stack([data["x"], data["y"]])
        np.testing.assert_allclose(found, X[part], atol=1e-4 * frame)
    data = opened.page.evaluate("drawing.sources['points.boundary'].data")
    at_best = np.column_stack([data["x"], data["y"]])
    lines = at_best[np.isfinite(at_best).all(axis=1)]
    posterior = STREAMS["NSGT"].made.posterior(lines, 1500)[:, 1]
    np.testing.assert_allclose(posterior, 0.5, atol=0.05)


def test_the_keyboard_moves_sliders_and_plays(opened):
    page = opened.page
    page.evaluate("change({ t: 100 })")
    page.focus("#window")
    before = page.evaluate("settings.window")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("settings.window") > before
    assert page.get_attribute("#window", "aria-valuetext") == str(page.evaluate("settings.window"))
    page.keyboard.press(" ")
    opened.wait("settings.t > 100")
    assert page.get_attribute("#play", "aria-pressed") == "true"
    page.keyboard.press(" ")
    assert page.get_attribute("#play", "aria-pressed") == "false"
    stopped = page.evaluate("settings.t")
    page.wait_for_timeout(100)
    assert page.evaluate("settings.t") == stopped


def test_the_address_keeps_the_settings(browser, file):
    """A link to a state of the page shows that state; one to none shows the beginning."""
    opened = Opened(browser.new_page()).open(file)
    opened.choose("kind", "time")
    opened.move("strength", 0.003)
    opened.move("window", 50)
    opened.wait("location.hash.includes('&window=50&')")
    address, settings = opened.page.evaluate("[location.hash, settings]")
    for ending, expected in {address: settings, "#window=51&a=nobody": None}.items():
        again = Opened(browser.new_page())
        again.page.goto(file.as_uri() + ending)
        again.page.wait_for_selector("body[data-ready]")
        found = again.page.evaluate("settings")
        assert found == (expected or again.page.evaluate("DEFAULTS"))
        assert again.page.input_value("#kind") == found["kind"]
        assert again.faults == []
        again.page.close()
    opened.page.close()


def test_every_control_has_a_name(opened):
    unnamed = "[...document.querySelectorAll('input, select, button')].filter(c => "
    unnamed += "!(c.closest('label') ?? c).textContent.trim()).map(c => c.id)"
    assert opened.page.evaluate(unnamed) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
def test_it_fits_a_phone_and_a_wall_in_light_and_dark(browser, file, scheme, width):
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    opened = Opened(page).open(file)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    card = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--card')")
    figures = "Object.values(drawing.figures).map(f => f.background_fill_color)"
    assert set(page.evaluate(figures)) == {card.strip()}
    assert opened.faults == []
    page.close()

"""A run shown: as a figure, as a table in a notebook; figures with any name."""

from __future__ import annotations

import numpy as np
import pytest

from repro import TESTBED, figures, learners, metrics, prequential, results, streams


@pytest.fixture(scope="module")
def played():
    stream = TESTBED["NSPC-A"].sample(seed=1)
    return prequential(learners.NaiveBayes(), stream), stream


def test_a_run_is_drawn_with_the_truth_of_its_stream(played):
    run, stream = played
    ax = run.plot(stream, window=200)
    curve, optimum = ax.lines[:2]
    expected = 100 * metrics.sliding_error(run.loss, window=200)
    assert np.allclose(curve.get_ydata(), expected[200 :: len(run.loss) // 1000])
    lost = metrics.sliding_error(stream.optimal != stream.y, window=200)
    assert np.allclose(optimum.get_ydata(), 100 * lost[200 :: len(run.loss) // 1000])
    texts = ax.get_legend_handles_labels()[1]
    assert texts == ["error", "optimum", "drift"]
    assert figures.plot_run(run, stream, ax=ax) is ax


def test_without_a_stream_only_the_error_and_the_alarms_are_drawn():
    stream = TESTBED["NSGT"].sample(seed=0)
    from repro.detectors import DDM

    run = prequential(learners.DriftRetraining(learners.NaiveBayes(), DDM()), stream)
    ax = run.plot()
    assert ax.get_legend_handles_labels()[1] == ["error", "alarm"]
    assert len(ax.lines) == 1 + len(run.alarms) + 1


def test_one_example_is_drawn():
    run = prequential(learners.NoChange(), streams.Stream([[0.0]], [0]))
    assert run.plot().lines[0].get_ydata().tolist() == [0.0]


def test_wrong_arguments_are_refused(played):
    run, stream = played
    with pytest.raises(ValueError, match="stream must be that of the run, with 10001 examples; g"):
        run.plot(stream.take(np.arange(10)))
    with pytest.raises(TypeError, match=r"run must be a Run, as of repro\.prequential; got 3"):
        figures.plot_run(3)
    with pytest.raises(ValueError, match="window must"):
        run.plot(window=0)


def test_a_run_shows_its_numbers_in_a_notebook(played):
    run, _ = played
    shown = run._repr_html_()
    assert f"<td>{run.error:.4f}</td>" in shown
    assert "<td>10001</td>" in shown
    assert "unknown" not in shown


@pytest.mark.parametrize("name", ["any-name", "Figure.2", "x", "über_1"])
def test_results_outside_the_papers_notebooks_have_any_name(name, monkeypatch, tmp_path, played):
    monkeypatch.delenv("REPRO_OUTPUT", raising=False)
    monkeypatch.setattr("repro._folders.output", lambda: tmp_path)
    saved = figures.save(played[0].plot(), name)
    assert saved.path == tmp_path / "figures" / f"{name}.png"
    assert saved.path.is_file()


@pytest.mark.parametrize("name", ["", "../a", "a/b", ".a", "-a", "a b", 3])
def test_names_that_are_no_file_names_are_refused(name, monkeypatch, tmp_path, played):
    monkeypatch.delenv("REPRO_OUTPUT", raising=False)
    monkeypatch.setattr("repro._folders.output", lambda: tmp_path)
    with pytest.raises(ValueError, match="name must hold letters, digits"):
        figures.save(played[0].plot(), name)
    with pytest.raises(ValueError, match="name must hold letters, digits"):
        results.save_table(TESTBED["NSGT"].sample(n=3).to_frame(), name)
    assert list(tmp_path.iterdir()) == []

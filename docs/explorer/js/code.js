// The lines of Python that compute what a view shows.

"use strict"

const IMPORTS = "from repro import TESTBED, detectors, learners, metrics, permutations, prequential, streams"

/** The stream, after what is done to it. */
function stream_code(recording, s) {
  const lines = [recording.streams[s.stream].code]
  if (s.strength && s.kind !== "late") {
    const strength = `${s.kind === "shape" ? "k" : "p"}=${s.strength}`
    lines.push(`stream = streams.Permuted(stream, "${s.kind}", ${strength}).sample(seed=0)`)
  }
  return lines
}

/** The run of a learner, called `name` in the code. */
function run_code(recording, s, learner, name = "run") {
  const delay = s.kind === "late" && s.strength ? `, delay=${s.strength}` : ""
  return `${name} = prequential(${recording.learners[learner].code}, stream${delay})`
}

/** The alarms of the chosen detector on `run.loss`. */
function alarms_code(s) {
  const limits = `delta=${s.delta}, threshold=${s.threshold}`
  const ratio = `detectors.error_ratio(run.loss, short=${s.short}, long=${s.long})`
  return "alarms = " + {
    page_hinkley: `detectors.page_hinkley(run.loss, ${limits})`,
    error_ratio: `detectors.page_hinkley(${ratio}, ${limits})`,
    ddm: `detectors.DDM(drift_threshold=${s.deviations}).alarms(run.loss)`,
    eddm: `detectors.EDDM(drift_threshold=${s.ratio}).alarms(run.loss)`,
    adwin: `detectors.adwin(run.loss, delta=${s.confidence})`,
  }[s.detector]
}

/** The code of each view. */
function view_code(recording, s, chosen) {
  const start = [IMPORTS, ...stream_code(recording, s)]
  const run = [...start, run_code(recording, s, s.a)]
  const late = chosen.delay ? `, delay=${chosen.delay}` : ""
  const report = `report = metrics.detection_report(alarms, stream.drifts, len(stream), tolerance=${s.tolerance})`
  const memory = `run.y_pred, window=${s.memory}`
  const kind = s.strength && s.kind !== "late" ? s.kind : "shape"
  const argument = kind === "shape" ? `k=${s.kind === "shape" ? s.strength : 0}` : `p=${s.strength}`
  return {
    points: [...run, "stream.X, stream.y, stream.bayes_risk, run.loss"],
    error: [...run,
      "prequential_error = metrics.prequential_error(run.loss)",
      `sliding_error = metrics.sliding_error(run.loss, window=${s.window})`,
      `fading_error = metrics.fading_error(run.loss, alpha=${s.alpha})`],
    alarms: [...run, alarms_code(s), ...(chosen.drifts?.length ? [report] : [])],
    kappa: [...run,
      `chance = metrics.kappa(stream.y, ${memory})`,
      `change = metrics.kappa_temporal(stream.y, ${memory}${late})`],
    order: [...start, run_code(recording, s, s.a),
      `order = permutations.${kind}_permutation(len(stream), ${argument}, seed=0)`,
      "distance = permutations.neighbor_distance(order)"],
    pair: [...start, run_code(recording, s, s.a, "a"), run_code(recording, s, s.b, "b"),
      `q = metrics.q_statistic(a.loss, b.loss, window=${s.pair_window})`,
      `m = metrics.mcnemar(a.loss, b.loss, alpha=${s.pair_alpha})`],
    looks: ["import numpy as np", "from repro import metrics",
      "from repro.seeds import generator", "from repro.statistics import compare_anytime",
      `pairs = generator(0, "equal pairs").random((${recording.pairs.count}, 2, ${recording.pairs.n})) < 0.2`,
      `looks = slice(${s.every} - 1, None, ${s.every})`,
      "m = [abs(metrics.mcnemar(a, b))[looks] for a, b in pairs.astype(float)]",
      "mcnemar = np.logical_or.accumulate(np.array(m) >= 3.841, axis=1).mean(axis=0)",
      "e = [compare_anytime(a, b).discordant[looks] for a, b in pairs.astype(float)]",
      "evidence = np.logical_or.accumulate(np.array(e) >= 20, axis=1).mean(axis=0)"],
  }
}

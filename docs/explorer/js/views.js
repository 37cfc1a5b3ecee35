// What each view shows: curves, alarms and tables from the settings `s` and the chosen runs `c`.
// Nothing is drawn here.

"use strict"

const POINTS = 200  // examples that are shown at a time
const DETECTORS = {
  page_hinkley: (loss, s) => page_hinkley_test(loss, s.delta, s.threshold),
  error_ratio: (loss, s) => page_hinkley_test(error_ratio(loss, s.short, s.long), s.delta, s.threshold),
  ddm: (loss, s) => ({ alarms: ddm(loss, 30, s.deviations) }),
  eddm: (loss, s) => ({ alarms: eddm(loss, s.ratio) }),
  adwin: (loss, s) => ({ alarms: adwin(loss, s.confidence) }),
}
const FIXED = 3.841  // the same with probability .05
const ANY_TIME = 20  // evidence for equal learners ever reaches it with probability .05 at most
const LEVEL = 6.635  // chi-square with one degree of freedom is above it with probability .01

/** The examples that are playing, from the first to the one at t. */
function show_points(s, c) {
  return { first: Math.max(0, s.t - POINTS + 1), last: s.t, loss: c.runs[s.a].loss }
}

/** The estimators of the error of A. */
function show_error(s, c) {
  const { loss } = c.runs[s.a]
  return { curves: {
    prequential: prequential_error(loss),
    window: sliding_error(loss, s.window),
    fading: fading_error(loss, s.alpha),
  } }
}

/** The alarms of the detector on the losses of A, and what they are worth. */
function show_alarms(s, c) {
  const { loss } = c.runs[s.a]
  const { alarms, statistics } = DETECTORS[s.detector](loss, s)
  const report = c.drifts?.length ? detection_report(alarms, c.drifts, c.n, s.tolerance) : null
  return { curves: { error: sliding_error(loss, s.window) }, statistics, alarms, report }
}

/** What an alarm is: "detected", "repeated" or "false"; without known drifts, "repeated". */
function kinds_of_alarms(alarms, drifts, n, tolerance) {
  if (!drifts?.length) return alarms.map(() => "repeated")
  const seen = new Set()
  return alarms.map((t) => {
    const k = drifts.findLastIndex((drift) => drift <= t)
    const limit = Math.min(drifts[k] + 1 + tolerance, drifts[k + 1] ?? n)
    if (k < 0 || t >= limit) return "false"
    return seen.has(k) ? "repeated" : seen.add(k) && "detected"
  })
}

/** Kappa and kappa against no change of A, and of all learners over the whole stream. */
function show_kappa(s, c) {
  const { y_pred } = c.runs[s.a]
  return { curves: {
    chance: kappa(c.y, y_pred, null, s.memory),
    change: kappa_temporal(c.y, y_pred, null, s.memory, c.delay),
  } }
}

/** Error, kappa and kappa against no change of each learner over the whole stream. */
function show_whole(c) {
  return Object.values(c.runs).map(({ name, y_pred, loss }) => ({
    name,
    error: mean(loss),
    kappa: kappa(c.y, y_pred),
    kappa_temporal: kappa_temporal(c.y, y_pred, null, null, c.delay),
    kappa_combined: kappa_combined(c.y, y_pred, null, null, c.delay),
  }))
}

/** How far the order is from the original one. */
function show_order(s, c) {
  return { distance: neighbor_distance(c.order) }
}

/** The losses of A and B, compared. */
function show_pair(s, c) {
  const a = c.runs[s.a].loss, b = c.runs[s.b].loss
  const both = (f) => ({
    window: f(a, b, null, s.pair_window),
    fading: f(a, b, s.pair_alpha, null),
  })
  const curves = { a: sliding_error(a, s.pair_window), b: sliding_error(b, s.pair_window) }
  return { curves, q: both(q_statistic), mcnemar: both(mcnemar) }
}

/** Shares of equal pairs that are called different at some look so far; a look every so often. */
function show_looks(s, statistics) {
  const share = (values, bound) => {
    const told = values.map((curve) => {
      let ever = false
      return curve_of(curve.length, (i) => Number(ever ||= (i + 1) % s.every === 0 && curve[i] >= bound))
    })
    return curve_of(told[0].length, (i) => mean(told.map((curve) => curve[i])))
  }
  return { curves: { mcnemar: share(statistics.mcnemar, FIXED), evidence: share(statistics.evidence, ANY_TIME) } }
}

/** |McNemar| and the evidence of each pair. */
function pair_statistics({ count, n, losses }) {
  const wrong = unpack_bits(losses, 2 * count * n)
  const pairs = Array.from({ length: count }, (_, k) => [0, 1].map((j) => wrong.subarray((2 * k + j) * n, (2 * k + j + 1) * n)))
  return {
    mcnemar: pairs.map(([a, b]) => mcnemar(a, b).map(Math.abs)),
    evidence: pairs.map(([a, b]) => discordant_evidence(a, b)),
  }
}

function mean(values) {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total / values.length
}

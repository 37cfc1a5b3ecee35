// Settings and views: when a setting changes, the views that use it are computed again. Those in
// sight are drawn at once, the others a little later.

"use strict"

const WINDOWS = [1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 10000]
const ALPHAS = [0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.993, 0.995, 0.997, 0.998, 0.999, 0.9993, 0.9995, 0.9997, 0.9999, 1]

/** The values that each slider offers. Those of `strength` are what was recorded. */
const SLIDERS = {
  window: WINDOWS, memory: WINDOWS, pair_window: WINDOWS, alpha: ALPHAS, pair_alpha: ALPHAS,
  delta: [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5],
  threshold: [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500],
  short: [0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.993, 0.995, 0.997],
  long: [0.998, 0.999, 0.9993, 0.9995, 0.9997, 0.9999, 1],
  deviations: [2, 2.5, 3, 3.5, 4, 5, 6, 8],
  ratio: [0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95],
  confidence: [1e-6, 0.00001, 0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  every: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  tolerance: [50, 100, 200, 300, 500, 700, 1000, 1500, 2000, 2500],
}

const settings = {
  stream: "Four concepts", a: "NB", b: "HAT", kind: "late", strength: 0, t: 2600,
  window: 300, alpha: 0.995, memory: 500, pair_window: 500, pair_alpha: 0.999,
  detector: "page_hinkley", delta: 0.05, threshold: 20, short: 0.997, long: 0.999,
  deviations: 3, ratio: 0.9, confidence: 0.002, tolerance: 1000,
  every: 100,
}
const DEFAULTS = { ...settings }
const shown = {}  // what each view shows now

const recording = JSON.parse(document.getElementById("recording").textContent)
const draws = unpack_draws(recording.draws)
const drawing = new Drawing()
const points_of = remembered((name) => {
  const { points, low, high } = recording.streams[name]
  return unpack_points(points, low, high)
})
const bayes_of = remembered((name) => {
  const errors = unpack(recording.streams[name].bayes, Float64Array)
  return curve_of(recording.n, (i) => errors[Math.floor(i / recording.every)])
})
/** All learners on the stream as it was. */
const original_of = remembered((stream) => show_whole(select_runs(recording, draws, { stream, kind: "late", strength: 0 })))
const equal_pairs = remembered(() => pair_statistics(recording.pairs))
let chosen = null  // the runs that the settings select
let before = null  // all learners on the stream as it was drawn

const RUNS = ["stream", "kind", "strength"]
/** The views: the settings besides RUNS that each one uses, what it shows, and how. */
const VIEWS = {
  error: { uses: ["a", "window", "alpha"], show: show_error, draw: draw_error },
  points: { uses: ["a", "t"], show: show_points, draw: draw_points },
  alarms: {
    uses: ["a", "window", "detector", "delta", "threshold", "short", "long", "deviations", "ratio", "confidence", "tolerance"],
    show: show_alarms, draw: draw_alarms,
  },
  kappa: { uses: ["a", "memory"], show: show_kappa, draw: draw_kappa },
  order: { uses: ["a"], show: show_order, draw: draw_order },
  pair: { uses: ["a", "b", "pair_window", "pair_alpha"], show: show_pair, draw: draw_pair },
  looks: { uses: ["every"], show: (s) => show_looks(s, equal_pairs()), draw: draw_looks },
}
const stale = new Set()  // views that have changed since they were drawn
const in_sight = new Set()

/** Change settings, and compute the views that use them. */
function change(changes) {
  Object.assign(settings, changes)
  const names = Object.keys(changes), runs = names.some((name) => RUNS.includes(name))
  if (runs) select()
  if (names.includes("a") || names.includes("b")) name_learners()
  const changed = Object.keys(VIEWS).filter((view) => runs || names.some((name) => VIEWS[view].uses.includes(name)))
  for (const view of changed) {
    shown[view] = VIEWS[view].show(settings, chosen)
    stale.add(view)
  }
  draw_stale()
  write_address()
}

/** Draw the views in sight now, and the others one by one when nothing has moved for a while. */
function draw_stale() {
  for (const view of [...stale].filter((name) => in_sight.has(name))) draw(view)
  clearTimeout(draw_stale.timer)
  draw_stale.timer = setTimeout(draw_next, 300)
}

function draw_next() {
  const [view] = stale
  if (view === undefined) return
  draw(view)
  draw_stale.timer = setTimeout(draw_next, 30)
}

function draw(view) {
  stale.delete(view)
  VIEWS[view].draw(shown[view])
  write(`code-${view}`, view_code(recording, settings, chosen)[view].join("\n"))
}

/** Draw views when they come into sight. */
function watch_sight() {
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const view = target.id.replace("card-", "")
      if (isIntersecting) in_sight.add(view)
      else in_sight.delete(view)
    }
    draw_stale()
  })
  for (const view of Object.keys(VIEWS)) observer.observe(document.getElementById(`card-${view}`))
}

function select() {
  chosen = select_runs(recording, draws, settings)
  shown.whole = show_whole(chosen)
  before = settings.strength ? original_of(settings.stream) : shown.whole
  write("says-stream", say_stream(settings, chosen, recording.streams[settings.stream]))
}

function write(id, text) {
  document.getElementById(id).textContent = text
}

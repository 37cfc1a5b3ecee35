// The cards of the page: each draws what its view shows, and says it in words.

"use strict"

function name_learners() {
  for (const who of ["a", "b"]) {
    for (const place of document.querySelectorAll(`b.${who}`)) place.textContent = settings[who]
    paint_entry(`pair.${who}`, recording.learners[settings[who]])
  }
  for (const line of ["pair.a", "alarms.error"]) drawing.look(line, recording.learners[settings.a])
  drawing.look("pair.b", recording.learners[settings.b])
}

function paint_entry(curve, look) {
  const path = document.querySelector(`[data-curve="${curve}"] path`)
  path.setAttribute("stroke", look.color === "black" ? "currentColor" : look.color)
  path.setAttribute("stroke-dasharray", DASHES[look.line].join(" "))
}

function draw_error(view) {
  const { n } = recording, bayes = reordered(bayes_of(settings.stream))
  const curves = { bayes, ...view.curves }
  for (const [key, curve] of Object.entries(curves)) drawing.curve(`error.${key}`, curve, 100)
  drawing.drifts("error", chosen.drifts)
  drawing.range("error", [0, n], range_above(Object.values(curves), 0.02).map((v) => 100 * v))
  write("says-error", say_error(settings, chosen, view))
}

function reordered(curve) {
  return settings.kind === "late" ? curve : curve_of(curve.length, (i) => curve[chosen.order[i]])
}

function draw_points(view) {
  const { t, stream } = settings, { x, y } = points_of(stream), { order } = chosen
  const { low, high, boundary } = recording.streams[stream]
  const groups = { 0: { x: [], y: [] }, 1: { x: [], y: [] }, wrong: { x: [], y: [] } }
  for (let i = view.first; i <= view.last; i++) {
    const wrong = view.loss[i] ? [groups.wrong] : []
    for (const group of [groups[chosen.y[i]], ...wrong]) {
      group.x.push(x[order[i]])
      group.y.push(y[order[i]])
    }
  }
  for (const [key, group] of Object.entries(groups)) drawing.put(`points.${key}`, group)
  drawing.put("points.boundary", unpack_points(boundary[Math.floor(order[t] / recording.every)], low, high))
  drawing.range("points", [low[0], high[0]], [low[1], high[1]])
  drawing.now.location = t + 1
  write("says-points", say_points(settings, chosen, bayes_of(stream)[order[t]]))
  write("says-error", say_error(settings, chosen, shown.error))
}

function draw_alarms(view) {
  const { n } = recording
  drawing.curve("alarms.error", view.curves.error, 100)
  drawing.drifts("alarms", chosen.drifts)
  const range = range_above([view.curves.error], 0.02).map((v) => 100 * v)
  drawing.range("alarms", [0, n], range)
  const kinds = kinds_of_alarms(view.alarms, chosen.drifts, n, settings.tolerance)
  for (const kind of ["detected", "repeated", "false"]) {
    const x = view.alarms.filter((_, i) => kinds[i] === kind).map((i) => i + 1)
    drawing.put(`alarms.${kind}`, { x, y: x.map(() => 0.94 * range[1]) })
  }
  document.getElementById("plot-statistic").hidden = !view.statistics
  if (view.statistics) {
    drawing.curve("statistic.statistic", view.statistics)
    drawing.level("statistic.threshold", n, settings.threshold)
    drawing.drifts("statistic", chosen.drifts)
    drawing.range("statistic", [0, n], [0, 1.3 * settings.threshold])
  }
  for (const label of document.querySelectorAll("[data-for]")) {
    label.hidden = !label.dataset.for.split(" ").includes(settings.detector)
  }
  write("says-alarms", say_alarms(settings, chosen, view))
  document.getElementById("table-alarms").innerHTML = table_alarms(chosen, view)
}

function draw_kappa(view) {
  const { n } = recording
  for (const [key, curve] of Object.entries(view.curves)) drawing.curve(`kappa.${key}`, curve)
  drawing.level("kappa.zero", n, 0)
  drawing.drifts("kappa", chosen.drifts)
  drawing.range("kappa", [0, n], range_around(Object.values(view.curves), [-0.1, 1], [-3, 1]))
  const row = shown.whole.find(({ name }) => name === settings.a)
  write("says-kappa", say_kappa(settings, chosen, row))
  document.getElementById("table-kappa").innerHTML = table_kappa(shown.whole, settings.a)
}

function draw_order(view) {
  const { n } = recording, step = Math.ceil(n / 2000)
  const x = Array.from({ length: Math.floor(n / step) }, (_, i) => i * step)
  drawing.put("order.points", { x, y: x.map((i) => chosen.order[i]) })
  drawing.range("order", [0, n], [0, n])
  write("says-order", say_order(settings, view, shown.whole, before))
  document.getElementById("table-order").innerHTML = table_order(shown.whole, before, settings.a)
}

function draw_pair(view) {
  const { n } = recording
  for (const who of ["a", "b"]) drawing.curve(`pair.${who}`, view.curves[who], 100)
  for (const [key, curve] of Object.entries(view.q)) drawing.curve(`q.${key}`, curve)
  for (const [key, curve] of Object.entries(view.mcnemar)) drawing.curve(`mcnemar.${key}`, curve)
  drawing.level("q.zero", n, 0)
  drawing.level("mcnemar.upper", n, LEVEL)
  drawing.level("mcnemar.lower", n, -LEVEL)
  for (const name of ["pair", "q", "mcnemar"]) drawing.drifts(name, chosen.drifts)
  drawing.range("pair", [0, n], range_above(Object.values(view.curves), 0.02).map((v) => 100 * v))
  drawing.range("q", [0, n], range_around(Object.values(view.q), [-0.5, 0.5]))
  drawing.range("mcnemar", [0, n], range_around(Object.values(view.mcnemar), [-10, 10]))
  write("says-pair", say_pair(settings, view))
}

function draw_looks(view) {
  const { n } = recording.pairs
  for (const [key, curve] of Object.entries(view.curves)) drawing.curve(`looks.${key}`, curve, 100)
  drawing.level("looks.level", n, 5)
  const most = Math.max(10, ...Object.values(view.curves).map((curve) => 100 * curve.at(-1)))
  drawing.range("looks", [0, n], [0, 1.1 * most])
  write("says-looks", say_looks(settings, view))
}

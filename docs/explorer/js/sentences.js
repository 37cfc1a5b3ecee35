// What a view says in words and tables: numbers as people read them.

"use strict"

const percent = (share) => (Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : "not defined")
const decimals = (value, digits = 2) => (Number.isNaN(value) ? "not defined"
  : Number.isFinite(value) ? signed(value.toFixed(digits)) : value > 0 ? "∞" : "−∞")
const signed = (text) => (Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−"))
const whole = (value) => Math.round(value).toLocaleString("en").replaceAll(",", "\u202f")

function say_stream(s, c, stream) {
  const changes = {
    late: `Each label is learned ${whole(s.strength)} examples late.`,
    time: "Blocks of examples stand in reverse order: sudden drift.",
    speed: "A part of the examples has moved to the end: recurring concepts.",
    shape: "Neighbours have been swapped: gradual drift.",
  }
  return s.strength ? `${stream.about} ${changes[s.kind]}` : stream.about
}

function say_points(s, c, bayes) {
  const latest = c.runs[s.a].loss.slice(Math.max(0, s.t - 199), s.t + 1)
  return `Example ${whole(s.t + 1)}: ${s.a} errs on ${percent(mean(latest))} of the latest `
    + `${latest.length}; the Bayes error is ${percent(bayes)} now.`
}

function say_error(s, c, view) {
  const { prequential, window, fading } = view.curves
  return `At example ${whole(s.t + 1)} ${s.a} errs on ${percent(prequential[s.t])} of all examples, `
    + `${percent(window[s.t])} of the latest ${whole(Math.min(s.window, s.t + 1))}, `
    + `and ${percent(fading[s.t])} by the fading factor.`
}

function say_alarms(s, c, view) {
  const { report, alarms } = view
  const several = `${alarms.length} ${alarms.length === 1 ? "alarm" : "alarms"}`
  if (c.drifts === null) return `${several}. This order has more than a hundred drifts: none is judged.`
  if (!report) return `${several}. No sudden drift is known here, so no alarm is called late or false.`
  const delay = report.detected ? `, ${whole(report.mtd)} examples late on average` : ""
  return `${report.detected} of ${c.drifts.length} drifts detected${delay}; `
    + `${report.false_alarms} false alarms and ${report.repeated} repeated ones.`
}

function say_kappa(s, c, row) {
  const against = row.kappa_temporal < 0 ? "worse than" : "better than"
  const latest = c.delay ? "the latest known label" : "the last label"
  const ending = Number.isNaN(row.kappa_temporal) ? "" : `: ${against} repeating ${latest}`
  return `Over the whole stream ${s.a} has κ ${decimals(row.kappa)} and κ_per `
    + `${decimals(row.kappa_temporal)}${ending}.`
}

function say_order(s, view, rows, before) {
  const best = (list) => list.reduce((a, b) => (b.error < a.error ? b : a)).name
  const now = best(rows), first = best(before)
  const winner = now === first ? `${now} is best in both orders.` : `${now} is best now, and ${first} was before.`
  return `Neighbours were ${decimals(view.distance, 1)} examples apart on average. ${winner}`
}

function say_pair(s, view) {
  const q = view.q.fading.at(-1), m = view.mcnemar.window
  if (s.a === s.b) return "Choose two different learners."
  const sure = mean(Float64Array.from(m, (value) => Number(Math.abs(value) > LEVEL)))
  const times = decimals(Math.exp(q))
  return `At the end ${s.a} has ${times} times the faded losses of ${s.b}. McNemar's statistic in the window `
    + `is beyond its level at ${percent(sure)} of the examples.`
}

function say_looks(s, view) {
  const { mcnemar, evidence } = view.curves, last = mcnemar.length - 1
  const often = s.every > last ? "once, at the end" : s.every === 1 ? "after every example" : `every ${s.every} examples`
  return `Looked at ${often}, McNemar's test at 5 % calls ${percent(mcnemar[last])} of the equal pairs different, `
    + `and the evidence that holds at any time ${percent(evidence[last])}.`
}

/** Rows of a table as HTML; the row of the learner A is marked. */
function table_html(heads, rows, chosen) {
  const cells = (tag, values) => values.map((value) => `<${tag}>${value}</${tag}>`).join("")
  const line = (row) => `<tr${row[0] === chosen ? ' class="chosen"' : ""}>${cells("td", row)}</tr>`
  return `<thead><tr>${cells("th", heads)}</tr></thead><tbody>${rows.map(line).join("")}</tbody>`
}

function table_alarms(c, view) {
  if (!view.report) return ""
  const rows = c.drifts.slice(0, 8).map((drift, k) => {
    const delay = view.report.delays[k]
    return [whole(drift), Number.isNaN(delay) ? "missed" : whole(delay)]
  })
  return table_html(["Drift at example", "Delay"], rows)
}

function table_kappa(rows, chosen) {
  const cells = rows.map((row) => [row.name, percent(row.error), decimals(row.kappa),
    decimals(row.kappa_temporal), decimals(row.kappa_combined)])
  return table_html(["Learner", "Error", "κ", "κ_per", "κ⁺"], cells, chosen)
}

function table_order(rows, before, chosen) {
  const old = Object.fromEntries(before.map((row) => [row.name, row.error]))
  const sorted = [...rows].sort((a, b) => a.error - b.error)
  const cells = sorted.map((row) => [row.name, percent(old[row.name]), percent(row.error),
    decimals(100 * (row.error - old[row.name]), 1)])
  return table_html(["Learner", "Error before", "Error now", "Change [points]"], cells, chosen)
}

// Delay, misses and false alarms of one run: repro.metrics.detection_report.

"use strict"

/**
 * The first alarm from the start of a drift on, until `tolerance` examples after its end and before
 * the next drift, detects it; later ones in this time are repeated, and all others are false. A
 * drift is a position, or [start, end]; without a tolerance (null) only the next drift is a limit.
 */
function detection_report(alarms, drifts, n, tolerance = null) {
  const edges = drifts.map((d) => (typeof d === "number" ? [d, d + 1] : d))
  const spans = edges.map(([start, end], k) => {
    const next = k + 1 < edges.length ? edges[k + 1][0] : n
    return [start, tolerance === null ? next : Math.min(end + tolerance, next)]
  })
  const inside = spans.map(([start, limit]) => alarms.filter((t) => start <= t && t < limit))
  const delays = spans.map(([start], k) => (inside[k].length ? inside[k][0] - start : NaN))
  const found = delays.filter((d) => !Number.isNaN(d))
  const sum = (values) => values.reduce((a, b) => a + b, 0)
  const length = sum(spans.map(([start, limit]) => limit - start))
  const kept = sum(inside.map((times) => times.length))
  const waited = sum(spans.map(([start, limit], k) => (inside[k].length ? delays[k] + 1 : limit - start)))
  const fresh = spans.length ? spans[0][0] : n
  const early = alarms.length > 0 && alarms[0] < fresh
  const report = {
    detected: found.length,
    missed: spans.length - found.length,
    false_alarms: alarms.length - kept,
    repeated: kept - found.length,
    delays,
    mtd: sum(found) / found.length,
    mdr: (spans.length - found.length) / spans.length,
    mtfa: (n - length) / (alarms.length - kept),
    arl0: (early ? alarms[0] + 1 : fresh) / Number(early),
    arl1: waited / found.length,
  }
  return { ...report, mtr: (report.mtfa / report.mtd) * (1 - report.mdr) }
}

// Two learners along a stream: repro.metrics.q_statistic, repro.metrics.mcnemar and the evidence of
// repro.statistics.compare_anytime on examples on which exactly one of them errs.

"use strict"

/** Log ratio of the losses of A and B: negative where A is better; NaN while neither has any. */
function q_statistic(loss_a, loss_b, alpha = null, window = null) {
  const [a, b] = pair_sums(loss_a, loss_b, alpha, window)
  return curve_of(a.length, (i) => (a[i] >= b[i] ? Math.log(a[i] / b[i]) : -Math.log(b[i] / a[i])))
}

/** Signed McNemar statistic: positive where B is better; NaN until the two first differ. */
function mcnemar(loss_a, loss_b, alpha = null, window = null) {
  const only_a = curve_of(loss_a.length, (i) => loss_a[i] * (1 - loss_b[i]))
  const only_b = curve_of(loss_a.length, (i) => loss_b[i] * (1 - loss_a[i]))
  const [n01, n10] = pair_sums(only_a, only_b, alpha, window)
  return curve_of(n01.length, (i) => {
    const more = n01[i] - n10[i], both = n01[i] + n10[i]
    return both > 0 ? (more * Math.abs(more)) / both : NaN
  })
}

/**
 * The wealth of a bet on who errs alone, each in proportion to how often it did before: under
 * equal learners it ever reaches 1 / level with the probability `level` at most.
 */
function discordant_evidence(loss_a, loss_b) {
  const alone = [0, 0]
  let wealth = 1
  return curve_of(loss_a.length, (i) => {
    if (loss_a[i] === loss_b[i]) return wealth
    const who = Number(loss_b[i] > loss_a[i])
    wealth *= (2 * (alone[who] + 0.5)) / (alone[0] + alone[1] + 1)
    alone[who] += 1
    return wealth
  })
}

/** Sums of both series at every step: faded with `alpha`, or of the last `window` values. */
function pair_sums(a, b, alpha, window) {
  if (window !== null) return [window_sums(a, window), window_sums(b, window)]
  const sums = [new Float64Array(a.length), new Float64Array(a.length)]
  let total_a = 0, total_b = 0
  for (let i = 0; i < a.length; i++) {
    if ((alpha ?? 1) < 1) [total_a, total_b] = fade_pair(total_a, total_b, alpha)
    sums[0][i] = total_a += a[i]
    sums[1][i] = total_b += b[i]
  }
  return sums
}

// Accuracy beyond that of a baseline, (p - p_b) / (1 - p_b): repro.metrics.kappa.
//
// With neither `alpha` nor `window` a measure is one number, of the whole stream; otherwise it is
// the value at every step. It is NaN where the baseline is always right.

"use strict"

const ROUNDING = 2 ** -53  // an accuracy above 1 - ROUNDING is 1 in double precision

/** Cohen's kappa: accuracy beyond that of the same predictions in random order. */
function kappa(y, y_pred, alpha = null, window = null) {
  if (alpha !== null || window !== null) return kappa_curve(y, y_pred, alpha ?? 1, window ?? y.length)
  const labels = [], predictions = [], n = y.length
  let missed = 0, by_chance = n ** 2
  for (let i = 0; i < n; i++) {
    labels[y[i]] = (labels[y[i]] ?? 0) + 1
    predictions[y_pred[i]] = (predictions[y_pred[i]] ?? 0) + 1
    missed += y[i] !== y_pred[i]
  }
  labels.forEach((count, c) => { by_chance -= count * (predictions[c] ?? 0) })
  return by_chance ? 1 - (n * missed) / by_chance : NaN
}

/** Accuracy beyond that of predicting the latest label known, y[i - 1 - delay]. */
function kappa_temporal(y, y_pred, alpha = null, window = null, delay = 0) {
  const lag = 1 + delay
  if (alpha !== null || window !== null) return temporal_curve(y, y_pred, lag, alpha ?? 1, window ?? y.length)
  let missed = 0, wrong = 0
  for (let i = lag; i < y.length; i++) {
    missed += y[i] !== y_pred[i]
    wrong += y[i] !== y[i - lag]
  }
  return wrong ? 1 - missed / wrong : NaN
}

/** Geometric mean of the two, each taken as 0 where it is negative. */
function kappa_combined(y, y_pred, alpha = null, window = null, delay = 0) {
  const chance = kappa(y, y_pred, alpha, window)
  const change = kappa_temporal(y, y_pred, alpha, window, delay)
  const mean = (a, b) => Math.sqrt(Math.max(0, a) * Math.max(0, b))
  return typeof chance === "number" ? mean(chance, change)
    : curve_of(y.length, (i) => mean(chance[i], change[i]))
}

function kappa_curve(y, y_pred, alpha, window) {
  let most = 0
  for (let i = 0; i < y.length; i++) most = Math.max(most, y[i], y_pred[i])
  const labels = new Float64Array(most + 1), predictions = new Float64Array(most + 1)
  let missed = 0
  return curve_of(y.length, (i) => {
    if (alpha < 1) {
      missed = fade(missed, alpha)
      for (let c = 0; c <= most; c++) {
        labels[c] = fade(labels[c], alpha)
        predictions[c] = fade(predictions[c], alpha)
      }
    }
    const j = i - window
    labels[y[i]] += 1
    predictions[y_pred[i]] += 1
    missed += y[i] !== y_pred[i]
    if (j >= 0) {
      labels[y[j]] -= 1
      predictions[y_pred[j]] -= 1
      missed -= y[j] !== y_pred[j]
    }
    let differ = 0, weight = 0, predicted = 0  // weight of the pairs that differ, of all, ...
    for (let c = 0; c <= most; c++) {
      differ += labels[c] * predicted + predictions[c] * weight
      weight += labels[c]
      predicted += predictions[c]
    }
    return differ > ROUNDING * weight * weight ? 1 - (weight * missed) / differ : NaN
  })
}

/** The baseline predicts the label `lag` steps before; the steps before `lag` are left out. */
function temporal_curve(y, y_pred, lag, alpha, window) {
  let missed = 0, wrong = 0, weight = 0
  return curve_of(y.length, (i) => {
    if (i < lag) return NaN
    missed = (y[i] !== y_pred[i]) + fade(missed, alpha)
    wrong = (y[i] !== y[i - lag]) + fade(wrong, alpha)
    weight = 1 + alpha * weight
    const j = i - window
    if (j >= lag) {
      missed -= y[j] !== y_pred[j]
      wrong -= y[j] !== y[j - lag]
      weight -= 1
    }
    return wrong > ROUNDING * weight ? 1 - missed / wrong : NaN
  })
}

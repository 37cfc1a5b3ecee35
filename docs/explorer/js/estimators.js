// Estimators of the error from the losses, at every step: repro.metrics.estimators.

"use strict"

/** Mean of all losses so far. */
function prequential_error(loss) {
  let total = 0
  return curve_of(loss.length, (i) => (total += loss[i]) / (i + 1))
}

/** Mean of the last `window` losses, or of all losses while there are fewer. */
function sliding_error(loss, window = 500) {
  const sums = window_sums(loss, window)
  return curve_of(loss.length, (i) => sums[i] / Math.min(window, i + 1))
}

/** Mean of the losses so far; a loss k steps old has the weight alpha**k. */
function fading_error(loss, alpha = 0.999) {
  let total = 0, weight = 0
  return curve_of(loss.length, (i) => {
    total = loss[i] + fade(total, alpha)
    weight = 1 + alpha * weight
    return total / weight
  })
}

/**
 * Sums of the last `window` values, by additions only: the end of one block, summed backwards, and
 * the beginning of the next. Adding the new value and subtracting the oldest would lose a small
 * value after a large one.
 */
function window_sums(values, window) {
  const n = values.length, sums = new Float64Array(n)
  let tail = new Float64Array(Math.min(window, n) + 1)
  for (let start = 0; start < n; start += window) {
    const stop = Math.min(start + window, n)
    let head = 0
    for (let i = start; i < stop; i++) sums[i] = (head += values[i]) + tail[i - start + 1]
    if (stop === n) break
    tail = new Float64Array(window + 1)
    for (let j = window - 1; j >= 0; j--) tail[j] = tail[j + 1] + values[start + j]
  }
  return sums
}

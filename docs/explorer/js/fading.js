// The fading recursions S_i = x_i + alpha S_(i-1) and B_i = 1 + alpha B_(i-1): repro.kernels.fading.

"use strict"

const NEGLIGIBLE = 1e-280  // a sum below fades to 0
const HELD = 1e-200  // a pair of sums that are both smaller keeps its values, and so its ratio

/** `alpha` times `total`, or 0 if `total` is below NEGLIGIBLE in absolute value. */
function fade(total, alpha) {
  return Math.abs(total) < NEGLIGIBLE ? 0 : alpha * total
}

/** Two sums whose ratio matters, faded: both stay as they are where both are below HELD. */
function fade_pair(a, b, alpha) {
  return Math.max(a, b) > HELD ? [fade(a, alpha), fade(b, alpha)] : [a, b]
}

/** An array of n numbers, each the value of `f` at its index. */
function curve_of(n, f) {
  const curve = new Float64Array(n)
  for (let i = 0; i < n; i++) curve[i] = f(i)
  return curve
}

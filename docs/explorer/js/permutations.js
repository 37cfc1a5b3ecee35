// Orders that change one thing about a stream: repro.permutations.
//
// The random numbers are the library's, recorded: with the same draws a strength gives the same
// order here and there. order[i] is the original position of the example that is now at i.

"use strict"

/** Sudden drift: split after each position whose draw (n - 1 of them) is below p; last block first. */
function time_permutation(draws, p) {
  const n = draws.length + 1, order = new Int32Array(n)
  let filled = 0, end = n
  for (let last = n - 2; last >= -1; last--) {
    if (last >= 0 && !(draws[last] < p)) continue
    for (let i = last + 1; i < end; i++) order[filled++] = i
    end = last + 1
  }
  return order
}

/** Recurring concepts: the positions whose draw (n of them) is below p go to the end. */
function speed_permutation(draws, p) {
  const n = draws.length, order = new Int32Array(n)
  let filled = 0
  for (let i = 0; i < n; i++) if (!(draws[i] < p)) order[filled++] = i
  for (let i = 0; i < n; i++) if (draws[i] < p) order[filled++] = i
  return order
}

/** Gradual drift: swap neighbours at the first k of the drawn places, one pair after the other. */
function shape_permutation(places, k, n) {
  const order = new Int32Array(n)
  for (let i = 0; i < n; i++) order[i] = i
  for (const i of places.slice(0, k)) [order[i], order[i + 1]] = [order[i + 1], order[i]]
  return order
}

/** Mean of the original distances of the examples that are neighbours now; NaN for one example. */
function neighbor_distance(order) {
  return total_neighbor_distance(order) / (order.length - 1)
}

/** Sum of the original distances, |order[i + 1] - order[i]|, of those neighbours. */
function total_neighbor_distance(order) {
  let total = 0
  for (let i = 0; i + 1 < order.length; i++) total += Math.abs(order[i + 1] - order[i])
  return total
}

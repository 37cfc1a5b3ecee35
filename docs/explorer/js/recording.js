// What was recorded, read back: labels from bits, numbers from base64.

"use strict"

/** The bytes of a base64 text as numbers of the given kind, such as Float64Array. */
function unpack(text, Kind) {
  const letters = atob(text), bytes = new Uint8Array(letters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i)
  return new Kind(bytes.buffer)
}

/** n labels 0 and 1, eight in a byte, the first in its highest bit. */
function unpack_bits(text, n) {
  const bytes = unpack(text, Uint8Array), labels = new Uint8Array(n)
  for (let i = 0; i < n; i++) labels[i] = (bytes[i >> 3] >> (7 - (i & 7))) & 1
  return labels
}

/** Points {x, y} of a frame from `low` to `high`; gaps become NaN. */
function unpack_points(text, low, high) {
  const codes = unpack(text, Uint16Array), GAP = 65535
  const place = (j) => Float64Array.from({ length: codes.length / 2 }, (_, i) => {
    const code = codes[2 * i + j]
    return code === GAP ? NaN : low[j] + (code / (GAP - 1)) * (high[j] - low[j])
  })
  return { x: place(0), y: place(1) }
}

/** A function that remembers what it returned for each text. */
function remembered(f) {
  const known = new Map()
  return (key, ...others) => {
    if (!known.has(key)) known.set(key, f(key, ...others))
    return known.get(key)
  }
}

/** The random numbers of the permutations, by kind. */
function unpack_draws(draws) {
  return {
    time: unpack(draws.time, Float64Array),
    speed: unpack(draws.speed, Float64Array),
    shape: unpack(draws.shape, Uint16Array),
  }
}

/** The order of a kind of permutation with a strength; "late" leaves the examples in place. */
function order_of(kind, strength, draws, n) {
  if (kind === "time" && strength) return time_permutation(draws.time, strength)
  if (kind === "speed" && strength) return speed_permutation(draws.speed, strength)
  return shape_permutation(draws.shape, kind === "shape" ? strength : 0, n)
}

/** The losses of predictions: 1 where they are wrong. */
function losses(y, y_pred) {
  const loss = new Uint8Array(y.length)
  for (let i = 0; i < y.length; i++) loss[i] = Number(y[i] !== y_pred[i])
  return loss
}

/** Everything that the settings select: order, labels, drifts, and the runs of all learners. */
function select_runs(recording, draws, settings) {
  const { n } = recording, { kind, strength } = settings
  const stream = recording.streams[settings.stream]
  const key = strength ? `${kind} ${strength}` : "late 0"
  const order = order_of(kind, strength, draws, n), before = unpack_bits(stream.y, n)
  const y = new Uint8Array(n)
  for (let i = 0; i < n; i++) y[i] = before[order[i]]
  const runs = Object.entries(stream.runs[key]).map(([name, text]) => {
    const y_pred = unpack_bits(text, n)
    return [name, { name, y_pred, loss: losses(y, y_pred) }]
  })
  const delay = kind === "late" ? strength : 0
  return { n, order, y, delay, drifts: stream.drifts[key], runs: Object.fromEntries(runs) }
}

// ADWIN: a window that grows while its mean is stable: repro.detectors.adwin.
//
// Row r of the window holds up to 5 buckets of 2**r values each, oldest first. A bucket is a pair
// [total, squares]: the sum of its values, and of their squared deviations from its mean.

"use strict"

/** Alarms of ADWIN with the library's other settings: a check every 32 values. */
function adwin(x, delta = 0.002) {
  const window = { rows: [[]], total: 0, squares: 0, width: 0 }, alarms = []
  for (let i = 0; i < x.length; i++) {
    adwin_insert(window, x[i])
    if ((i + 1) % 32 === 0 && adwin_check(window, delta)) alarms.push(i)
  }
  return alarms
}

/** A bucket of one value goes into row 0; a full row passes its two oldest up, merged into one. */
function adwin_insert(window, value) {
  const n = window.width
  if (n) window.squares += (n / (n + 1)) * (value - window.total / n) ** 2
  window.total += value
  window.width = n + 1
  let bucket = [value, 0], size = 1
  for (let row = 0; ; row++, size *= 2) {
    if (row === window.rows.length) window.rows.push([])
    const buckets = window.rows[row]
    buckets.push(bucket)
    if (buckets.length <= 5) return
    const [first, second] = buckets.splice(0, 2)
    const between = (size / 2) * ((first[0] - second[0]) / size) ** 2
    bucket = [first[0] + second[0], first[1] + second[1] + between]
  }
}

/** Drop the oldest bucket while some split shows a change; whether there was one. */
function adwin_check(window, delta) {
  let alarm = false
  while (window.width > 10 && adwin_changed(window, delta)) {
    while (window.rows.at(-1).length === 0) window.rows.pop()
    window.rows.at(-1).shift()
    adwin_sum_up(window)
    alarm = true
  }
  return alarm
}

/** Whether some split has sides whose means differ by more than the bound. */
function adwin_changed(window, delta) {
  const { rows, total, width: n } = window
  const spread = Math.max(window.squares / n, 0), logs = Math.log((2 * Math.log(n)) / delta)
  let n0 = 0, u0 = 0
  for (let row = rows.length - 1; row >= 0; row--) {
    for (const [bucket] of rows[row]) {
      n0 += 2 ** row
      u0 += bucket
      const n1 = n - n0
      if (Math.min(n0, n1) <= 6) continue
      const parts = 1 / (n0 - 4) + 1 / (n1 - 4)
      const bound = Math.sqrt(2 * parts * spread * logs) + (2 / 3) * parts * logs
      if (Math.abs(u0 / n0 - (total - u0) / n1) > bound) return true
    }
  }
  return false
}

/** Sum the window from its buckets; subtracting the one dropped would add up rounding errors. */
function adwin_sum_up(window) {
  let n = 0, total = 0, squares = 0, size = 1
  for (const row of window.rows) {
    for (const [u, within] of row) {
      if (n) squares += ((n * size) / (n + size)) * (total / n - u / size) ** 2
      squares += within
      total += u
      n += size
    }
    size *= 2
  }
  Object.assign(window, { total, squares, width: n })
}

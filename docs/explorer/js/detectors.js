// Drift detectors on losses; each gives the indices of its alarms: repro.detectors.

"use strict"

/** The Page-Hinkley test for an increase of the mean; it restarts after each alarm. */
function page_hinkley(x, delta = 0.005, threshold = 50) {
  return page_hinkley_test(x, delta, threshold).alarms
}

/** The test's statistic after each value: PageHinkley(delta, threshold).statistics(x). */
function page_hinkley_statistics(x, delta = 0.005, threshold = 50) {
  return page_hinkley_test(x, delta, threshold).statistics
}

function page_hinkley_test(x, delta, threshold) {
  const alarms = []
  let count = 0, total = 0, sum = 0, least = 0
  const statistics = curve_of(x.length, (i) => {
    if (sum - least > threshold) count = total = sum = least = 0
    count += 1
    total += x[i]
    sum += x[i] - total / count - delta
    least = Math.min(least, sum)
    if (sum - least > threshold) alarms.push(i)
    return sum - least
  })
  return { alarms, statistics }
}

/** Ratio of a short-term to a long-term fading error; 1 while the long-term one is 0. */
function error_ratio(loss, short = 0.997, long = 0.999) {
  const now = fading_error(loss, short), before = fading_error(loss, long)
  return curve_of(loss.length, (i) => (before[i] > 0 ? now[i] / before[i] : 1))
}

/** Drift detection method: alarm when the error rate is far above its minimum. */
function ddm(x, minimum = 30, drift = 3) {
  const alarms = []
  let n = 0, total = 0, lowest_p = Infinity, lowest_s = Infinity
  for (let i = 0; i < x.length; i++) {
    n += 1
    total += x[i]
    if (n + 1 < minimum) continue
    const p = total / n, s = Math.sqrt(Math.max(p * (1 - p), 0) / n)
    if (p + s <= lowest_p + lowest_s) [lowest_p, lowest_s] = [p, s]
    if (p + s > lowest_p + drift * lowest_s) {
      n = total = 0
      lowest_p = lowest_s = Infinity
      alarms.push(i)
    }
  }
  return alarms
}

/** Early drift detection method: alarm when errors come closer together than before. */
function eddm(x, drift = 0.9, minimum = 30) {
  const alarms = []
  let values = 0, last = 0, errors = 0, mean = 0, squares = 0, largest = 0
  for (let i = 0; i < x.length; i++) {
    values += 1
    if (x[i] === 0) continue
    errors += 1
    const distance = values - last, before = distance - mean
    last = values
    mean += before / errors
    squares += before * (distance - mean)
    if (values < minimum) continue
    const reach = mean + 2 * Math.sqrt(squares / errors)
    largest = Math.max(largest, reach)
    if (errors > minimum && reach < drift * largest) {
      values = last = errors = mean = squares = largest = 0
      alarms.push(i)
    }
  }
  return alarms
}

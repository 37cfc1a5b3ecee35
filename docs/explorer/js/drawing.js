// Curves into Bokeh's sources, and figures in the colours of the page.

"use strict"

const BINS = 350  // a curve is drawn by its least and largest value in each of so many parts

/** The least and the largest value of each part of a curve, in their order; gaps stay gaps. */
function thin(curve) {
  const size = Math.max(1, Math.ceil(curve.length / BINS)), x = [], y = []
  for (let start = 0; start < curve.length; start += size) {
    let low = -1, high = -1
    for (let i = start; i < Math.min(start + size, curve.length); i++) {
      if (!Number.isFinite(curve[i])) continue
      if (low < 0 || curve[i] < curve[low]) low = i
      if (high < 0 || curve[i] > curve[high]) high = i
    }
    const kept = low < 0 ? [start] : low === high ? [low] : [Math.min(low, high), Math.max(low, high)]
    for (const i of kept) {
      x.push(i + 1)
      y.push(Number.isFinite(curve[i]) ? curve[i] : NaN)
    }
  }
  return { x, y }
}

const DASHES = { "-": [], "--": [7, 4], "-.": [7, 3, 2, 3], ":": [2, 3] }

/** The figures of the page by name, each with its sources and lines. */
class Drawing {
  constructor() {
    this.figures = {}
    this.sources = {}
    this.lines = {}
  }

  /** Put all figures into their places. */
  async embed(items) {
    for (const [name, item] of Object.entries(items)) {
      const views = await Bokeh.embed.embed_item(item, `plot-${name}`)
      const figure = views.roots[0].model
      this.figures[name] = figure
      for (const renderer of figure.renderers) {
        this.sources[renderer.data_source.name] = renderer.data_source
        if (renderer.name) this.lines[renderer.name] = renderer.glyph
      }
    }
  }

  /** Fill a source. */
  put(name, columns) {
    this.sources[name].data = columns
  }

  /** Draw a curve, multiplied by `scale`. */
  curve(name, curve, scale = 1) {
    const { x, y } = thin(curve)
    this.put(name, { x, y: y.map((value) => value * scale) })
  }

  /** Draw a level from one end of a stream of n examples to the other. */
  level(name, n, value) {
    this.put(name, { x: [0, n], y: [value, value] })
  }

  drifts(name, drifts) {
    this.put(`${name}.drifts`, { x: drifts ?? [], y: drifts ?? [] })
  }

  range(name, [left, right], [bottom, top]) {
    const { x_range, y_range } = this.figures[name]
    x_range.setv({ start: left, end: right })
    y_range.setv({ start: bottom, end: top })
  }

  /** Let a line look like a learner. */
  look(name, look) {
    const color = look.color === "black" ? this.ink : look.color
    this.lines[name].setv({ line_color: { value: color }, line_dash: { value: DASHES[look.line] } })
  }

  /** Take the colours of the page; what is called black is the colour of its text. */
  paint() {
    const style = getComputedStyle(document.documentElement)
    const [card, ink, soft, line] = ["card", "ink", "soft", "line"].map((v) => style.getPropertyValue(`--${v}`).trim())
    this.ink = ink
    const size = `${Math.round(0.8 * parseFloat(style.fontSize))}px`
    for (const figure of Object.values(this.figures)) {
      figure.setv({ background_fill_color: card, border_fill_color: card })
      for (const axis of [...figure.below, ...figure.left]) {
        axis.setv({
          axis_label_text_color: ink, major_label_text_color: soft, axis_line_color: soft,
          major_tick_line_color: soft, axis_label_text_font_size: size, major_label_text_font_size: size,
        })
      }
      for (const grid of figure.center) if ("grid_line_color" in grid.attributes) grid.grid_line_color = line
      for (const { glyph } of figure.renderers) {
        this.inked ??= new Set()
        if (glyph.line_color?.value === "black") this.inked.add(glyph)
        if (this.inked.has(glyph)) glyph.line_color = { value: ink }
      }
    }
  }
}

/** The next of 1, 1.2, 1.5, 2, 2.5, ... times a power of ten, so that an axis stays while curves move. */
function round_up(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step >= value / power - 1e-9)
}

/** A range from 0 to a little above the largest value that a curve has after its first steps. */
function range_above(curves, least) {
  let most = least
  for (const curve of curves) {
    for (let i = Math.min(50, curve.length - 1); i < curve.length; i++) if (curve[i] > most) most = curve[i]
  }
  return [0, round_up(1.05 * most)]
}

/** A range that holds all finite values after the first steps, and the levels; within `limits`. */
function range_around(curves, levels, limits = [-Infinity, Infinity]) {
  let low = Math.min(...levels), high = Math.max(...levels)
  for (const curve of curves) {
    for (let i = Math.min(50, curve.length - 1); i < curve.length; i++) {
      if (!Number.isFinite(curve[i])) continue
      if (curve[i] < low) low = curve[i]
      if (curve[i] > high) high = curve[i]
    }
  }
  const outwards = (value) => Math.sign(value) * (value === 0 ? 0 : round_up(1.03 * Math.abs(value)))
  return [outwards(Math.max(low, limits[0])), outwards(Math.min(high, limits[1]))]
}

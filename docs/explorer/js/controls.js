// Selects, sliders, and the button that plays the stream.

"use strict"

const control = (id) => document.getElementById(id)

/** A slider over `values` for a setting; its text is the value, not the place of the handle. */
function set_slider(name, values) {
  const slider = control(name), output = slider.parentElement.querySelector("output")
  slider.values = values
  Object.assign(slider, { min: 0, max: values.length - 1, step: 1 })
  slider.value = Math.max(0, values.indexOf(settings[name]))
  slider.tell = () => {
    const text = String(slider.values[slider.value])
    output.textContent = text
    slider.setAttribute("aria-valuetext", text)
  }
  slider.tell()
  slider.oninput = () => {
    slider.tell()
    change({ [name]: slider.values[slider.value] })
  }
}

/** A select for a setting, with the options of `names` unless it has its own. */
function set_select(name, names = null) {
  const select = control(name)
  if (names) select.replaceChildren(...names.map(([value, text]) => new Option(text, value)))
  select.value = settings[name]
  select.onchange = () => change({ [name]: select.value })
}

function set_strength() {
  const names = { late: "by how many examples", time: "probability p of a split", speed: "probability p of a move", shape: "swaps k" }
  write("strength-name", names[settings.kind])
  set_slider("strength", recording.strengths[settings.kind])
}

function set_time() {
  const slider = control("t"), output = slider.parentElement.querySelector("output")
  Object.assign(slider, { min: 0, max: recording.n - 1, step: 1, value: settings.t })
  slider.tell = () => {
    output.textContent = whole(settings.t + 1)
    slider.value = settings.t
  }
  slider.tell()
  slider.oninput = () => {
    change({ t: Number(slider.value) })
    slider.tell()
  }
}

const player = { on: false, last: 0 }

function play(on) {
  player.on = on
  player.last = performance.now()
  const button = control("play")
  button.textContent = on ? "⏸ Pause" : "▶ Play"
  button.setAttribute("aria-pressed", String(on))
  if (on && settings.t === recording.n - 1) change({ t: 0 })
  if (on) requestAnimationFrame(step)
}

function step(now) {
  if (!player.on) return
  const passed = Math.floor(((now - player.last) / 1000) * Number(control("speed").value))
  if (passed > 0) {
    player.last = now
    change({ t: Math.min(recording.n - 1, settings.t + passed) })
    control("t").tell()
  }
  if (settings.t === recording.n - 1) return play(false)
  requestAnimationFrame(step)
}

function set_controls() {
  const learners = Object.entries(recording.learners).map(([name, { about }]) => [name, `${name}: ${about}`])
  set_select("stream", Object.keys(recording.streams).map((name) => [name, name]))
  for (const who of ["a", "b"]) set_select(who, learners)
  for (const name of ["kind", "detector"]) set_select(name)
  for (const [name, values] of Object.entries(SLIDERS)) set_slider(name, values)
  set_strength()
  set_time()
  control("kind").onchange = () => {
    change({ kind: control("kind").value, strength: 0 })
    set_strength()
  }
  control("play").onclick = () => play(!player.on)
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || event.target.closest("button, select, summary, a")) return
    event.preventDefault()
    play(!player.on)
  })
}

/** Take the settings that stand in the address after "#"; others keep their values. */
function read_address() {
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(name in settings)) continue
    settings[name] = typeof settings[name] === "number" ? Number(text) : text
  }
  const offered = { ...SLIDERS, strength: recording.strengths[settings.kind] ?? [] }
  const usable = Object.entries(offered).every(([name, values]) => values.includes(settings[name]))
    && settings.stream in recording.streams && settings.a in recording.learners
    && settings.b in recording.learners && settings.detector in DETECTORS
    && Number.isInteger(settings.t) && settings.t >= 0 && settings.t < recording.n
  if (!usable) Object.assign(settings, DEFAULTS)
}

/** Keep the settings in the address, so that a link or a bookmark shows the same. */
function write_address() {
  clearTimeout(write_address.timer)
  write_address.timer = setTimeout(() => history.replaceState(null, "", `#${new URLSearchParams(settings)}`), 500)
}

async function start() {
  await drawing.embed(JSON.parse(control("figures").textContent))
  drawing.now = drawing.figures.error.select("error.now")[0]
  drawing.paint()
  const paint = () => {
    drawing.paint()
    name_learners()
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint)
  // The page around this one has a switch of its own: "light", "dark" or "auto".
  addEventListener("message", ({ data }) => {
    if (!["light", "dark", "auto"].includes(data?.theme)) return
    document.documentElement.dataset.theme = data.theme
    paint()
  })
  read_address()
  set_controls()
  change(settings)
  watch_sight()
  document.body.dataset.ready = "true"
}

start()

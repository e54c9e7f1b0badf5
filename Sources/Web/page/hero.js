// SPDX-License-Identifier: MIT
// The flock from edge to edge: pointer, keyboard, the dock below, and the numbers in the corner.

import { keep, setting } from "./address.js"
import { Field } from "./field.js"
import { Meter } from "./meter.js"
import { onFrame, now } from "./clock.js"
import { $, announce, fit, grouped, isStill, label, onRecolor } from "./page.js"

/** Seconds without a pointer after which the flock finds its own way. */
const patience = 2.5

/** `renderer` draws on the canvas `field`. */
export function startHero(engine, count, renderer) {
  const canvas = $("field"), field = new Field(engine, count), meter = new Meter()
  const tracker = engine.velocityTrackers({ count: 1, dimensions: 2 })
  const { leader } = field
  let unit = 1, center = [0, 0], before = now(), touched = -Infinity, pressed = null, last = null

  fit(canvas, (width, height, ratio) => {
    unit = Math.min(width, height) / 2
    center = [width / 2, height / 2]
    renderer.resize(width, height, ratio)
    findRoom()
    field.restlessness.wake()
  })

  function findRoom() {
    const [words, stats, dock] = [".hero-text", ".stats", ".dock"].map(part => document.querySelector(part).getBoundingClientRect())
    const top = words.bottom, bottom = stats.top > top ? stats.top : dock.top
    field.setRoom(center[0] / unit, ((top + bottom) / 2 - canvas.getBoundingClientRect().top - center[1]) / unit)
  }

  onRecolor(() => field.restlessness.wake())
  canvas.addEventListener("webglcontextrestored", () => field.restlessness.wake())
  $("stat-module").textContent = engine.module + (renderer.kind === "WebGL2" ? "" : ", " + renderer.kind)

  // MARK: Frames

  /** The way of the flock that nobody leads. */
  function wander(time) {
    // Beside the words where there is room, and below them.
    const aside = field.width > 1.3 ? 0.3 : 0
    leader.x = field.width * (aside + (0.5 - 0.4 * aside) * Math.sin(0.43 * time + 0.6 + 0.5 * Math.sin(0.19 * time)))
    leader.y = 0.18 + 0.34 * Math.sin(0.71 * time + 0.4) * Math.cos(0.23 * time)
  }
  if (!isStill()) wander(0)

  onFrame(canvas, time => {
    const seconds = Math.min(0.1, Math.max(0.001, time - before))
    before = time
    const [x, y] = [leader.x, leader.y]
    if (last && time - touched < patience) [leader.x, leader.y] = last
    else if (!pressed && !isStill()) wander(time)
    const share = 1 - Math.exp(-6 * seconds)
    leader.dx += share * (Math.max(-4, Math.min(4, (leader.x - x) / seconds)) - leader.dx)
    leader.dy += share * (Math.max(-4, Math.min(4, (leader.y - y) / seconds)) - leader.dy)
    leader.tight += share * ((pressed ? 0.42 : 1) - leader.tight)

    const begin = performance.now()
    field.lead(time, !isStill() || time - touched < patience)
    const values = field.restlessness.hasNews(time) ? field.batch.values : null
    const advanced = performance.now()
    if (values) renderer.upload(values)
    const uploaded = performance.now()
    if (values) renderer.draw(seconds)
    meter.add(advanced - begin, uploaded - advanced, time, field.count)
  })

  // MARK: Pointer

  const place = event => [(event.offsetX - center[0]) / unit, (event.offsetY - center[1]) / unit]

  canvas.addEventListener("pointerdown", event => {
    if (event.button) return
    pressed = { place: place(event), time: now(), moved: 0 }
    tracker.reset()
    tracker.record(pressed.place, pressed.time)
    if (event.pointerType !== "touch") canvas.setPointerCapture(event.pointerId)
    follow(pressed.place)
  })
  canvas.addEventListener("pointermove", event => {
    const here = place(event), time = now()
    if (isStill() && !pressed) return
    const since = time - touched
    if (last && since > 0.001 && since < 0.2 && field.shapeName !== "flock") {
      field.stir(...here, (here[0] - last[0]) / since, (here[1] - last[1]) / since)
    }
    if (pressed) {
      pressed.moved = Math.max(pressed.moved, unit * Math.hypot(here[0] - pressed.place[0], here[1] - pressed.place[1]))
      tracker.record(here, time)
    }
    follow(here)
  })
  const release = event => {
    if (!pressed) return
    const here = place(event), time = now()
    if (pressed.moved < 8 && time - pressed.time < 0.4) scatter(here)
    else throwIt(here, tracker.velocities(time))
    pressed = null
  }
  canvas.addEventListener("pointerup", release)
  canvas.addEventListener("pointercancel", () => { pressed = null })

  function follow(here) {
    last = here
    touched = now()
  }

  function scatter(here) {
    field.scatter(...here)
    follow(last ?? here)
  }

  /** Lets the flock fly on: it aims for where it would come to rest. */
  function throwIt(here, [vx, vy]) {
    const speed = Math.hypot(vx, vy)
    if (speed < 0.4) return
    const limit = Math.min(1, 9 / speed)
    field.fling(vx * limit * 0.8, vy * limit * 0.8)
    const reach = (at, v, edge) => Math.max(-edge, Math.min(edge, at + 0.22 * v * limit))
    follow([reach(here[0], vx, 0.85 * field.width), reach(here[1], vy, 0.75)])
  }

  // MARK: Keyboard

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
  canvas.addEventListener("keydown", event => {
    const way = arrows[event.key], from = last ?? [leader.x, leader.y]
    if (way) {
      const edge = (value, limit) => Math.max(-limit, Math.min(limit, value))
      follow([edge(from[0] + 0.25 * way[0], field.width), edge(from[1] + 0.25 * way[1], 1)])
      if (field.shapeName !== "flock") field.stir(...last, 3 * way[0], 3 * way[1])
    } else if (event.key === " " || event.key === "Enter") {
      scatter(field.shapeName === "flock" ? from : [0, 0])
      announce("Scattered")
    } else return
    event.preventDefault()
  })

  // MARK: Dock

  const dock = $("dock"), slider = $("count"), word = $("word")
  dock.addEventListener("submit", event => event.preventDefault())
  const say = () => announce(`${dock.elements.shape.value === "text" ? `“${word.value}”` : dock.elements.shape.value}, ${field.count} springs`)
  dock.addEventListener("change", event => {
    if (event.target.name === "shape") {
      // With the field for words, the dock is larger.
      findRoom()
      field.setShape(event.target.value, word.value)
      keep("shape", event.target.value, "flock")
    }
    say()
  })
  const form = () => field.setShape("text", word.value.trim() || "…")
  word.addEventListener("input", () => {
    form()
    keep("word", word.value, "hello")
  })
  const rounded = () => {
    const count = 10 ** slider.value, digit = 10 ** Math.floor(Math.log10(count) - 0.999)
    return Math.min(1e6, Math.round(count / digit) * digit)
  }
  const show = tracks => {
    label(slider, $("count-value"), grouped(tracks))
    $("lead-count").textContent = grouped(tracks)
  }
  slider.addEventListener("input", () => {
    field.setCount(rounded())
    show(field.count)
    keep("count", field.count, 100_000)
  })
  slider.value = Math.log10(count)
  show(count)
  word.value = (setting("word") ?? word.value).slice(0, word.maxLength)
  const shape = [...dock.elements.shape].find(({ value }) => value === setting("shape"))
  if (shape && shape.value !== "flock") {
    shape.checked = true
    findRoom()
    if (shape.value === "text") form()
    else field.setShape(shape.value)
  }
  return { field, meter }
}

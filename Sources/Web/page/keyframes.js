// SPDX-License-Identifier: MIT
// The heart of the talk: four tracks of keyframes for one heart, and the same for thousands.

import { Chart } from "./chart.js"
import { now, onFrame } from "./clock.js"
import { Crowd } from "./crowd.js"
import { $, announce, isStill } from "./page.js"

const bouncy = { duration: 0.5, bounce: 0.3 }
const degrees = Math.PI / 180

/** The tracks: of what they tell, and their keyframes. Heights are in hundredths of the heart's size. */
const story = [
  { name: "scale", initial: 1, keyframes: [
    { linear: 1, duration: 0.36 }, { spring: 1.5, duration: 0.8, options: bouncy }, { spring: 1, options: bouncy }] },
  { name: "stretch", initial: 1, keyframes: [
    { cubic: 1, duration: 0.1 }, { cubic: 0.6, duration: 0.15 }, { cubic: 1.5, duration: 0.1 }, { cubic: 1.05, duration: 0.15 },
    { cubic: 1, duration: 0.88 }, { cubic: 0.8, duration: 0.1 }, { cubic: 1.04, duration: 0.4 }, { cubic: 1, duration: 0.22 }] },
  { name: "height", initial: 0, keyframes: [
    { linear: 0, duration: 0.1 }, { spring: 20, duration: 0.15, options: bouncy },
    { spring: -60, duration: 1, options: bouncy }, { spring: 0, options: bouncy }] },
  { name: "angle", initial: 0, keyframes: [
    { cubic: 0, duration: 0.58 }, { cubic: 16 * degrees, duration: 0.125 }, { cubic: -16 * degrees, duration: 0.125 },
    { cubic: 16 * degrees, duration: 0.125 }, { cubic: 0, duration: 0.125 }] },
]
const components = story.map(({ initial, keyframes }) => ({ initial, keyframes }))
const rest = story.map(track => track.initial)
/** Seconds that the charts show: what follows is the springs' last settling. */
const shown = 2.4

export function startKeyframes(engine) {
  const batch = engine.batch({ dimensions: 4 }), track = batch.add(rest), clip = batch.loadClip(components)
  let began = -Infinity

  // The curves, read from a batch of their own.
  const steps = 240, times = Array.from({ length: steps }, (_, i) => i / (steps - 1) * shown)
  const curves = story.map(() => new Float32Array(steps))
  const scratch = engine.batch({ dimensions: 4 })
  scratch.play(scratch.loadClip(components), scratch.add(rest))
  times.forEach((time, i) => {
    scratch.advance(time)
    story.forEach((_, component) => { curves[component][i] = scratch.values[component] })
  })
  scratch.dispose()

  const charts = story.map(({ name, keyframes }, component) => {
    const row = document.createElement("div"), title = document.createElement("span"), canvas = document.createElement("canvas")
    title.textContent = name
    canvas.setAttribute("role", "img")
    canvas.setAttribute("aria-label", `The track of ${name}: ${keyframes.length} keyframes`)
    row.append(title, canvas)
    $("tracks").append(row)
    const low = Math.min(...curves[component]), high = Math.max(...curves[component])
    return new Chart(canvas, chart => {
      chart.range(0, shown, low, high, [4, 12, 8, 12])
      let time = 0
      for (const frame of keyframes) {
        time += frame.duration ?? shown
        if (time < shown) chart.rule(time, low, time, high, "line")
      }
      chart.line(times, curves[component], "rose", 2.2)
      const passed = now() - began
      if (passed > shown) return
      chart.rule(passed, low, passed, high, "ink-3")
      chart.dot(passed, batch.values[4 * track.index(0) + component], "ink", 4.5)
    })
  })

  const play = () => {
    began = now()
    batch.advance(began)
    batch.play(clip, track)
  }
  $("heart").addEventListener("click", () => {
    play()
    announce("The heart crouches, leaps, shivers and lands")
  })
  const shape = $("heart-shape")
  let drawn = false
  onFrame($("keyframes"), time => {
    if (time - began > 6 && drawn) return
    batch.advance(time)
    const at = 4 * track.index(0), [scale, stretch, height, angle] = batch.values.subarray(at, at + 4)
    shape.setAttribute("transform",
      `translate(0 ${height}) scale(${scale} ${scale * stretch}) rotate(${angle / degrees})`)
    for (const chart of charts) chart.redraw()
    drawn = true
  })
  new IntersectionObserver((entries, observer) => {
    if (!entries.at(-1).isIntersecting || isStill()) return
    observer.disconnect()
    play()
  }, { threshold: 1 }).observe($("heart"))

  return new Crowd(engine, {
    id: "crowd", kind: "hearts", tints: ["heart-calm", "rose", "p2"], count: 3000, fullness: 0.58, rest, seconds: clip.duration,
    prepare(batch) { this.clip = batch.loadClip(components) },
    reach(batch, tracks) { batch.play(this.clip, tracks) },
  })
}

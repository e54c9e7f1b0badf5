// SPDX-License-Identifier: MIT
// Duration and bounce: two sliders, the curves of value and velocity, and a ball.

import { spring } from "./murmuration.mjs"
import { keep, number } from "./address.js"
import { Chart } from "./chart.js"
import { now, onFrame } from "./clock.js"
import { $, announce, isStill, label } from "./page.js"

/** `changed(options)` is told each new spring. */
export function startSprings(engine, changed) {
  const duration = $("duration"), bounce = $("bounce"), presets = [...document.querySelectorAll(".presets button")]
  const steps = 320
  const options = () => ({ duration: +duration.value, bounce: +bounce.value })
  let current, settled, began = -Infinity
  duration.value = number("duration", 0.6)
  bounce.value = number("bounce", 0.3)

  const chart = new Chart($("spring-chart"), () => {
    if (!current) return
    const { duration } = options(), end = Math.min(Math.max(settled * 1.06, duration * 1.7), duration * 6)
    const times = Float64Array.from({ length: steps }, (_, i) => i / (steps - 1) * end)
    const { values, velocities } = engine.springValue(current, { times })
    // Velocity is drawn in distances a duration, so that it fits whatever the duration is.
    const speeds = velocities.map(v => v * duration / 4)
    let low = 0, high = 1
    for (let i = 0; i < steps; i++) {
      low = Math.min(low, values[i], speeds[i])
      high = Math.max(high, values[i], speeds[i])
    }
    chart.range(0, end, low, high, [2, 44, 8, 26])
    chart.rule(0, 0, end, 0)
    chart.rule(0, 1, end, 1)
    const mark = (time, words, line) => {
      if (time > end) return
      chart.rule(time, low, time, high, "ink-3", [3, 5])
      const right = time > 0.62 * end
      chart.text(words, chart.x(time) + (right ? -6 : 6), 16 + 17 * line, "ink-2", right ? "right" : "left")
    }
    mark(duration, `feels done, ${duration.toFixed(2)} s`, 0)
    if (settled > duration * 1.02) mark(settled, `settled, ${settled.toFixed(2)} s`, chart.width < 480 ? 1 : 0)
    chart.line(times, speeds, "cool", 1.8)
    chart.line(times, values, "warm", 3)
    chart.text("target", 2, chart.y(1) - 7, "ink-3")
    chart.text("0 s", 2, chart.height - 6, "ink-3")
    chart.text(`${end.toFixed(1)} s`, chart.width - 8, chart.height - 6, "ink-3", "right")
    const passed = now() - began
    if (passed < end) {
      const here = engine.springValue(current, { times: [passed] })
      chart.dot(passed, here.velocities[0] * duration / 4, "cool", 4)
      chart.dot(passed, here.values[0], "warm", 6)
    }
  })

  function update() {
    const now = options()
    current = spring(now)
    settled = engine.settlingDuration(current)
    label(duration, $("duration-value"), `${now.duration.toFixed(2)} s`)
    label(bounce, $("bounce-value"), now.bounce.toFixed(2).replace("-", "−"))
    for (const button of presets) {
      const chosen = +button.dataset.duration === now.duration && +button.dataset.bounce === now.bounce
      button.setAttribute("aria-pressed", chosen)
    }
    $("spring-numbers").textContent = settled < 100
      ? `duration ${now.duration.toFixed(2)} s · settling ${settled.toFixed(2)} s` : `duration ${now.duration.toFixed(2)} s`
    chart.redraw()
    keep("duration", now.duration, 0.6)
    keep("bounce", now.bounce, 0.3)
    changed(now)
  }
  for (const slider of [duration, bounce]) {
    slider.addEventListener("input", update)
    slider.addEventListener("change", move)
  }
  for (const button of presets) {
    button.addEventListener("click", () => {
      duration.value = button.dataset.duration
      bounce.value = button.dataset.bounce
      update()
      move()
    })
  }

  // The ball: one track, which is sent to the other end again and again, from wherever it is.
  const rail = $("rail"), ball = $("ball"), batch = engine.batch({ dimensions: 1 }), track = batch.add([0])
  let room = 0, there = false
  new ResizeObserver(() => { room = rail.clientWidth - 64 }).observe(rail)
  /** How far beyond its end the spring swings, as a share of the way. */
  function overshoot() {
    const ratio = 1 - Math.max(0, options().bounce)
    return ratio < 1 ? Math.exp(-Math.PI * ratio / Math.sqrt(1 - ratio * ratio)) : 0
  }
  function place() {
    // The ends lie as far from the rail's that the ball, sent from one to the other, turns back at the rail's end. Sent back in
    // full swing it would go further, and stops there.
    const beyond = overshoot(), way = room / (1 + 2 * beyond), inset = beyond * way
    rail.style.setProperty("--inset", `${inset}px`)
    const x = inset + batch.values[track.index(0)] * way
    ball.style.transform = `translateX(${Math.max(0, Math.min(room, x))}px)`
  }
  function move() {
    there = !there
    began = now()
    batch.advance(began)
    batch.animate(track, [there ? 1 : 0], current)
  }
  new IntersectionObserver((entries, observer) => {
    if (!entries.at(-1).isIntersecting || isStill()) return
    observer.disconnect()
    setTimeout(move, 400)
  }, { threshold: 1 }).observe(rail)
  rail.addEventListener("click", () => {
    move()
    announce(there ? "The ball goes right" : "The ball goes left")
  })
  onFrame(rail, time => {
    batch.advance(time)
    place()
    if (time - began < 10) chart.redraw()
  })
  update()
}

// SPDX-License-Identifier: MIT
// A timing curve beside a spring, at the end of one drag.

import { curve, spring } from "./murmuration.mjs"
import { Chart } from "./chart.js"
import { now, onFrame } from "./clock.js"
import { $, announce, color, fit, isStill } from "./page.js"

/** Seconds that the charts of speed show. */
const shown = 2.2

export function startDuel(engine) {
  const batch = engine.batch({ dimensions: 2 }), tracks = batch.add([0, 0, 0, 0])
  const tracker = engine.velocityTrackers({ count: 1, dimensions: 2 })
  const sides = []
  let homeward = spring({ duration: 0.6, bounce: 0.3 }), grip = null, released = -10, before = now()
  sides.push(side("duel-curve", 0, "cool"), side("duel-spring", 1, "warm"))

  /** One of the two: its arena, its chart, and where its disc was. Positions are in half heights of the arena. */
  function side(id, number, name) {
    const it = { canvas: $(id), name, trail: [], speeds: [], number }
    it.context = it.canvas.getContext("2d")
    it.chart = new Chart($(id + "-chart"), chart => paintSpeed(it, chart))
    fit(it.canvas, (width, height, ratio) => {
      Object.assign(it, { width, height, ratio, unit: height / 2 })
      paintArena(it)
    })
    it.canvas.addEventListener("pointerdown", event => grab(it, event))
    it.canvas.addEventListener("pointermove", event => drag(it, event))
    it.canvas.addEventListener("pointerup", letGo)
    it.canvas.addEventListener("pointercancel", letGo)
    it.canvas.addEventListener("keydown", event => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
      if (!way) return
      event.preventDefault()
      sendFrom([batch.values[2], batch.values[3]], [6 * way[0], 6 * way[1]])
    })
    return it
  }

  // MARK: Hand

  const place = (it, event) => [(event.offsetX - it.width / 2) / it.unit, (event.offsetY - it.height / 2) / it.unit]

  function grab(it, event) {
    if (event.button) return
    it.canvas.setPointerCapture(event.pointerId)
    grip = { it, offset: [0, 0] }
    const here = place(it, event), index = 2 * tracks.index(it.number)
    const disc = [batch.values[index], batch.values[index + 1]]
    // A disc that is caught stays where it is; anywhere else, the discs come to the hand.
    if (Math.hypot(here[0] - disc[0], here[1] - disc[1]) < 0.3) grip.offset = [disc[0] - here[0], disc[1] - here[1]]
    tracker.reset()
    drag(it, event)
  }

  function drag(it, event) {
    if (grip?.it !== it) return
    const here = place(it, event), time = now()
    const [x, y] = [here[0] + grip.offset[0], here[1] + grip.offset[1]]
    tracker.record([x, y], time)
    const [vx, vy] = tracker.velocities(time)
    batch.advance(time)
    batch.set(tracks, [x, y, x, y], [vx, vy, vx, vy])
  }

  function letGo() {
    if (!grip) return
    grip = null
    const [vx, vy] = tracker.velocities(now()), index = 2 * tracks.index(1)
    sendFrom([batch.values[index], batch.values[index + 1]], [vx, vy])
  }

  /** Sends both home, from one place with one velocity. */
  function sendFrom([x, y], [vx, vy]) {
    released = now()
    batch.advance(released)
    batch.set(tracks, [x, y, x, y], [vx, vy, vx, vy])
    batch.animate(tracks.slice(0, 1), [0, 0], curve("easeInOut", 0.5))
    batch.animate(tracks.slice(1, 2), [0, 0], homeward)
    for (const it of sides) {
      const last = it.trail.at(-1)
      if (last && Math.hypot(x - last.x, y - last.y) > 0.1) it.trail = []
      it.trail.push({ x, y, time: released })
      it.speeds.push([released - 1e-4, Math.hypot(vx, vy)])
    }
  }

  function throwBoth() {
    const half = sides[1].width / sides[1].height
    sendFrom([-0.55 * half, 0.35], [3.2 * half, -4.2])
  }
  $("throw").addEventListener("click", () => {
    throwBoth()
    announce("Both thrown. The curve stops and starts anew; the spring flies on and comes home.")
  })

  // MARK: Frames

  new IntersectionObserver((entries, observer) => {
    if (!entries.at(-1).isIntersecting || isStill()) return
    observer.disconnect()
    setTimeout(() => { if (!grip && now() - released > 5) throwBoth() }, 700)
  }, { threshold: 0.6 }).observe(sides[1].canvas)

  onFrame($("duel-curve").closest(".duel"), time => {
    const seconds = time - before
    before = time
    batch.advance(time)
    if (!grip && time - released > 4) return
    for (const it of sides) {
      const index = 2 * tracks.index(it.number), here = [batch.values[index], batch.values[index + 1]]
      const last = it.trail.at(-1)
      let speed = 0
      if (grip) speed = Math.hypot(...tracker.velocities(time))
      else if (last && seconds > 0 && seconds < 0.2) {
        if (time - last.time > 0.002) speed = Math.hypot(here[0] - last.x, here[1] - last.y) / (time - last.time)
      }
      it.trail.push({ x: here[0], y: here[1], time })
      it.speeds.push([time, speed])
      while (it.trail[0].time < time - 0.9) it.trail.shift()
      while (it.speeds[0][0] < time - shown - 0.2) it.speeds.shift()
      paintArena(it)
      it.chart.redraw()
    }
  })

  // MARK: Pictures

  function paintArena({ context, width, height, ratio, unit, trail, name }) {
    const x = value => width / 2 + value * unit, y = value => height / 2 + value * unit, size = 0.17 * unit
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    context.strokeStyle = color("line")
    context.lineWidth = 1.5
    context.setLineDash([3, 6])
    context.beginPath()
    context.arc(x(0), y(0), size + 9, 0, 7)
    context.stroke()
    context.setLineDash([])
    const last = trail.at(-1) ?? { x: 0, y: 0, time: 0 }
    context.strokeStyle = context.fillStyle = color(name)
    context.lineCap = "round"
    for (let i = 1; i < trail.length; i++) {
      const age = 1 - (last.time - trail[i].time) / 0.9
      context.globalAlpha = 0.5 * age * age
      context.lineWidth = 0.8 * size * age
      context.beginPath()
      context.moveTo(x(trail[i - 1].x), y(trail[i - 1].y))
      context.lineTo(x(trail[i].x), y(trail[i].y))
      context.stroke()
    }
    context.globalAlpha = 1
    context.beginPath()
    context.arc(x(last.x), y(last.y), size, 0, 7)
    context.fill()
  }

  function paintSpeed({ speeds, name }, chart) {
    const end = speeds.at(-1)?.[0] ?? shown, top = Math.max(6, ...sides.flatMap(it => it.speeds.map(s => s[1])))
    chart.range(end - shown, end, 0, top * 1.08, [20, 6, 20, 22])
    chart.rule(end - shown, 0, end, 0)
    if (released > end - shown && released < end) {
      chart.rule(released, 0, released, top, "ink-3", [3, 4])
      chart.text("let go", chart.x(released), chart.height - 6, "ink-3", "center")
    }
    chart.text("speed", 20, chart.height - 6, "ink-3")
    if (speeds.length > 1) chart.line(speeds.map(s => s[0]), speeds.map(s => s[1]), name, 2.5)
  }

  return {
    batch,
    setSpring({ duration, bounce }) {
      homeward = spring({ duration, bounce })
      $("duel-words").textContent = `${duration.toFixed(2)} s, bounce ${bounce.toFixed(2).replace("-", "−")}`
    },
  }
}

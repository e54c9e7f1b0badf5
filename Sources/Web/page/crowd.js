// SPDX-License-Identifier: MIT
// Thousands of tracks in a grid, one sprite each, and waves that run through them from where they are touched.

import { now, onFrame, Restlessness } from "./clock.js"
import { $, announce, fit, grouped, isStill, onRecolor } from "./page.js"
import { sprites } from "./sprites.js"

/** A wave's speed in CSS pixels a second. */
const waveSpeed = 620

export class Crowd {
  /** `reach(batch, tracks)` plays something for the tracks that a wave reaches, which lasts at most `seconds`; `prepare(batch,
   *  tracks)` is called anew for each grid; `rest` is a track's state at first. */
  constructor(engine, { id, kind, tints, count, fullness, rest, seconds, prepare, reach, advanced }) {
    Object.assign(this, { engine, id, count, fullness, rest, seconds, prepare, reach })
    this.restlessness = new Restlessness()
    this.canvas = $(id)
    this.sprites = sprites(this.canvas, kind, tints)
    this.waves = []
    fit(this.canvas, (width, height) => this.#layOut(width, height))
    onFrame(this.canvas, time => {
      this.batch.advance(time)
      advanced?.(this.batch, this.tracks)
      for (const wave of this.waves) this.#spread(wave, time)
      this.waves = this.waves.filter(wave => wave.next < wave.order.length)
      if (this.restlessness.hasNews(time)) this.sprites.draw(this.batch.values)
    })
    onRecolor(() => this.restlessness.wake())
    this.canvas.addEventListener("webglcontextrestored", () => this.restlessness.wake())
    this.canvas.addEventListener("click", event => this.wave(event.offsetX, event.offsetY))
    this.canvas.addEventListener("keydown", event => {
      if (event.key !== " " && event.key !== "Enter") return
      event.preventDefault()
      this.waveFromCenter()
    })
    $(id + "-play").addEventListener("click", () => this.waveFromCenter())
    new IntersectionObserver((entries, observer) => {
      if (!entries.at(-1).isIntersecting || isStill()) return
      observer.disconnect()
      this.wave(0.3 * this.width, 0.7 * this.height)
    }, { threshold: 0.5 }).observe(this.canvas)
  }

  #layOut(width, height) {
    if (width === this.width && height === this.height) return
    Object.assign(this, { width, height })
    const step = Math.sqrt(width * height / this.count), columns = Math.max(1, Math.round(width / step))
    const rows = Math.max(1, Math.round(this.count / columns)), cells = new Float32Array(2 * columns * rows)
    for (let i = 0; i < columns * rows; i++) {
      cells[2 * i] = (i % columns + 0.5) * width / columns
      cells[2 * i + 1] = (Math.floor(i / columns) + 0.5) * height / rows
    }
    this.cells = cells
    this.waves = []
    this.batch?.dispose()
    this.batch = this.engine.batch({ dimensions: 4, capacity: columns * rows })
    const values = new Float32Array(4 * columns * rows)
    for (let i = 0; i < values.length; i += 4) values.set(this.rest, i)
    this.batch.advance(now())
    this.tracks = this.batch.add(values)
    this.prepare(this.batch, this.tracks)
    this.sprites.layOut(cells, width, height, step * this.fullness)
    this.restlessness.wake()
    $(this.id + "-count").textContent = grouped(columns * rows)
  }

  waveFromCenter() {
    this.wave(this.width / 2, this.height / 2)
    announce(`A wave through ${this.tracks.count}`)
  }

  /** Begins a wave at a place. Where motion shall be reduced, it reaches the neighbours alone. */
  wave(x, y) {
    const { cells } = this, distances = new Float32Array(cells.length / 2)
    for (let i = 0; i < distances.length; i++) distances[i] = Math.hypot(cells[2 * i] - x, cells[2 * i + 1] - y)
    const limit = isStill() ? 70 : Infinity
    const order = Array.from(distances.keys()).filter(i => distances[i] < limit).sort((a, b) => distances[a] - distances[b])
    this.waves.push({ order, distances, next: 0, began: now() })
  }

  #spread(wave, time) {
    const { order, distances } = wave, radius = (time - wave.began) * waveSpeed, first = wave.next
    while (wave.next < order.length && distances[order[wave.next]] <= radius) wave.next++
    if (wave.next === first) return
    this.reach(this.batch, this.tracks.pick(order.slice(first, wave.next)))
    this.restlessness.extend(time + this.seconds)
  }
}

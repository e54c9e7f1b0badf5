// SPDX-License-Identifier: MIT
// The springs of the flock: who heads where, and what a hand does to them. It knows nothing of pixels.

import { spring } from "./murmuration.mjs"
import { Restlessness } from "./clock.js"
import * as shapes from "./shapes.js"

/** Tracks are led in groups, each with a spring of its own: some are quick, some trail behind. */
const groupCount = 32
/** Goals that move are renewed for one part of the tracks a frame. */
const partCount = 4

export class Field {
  /** Where the flock is led, in units of half the shorter side. */
  leader = { x: 0, y: 0.1, dx: 0, dy: 0, tight: 1 }
  restlessness = new Restlessness()

  constructor(engine, count) {
    this.engine = engine
    this.shapeName = "flock"
    this.words = "hello"
    this.width = 1
    this.time = 0
    this.origin = { shape: [0, 0] }
    this.springOptions = { duration: 0.6, bounce: 0.3 }
    this.#fill(count)
    this.setSpring(this.springOptions)
    // All are where they belong.
    this.whole = false
  }

  /** Makes as many tracks, where those before them were. */
  #fill(count) {
    const before = this.batch?.values.slice()
    this.batch?.dispose()
    this.count = count
    this.batch = this.engine.batch({ dimensions: 2, capacity: count })
    this.goals = new Float32Array(2 * count)
    this.#makeShape()
    this.#fillGoals(0, count, 0)
    const values = this.goals.slice()
    if (before) for (let i = 0; i < values.length; i++) values[i] = before[i % before.length]
    this.batch.advance(this.time)
    this.tracks = this.batch.add(values)
    this.near = new Int32Array(count)
    this.part = 0
    this.whole = true
  }

  setCount(count) {
    if (count !== this.count) this.#fill(count)
  }

  setSpring({ duration, bounce }) {
    this.springOptions = { duration, bounce }
    const ranked = rank => spring({ duration: duration * (0.7 + 1.5 * rank * rank), bounce })
    // Each part has quick and slow groups.
    this.springs = Array.from({ length: groupCount }, (_, i) => ranked(((i * 13) % groupCount) / (groupCount - 1)))
    // From far away, and pushed, the slowest is within a fraction of a pixel after these seconds.
    this.longest = this.engine.settlingDuration(ranked(1), { target: 4, velocity: 30, epsilon: 0.0005 })
    this.whole = true
  }

  setShape(name, words = this.words) {
    this.shapeName = name
    this.words = words
    this.#makeShape()
    this.whole = true
  }

  /** The half of the canvas's width, and where the middle of the free room below the words is, in units of half the shorter side. */
  setRoom(width, middle) {
    this.width = width
    // Beside the words where there is room, and below them.
    this.origin = width > 1.3 ? { shape: [0.34 * width, 0.02], galaxy: [0.2 * width, 0.1] } : { shape: [0, 0.1] }
    this.origin.text = [0, middle]
    if (this.shapeName === "flock") return
    if (this.shapeName === "text") this.#makeShape()
    this.whole = true
  }

  #makeShape() {
    const { count, shapeName: name } = this
    this.shape = name === "flock" ? shapes.flock(count, this.leader)
      : name === "text" ? shapes.text(count, this.words, this.width) : shapes[name](count)
  }

  #fillGoals(first, end, time) {
    const { goals, shapeName: name } = this
    this.shape.fill(goals, first, end, time)
    if (name === "flock") return
    const [x, y] = this.origin[name] ?? this.origin.shape
    for (let i = first; i < end; i++) {
      goals[2 * i] += x
      goals[2 * i + 1] += y
    }
  }

  /** Moves all to `time`, and sends everything, or the next part of what moves, to where the shape is then. */
  lead(time, moving) {
    const follows = moving && this.shape.moves
    // Calls for new goals take over velocities, which are cheaper as a part of the frame.
    this.batch.advance(time, { velocities: follows })
    this.time = time
    if (!this.whole && !follows) return
    this.restlessness.extend(time + this.longest)
    const size = groupCount / partCount
    const groups = this.whole ? [0, groupCount] : [this.part * size, (this.part + 1) * size]
    const edge = group => Math.round(group * this.count / groupCount)
    this.#fillGoals(edge(groups[0]), edge(groups[1]), time)
    for (let group = groups[0]; group < groups[1]; group++) {
      const first = edge(group), end = edge(group + 1)
      if (end > first) {
        this.batch.animate({ first, count: end - first }, this.goals.subarray(2 * first, 2 * end), this.springs[group])
      }
    }
    this.part = (this.part + 1) % partCount
    this.whole = false
  }

  /** Pushes the springs near a point: `velocity(dx, dy, share)` gives two numbers, by the way there and 1 − distance/radius. */
  push(x, y, radius, velocity) {
    const values = this.batch.values, limit = radius * radius
    let found = 0
    for (let i = 0; i < this.count; i++) {
      const dx = values[2 * i] - x, dy = values[2 * i + 1] - y
      if (dx * dx + dy * dy < limit) this.near[found++] = i
    }
    if (!found) return 0
    const places = new Float32Array(2 * found), velocities = new Float32Array(2 * found)
    for (let k = 0; k < found; k++) {
      const i = this.near[k], dx = values[2 * i] - x, dy = values[2 * i + 1] - y
      const pushed = velocity(dx, dy, 1 - Math.hypot(dx, dy) / radius, i)
      places[2 * k] = values[2 * i]
      places[2 * k + 1] = values[2 * i + 1]
      velocities[2 * k] = pushed[0]
      velocities[2 * k + 1] = pushed[1]
    }
    this.#start(this.tracks.pick(this.near.subarray(0, found)), places, velocities)
    return found
  }

  /** Lets tracks go on from places with velocities. */
  #start(tracks, places, velocities) {
    this.batch.displace(tracks, places, velocities)
    this.restlessness.extend(this.time + this.longest)
  }

  /** Everything springs apart from a point. */
  scatter(x, y) {
    const out = [0, 0]
    return this.push(x, y, 1.1, (dx, dy, share, i) => {
      const way = Math.hypot(dx, dy) + 0.02, force = 16 * share * (0.35 + ((i * 2654435761) >>> 0) / 4294967296)
      out[0] = dx / way * force
      out[1] = dy / way * force
      return out
    })
  }

  /** Pulls what is near along with a pointer's velocity. */
  stir(x, y, vx, vy) {
    const out = [0, 0]
    this.push(x, y, 0.22, (dx, dy, share) => {
      out[0] = share * (0.9 * vx - 1.2 * vy * share)
      out[1] = share * (0.9 * vy + 1.2 * vx * share)
      return out
    })
  }

  /** Gives everything a velocity. */
  fling(vx, vy) {
    const velocities = new Float32Array(2 * this.count)
    for (let i = 0; i < this.count; i++) {
      const share = 0.5 + ((i * 2654435761) >>> 0) / 4294967296
      velocities[2 * i] = vx * share
      velocities[2 * i + 1] = vy * share
    }
    this.#start(this.tracks, this.batch.values, velocities)
  }
}

// SPDX-License-Identifier: MIT
// One loop of frames for everything on the page. What is out of sight rests: motions are functions of time, so that they are
// right again when they come back.

const stages = new Set()
const start = performance.now()

/** Seconds since the page began. */
export const now = () => (performance.now() - start) / 1000

/** Calls `frame(time)` before each paint while `element` is in sight. */
export function onFrame(element, frame) {
  const stage = { frame, visible: false }
  stages.add(stage)
  new IntersectionObserver(entries => {
    stage.visible = entries.at(-1).isIntersecting
  }, { rootMargin: "80px" }).observe(element)
}

/** Which frames show something new: those up to a moment, and the next two, for renderers also show the frame before. */
export class Restlessness {
  #until = -Infinity
  #still = 0

  /** Something moves until `time`. */
  extend(time) { this.#until = Math.max(this.#until, time) }

  /** What shows was lost, and is to be drawn anew. */
  wake() { this.#still = 0 }

  /** Whether the frame at `time` shows something new; asked once a frame. */
  hasNews(time) {
    this.#still = time < this.#until ? 0 : this.#still + 1
    return this.#still <= 2
  }
}

let running = false

/** Starts the loop. */
export function run() {
  if (running) return
  running = true
  requestAnimationFrame(function next() {
    requestAnimationFrame(next)
    const time = now()
    for (const stage of stages) if (stage.visible) stage.frame(time)
  })
}

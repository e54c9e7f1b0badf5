// SPDX-License-Identifier: MIT
// Phases: states that follow one another, each reached with an animation of its own.

import { bouncy, smooth, snappy, spring } from "./murmuration.mjs"
import { Crowd } from "./crowd.js"
import { $ } from "./page.js"

// Height, angle, scale, glow.
const rest = [0, 0, 1, 0]
const cycle = () => [
  { target: rest, animation: smooth(0.5) },
  { target: [-55, 0, 1.18, 0.35], animation: snappy(0.35) },
  { target: [-55, Math.PI / 2, 1.18, 0.65], animation: bouncy(0.5, 0.1) },
  { target: [0, Math.PI / 2, 0.8, 1], animation: spring({ duration: 0.4, bounce: 0.5 }) },
]

export function startPhases(engine) {
  // Each phase heads for less than 60, and is over when the next begins.
  const seconds = cycle().reduce((sum, { animation }) => sum + engine.settlingDuration(animation, { target: 60 }), 0)
  const chips = [...$("chips").children]
  const mark = phase => chips.forEach((chip, i) => {
    if (i === phase) chip.setAttribute("aria-current", "step")
    else chip.removeAttribute("aria-current")
  })
  mark(0)
  return new Crowd(engine, {
    id: "tiles", kind: "tiles", tints: ["tile-calm", "cool", "warm"], count: 2000, fullness: 0.66, rest, seconds,
    prepare(batch, tracks) { batch.play(batch.loadPhases(cycle()), tracks, { loops: false }) },
    reach(batch, tracks) { batch.trigger(tracks) },
    advanced(batch, tracks) {
      for (const event of batch.events) if (event.kind === "phase" && event.index === tracks.index(0)) mark(event.number)
    },
  })
}

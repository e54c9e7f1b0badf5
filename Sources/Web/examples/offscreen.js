// SPDX-License-Identifier: MIT
// A worker with an engine of its own: dots that follow a goal, drawn on a canvas that the page has handed over.

import { load, spring } from "../murmuration.mjs"

const count = 10_000
let size = [1, 1], goal = null

onmessage = ({ data }) => {
  size = data.size ?? size
  goal = data.goal ?? goal
  if (data.canvas) start(data.canvas)
}

async function start(canvas) {
  const batch = (await load()).batch({ dimensions: 2 }), context = canvas.getContext("2d")
  const dots = batch.add(Float32Array.from({ length: 2 * count }, (_, i) => size[i % 2] * Math.random()))
  // Quick dots lead, slow ones trail behind.
  batch.follow(dots, Array.from({ length: count }, (_, i) => spring({ duration: 0.3 + 1.2 * i / count, bounce: 0.25 })))
  // At rest they are a sunflower around the goal.
  const angle = Math.PI * (3 - Math.sqrt(5)), goals = new Float32Array(2 * count)

  requestAnimationFrame(function frame(milliseconds) {
    if (goal) {
      for (let i = 0; i < count; i++) {
        goals[2 * i] = goal[0] + Math.sqrt(2 * i) * Math.cos(angle * i)
        goals[2 * i + 1] = goal[1] + Math.sqrt(2 * i) * Math.sin(angle * i)
      }
      batch.setGoals(dots, goals)
      goal = null
    }
    batch.advance(milliseconds / 1000)
    // A canvas that gets a size is cleared.
    canvas.width = size[0]
    canvas.height = size[1]
    context.fillStyle = "#ffb38a"
    const { values } = batch
    for (let i = 0; i < count; i++) context.fillRect(values[2 * i] - 1, values[2 * i + 1] - 1, 2, 2)
    requestAnimationFrame(frame)
  })
}

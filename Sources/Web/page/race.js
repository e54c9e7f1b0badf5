// SPDX-License-Identifier: MIT
// The engine beside plain loops, on the visitor's machine.

import { compare, contests } from "./contest.js"
import { $, announce, grouped } from "./page.js"

const count = 100_000

export function startRace(engine) {
  const button = $("race-start"), rows = $("race-rows"), words = $("race-words")
  for (const { name, words } of contests) {
    const row = rows.insertRow()
    row.dataset.name = name
    const head = document.createElement("th")
    head.scope = "row"
    head.textContent = words
    row.append(head)
    for (let i = 0; i < 3; i++) row.insertCell().textContent = "–"
  }

  button.addEventListener("click", async () => {
    button.disabled = true
    try {
      for (const [i, contest] of contests.entries()) {
        words.textContent = `${i + 1} of ${contests.length} …`
        // Time to show that.
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
        const { engine: mine, loop } = await compare(engine, contest, count)
        const cells = rows.rows[i].cells, times = loop / mine
        cells[1].textContent = mine.toFixed(3)
        cells[2].textContent = loop.toFixed(3)
        cells[3].textContent = `${times.toFixed(1)} ×`
        rows.rows[i].classList.toggle("behind", times < 1)
      }
      words.textContent = `${grouped(count)} springs, ${engine.module} module. The fastest frames of each, with the values read. `
        + "Where the loop is ahead, take the loop."
      announce("Measured")
    } catch (error) {
      words.textContent = error.message
    } finally {
      button.disabled = false
    }
  })
}

// SPDX-License-Identifier: MIT
// Loads the engine, and starts the parts of the page. The address may name settings: see address.js.

import { load } from "./murmuration.mjs"
import { number, setting } from "./address.js"
import { run } from "./clock.js"
import { startHero } from "./hero.js"
import { $ } from "./page.js"
import { particles } from "./particles.js"

async function start() {
  const module = setting("module")
  const loading = load(["exact", "relaxed"].includes(module) ? { module } : {})
  // While the engine arrives and is compiled.
  const renderer = particles($("field"))
  const engine = await loading
  const count = Math.min(1e6, Math.max(1000, Math.round(number("count", 100_000))))
  const hero = startHero(engine, count, renderer)
  run()
  document.documentElement.classList.add("ready")
  requestAnimationFrame(() => performance.mark("ready"))
  // What is below the fold waits for the first picture.
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)))
  const [{ startSprings }, { startDuel }, { startKeyframes }, { startPhases }, { startGallery }, { startRace }] = await Promise.all([
    import("./springs.js"), import("./duel.js"), import("./keyframes.js"), import("./phases.js"), import("./gallery.js"),
    import("./race.js"),
  ])
  const duel = startDuel(engine), gallery = startGallery(engine)
  startSprings(engine, options => {
    hero.field.setSpring(options)
    duel.setSpring(options)
    gallery.setSpring(options)
  })
  startRace(engine)
  $("install-address").textContent = new URL("murmuration-engine.tgz", location)
  // For the console, and for Scripts/check-page.
  globalThis.murmuration = { engine, hero, duel, gallery, hearts: startKeyframes(engine), tiles: startPhases(engine) }
}

start().catch(error => {
  const message = document.createElement("p")
  message.className = "broken"
  message.setAttribute("role", "alert")
  message.textContent = `The engine did not start: ${error.message}`
  document.body.append(message)
  throw error
})

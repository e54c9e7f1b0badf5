// SPDX-License-Identifier: MIT
// Springs and eases to look at, and as linear() for style sheets.

import { bouncy, smooth, snappy, spring } from "./murmuration.mjs"
import { keep, setting } from "./address.js"
import { $, announce } from "./page.js"

const families = ["Sine", "Quad", "Cubic", "Quart", "Quint", "Expo", "Circ", "Back", "Elastic", "Bounce"]
const samples = 1000
/** Seconds of the eases, which have no duration of their own. */
const usual = 0.6

/** A curve in CSS, from values at even progresses: as few points as keep every value within 0.002. */
function cssLinear(values) {
  const last = values.length - 1, kept = [0, last]
  const split = (from, to) => {
    let worst = 0.002, at = 0
    for (let i = from + 1; i < to; i++) {
      const off = Math.abs(values[i] - values[from] - (values[to] - values[from]) * (i - from) / (to - from))
      if (off > worst) [worst, at] = [off, i]
    }
    if (!at) return
    kept.push(at)
    split(from, at)
    split(at, to)
  }
  split(0, last)
  const text = i => String(+values[i].toFixed(4))
  const points = kept.sort((a, b) => a - b).map(i => i % last ? `${text(i)} ${+(100 * i / last).toFixed(2)}%` : text(i))
  return `linear(${points.join(", ")})`
}

export function startGallery(engine) {
  const list = $("gallery-list"), code = $("gallery-code"), ball = $("gallery-ball"), directions = $("gallery-directions")
  let chosen, own = spring(), motion

  /** The values at even progresses of a spring until it has settled, and the seconds of that. */
  function ofSpring(animation) {
    const seconds = Math.ceil(100 * engine.settlingDuration(animation)) / 100
    const times = Float64Array.from({ length: samples + 1 }, (_, i) => i / samples * seconds)
    const { values } = engine.springValue(animation, { times })
    values[samples] = 1
    return { values, seconds }
  }
  const even = Float64Array.from({ length: samples + 1 }, (_, i) => i / samples)
  const ofCurve = curve => ({ values: engine.curveValue(curve, even), seconds: usual })

  const direction = () => directions.elements.direction.value
  const cards = [
    ...[["Smooth", smooth()], ["Snappy", snappy()], ["Bouncy", bouncy()]].map(([name, animation]) => [name, () => ofSpring(animation)]),
    ["Yours", () => ofSpring(own)],
    ...families.map(family => [family, () => ofCurve(`ease${direction()}${family}`)]),
  ].map(([name, sample]) => {
    const button = document.createElement("button")
    button.type = "button"
    button.innerHTML = `<svg viewBox="0 -24 100 148" preserveAspectRatio="none" aria-hidden="true">
      <path class="edge" d="M0 0H100M0 100H100"/><path class="curve"/></svg>`
    button.append(name)
    const card = { name, button, sample }
    button.addEventListener("click", () => choose(card))
    list.append(button)
    return card
  })

  function draw(card) {
    const { values } = Object.assign(card, card.sample())
    const points = Array.from({ length: 101 }, (_, i) => `${i} ${(100 - 100 * values[i / 100 * samples]).toFixed(1)}`)
    card.button.querySelector(".curve").setAttribute("d", "M" + points.join("L"))
  }

  function show() {
    const easing = cssLinear(chosen.values)
    code.textContent = `transition: translate ${chosen.seconds}s ${easing};`
    for (const { button } of cards) button.setAttribute("aria-pressed", button === chosen.button)
    return easing
  }

  /** Shows a card, and moves the ball there and back by the style sheet's own means. */
  function choose(card) {
    chosen = card
    const easing = show(), back = motion?.id === "there"
    keep("ease", card.name, "Snappy")
    motion?.cancel()
    try {
      motion = ball.animate({ left: back ? ["80%", "20%"] : ["20%", "80%"] }, {
        duration: 1000 * card.seconds, easing, fill: "forwards", id: back ? "back" : "there",
      })
    } catch {
      // Browsers before 2023 know no linear().
    }
  }

  directions.addEventListener("change", () => {
    for (const card of cards.slice(4)) draw(card)
    keep("direction", direction(), "Out")
    if (cards.indexOf(chosen) > 3) choose(chosen)
  })
  $("gallery-copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
      announce(`${chosen.name} copied`)
    } catch {
      getSelection().selectAllChildren(code)
      announce("Selected, to be copied")
    }
  })

  for (const input of directions.elements.direction) input.checked = input.value === (setting("direction") ?? "Out")
  if (!direction()) directions.elements.direction.value = "Out"
  for (const card of cards) draw(card)
  chosen = cards.find(({ name }) => name === setting("ease")) ?? cards[1]
  show()

  return {
    get chosen() { return chosen },
    setSpring(options) {
      own = spring(options)
      draw(cards[3])
      if (chosen === cards[3]) show()
    },
  }
}

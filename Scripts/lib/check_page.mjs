// SPDX-License-Identifier: MIT
// Uses the page as people do, and checks what comes of it: node check_page.mjs ADDRESS HASH [FOLDER FOR PICTURES],
// where HASH is what MURMURATION_SAME_BITS is in murmuration.h

import "./check_takeaways.mjs"
import "./check_windows.mjs"
import { pause, pixels } from "./browser.mjs"
import {
  address, box, check, expect, flock, frames, keep, near, particlesSeen, press, runChecks, sameBits, textOf, withPage,
} from "./page_tools.mjs"

// MARK: Flock

check("particles are drawn, and lie where the springs are", browser => withPage(browser, { reduced: true }, async page => {
  // At rest, as pictures take their time.
  await frames(page, 4, 900)
  await keep(page, "dark")
  const seen = await particlesSeen(page), springs = await flock(page)
  expect(seen.share > 0.003, `particles cover ${seen.share}`)
  near(seen.x, springs.x, 60, "x of the pixels")
  near(seen.y, springs.y, 60, "y of the pixels")
}))

check("the flock follows the pointer", browser => withPage(browser, {}, async page => {
  for (const [x, y] of [[300, 560], [1000, 400]]) {
    // Beyond patience, the flock wanders: the pointer keeps moving a little.
    for (let i = 0; i < 20; i++) {
      await page.mouse("mouseMoved", x + i % 2, y)
      await pause(100)
    }
    await frames(page)
    const { x: fx, y: fy } = await flock(page)
    near(fx, x, 50, "x of the flock")
    near(fy, y, 50, "y of the flock")
  }
}))

check("a press gathers, a throw flies on, a click scatters", browser => withPage(browser, {}, async page => {
  await page.mouse("mouseMoved", 400, 500)
  await frames(page, 4, 1200)
  const wide = await flock(page)
  await page.mouse("mousePressed", 400, 500, 1)
  for (let i = 0; i < 14; i++) {
    await page.mouse("mouseMoved", 400 + i % 2, 500, 1)
    await pause(100)
  }
  await frames(page)
  const tight = await flock(page)
  expect(tight.spread < 0.7 * wide.spread, `gathered from ${wide.spread} to ${tight.spread}`)
  for (let i = 1; i <= 8; i++) await page.mouse("mouseMoved", 400 + 25 * i, 500, 1)
  await page.mouse("mouseReleased", 600, 500)
  await frames(page, 3, 900)
  const thrown = await flock(page)
  expect(thrown.x > 640, `thrown from 600 to ${thrown.x}`)
  const before = await flock(page)
  await page.click(thrown.x, thrown.y)
  let most = 0
  for (let i = 0; i < 8; i++) {
    await frames(page, 1)
    most = Math.max(most, (await flock(page)).spread)
  }
  expect(most > 1.25 * before.spread, `scattered from ${before.spread} to ${most}`)
}))

check("shapes and text form", browser => withPage(browser, { count: 20000 }, async page => {
  const shapes = {}
  for (const shape of ["sphere", "galaxy", "heart", "text"]) {
    await page.value(`document.querySelector("[value=${shape}]").click()`)
    await frames(page, 4, 2200)
    const now = await flock(page)
    expect(now.finite, `${shape} has numbers that are none`)
    shapes[shape] = now
    await keep(page, `shape-${shape}`)
    const seen = await particlesSeen(page)
    expect(seen.share > 0.01, `${shape} covers ${seen.share}`)
  }
  // Shapes turn, so that two of them may be as wide for a moment; then they differ in how dense their middle is.
  for (const [one, a] of Object.entries(shapes)) {
    for (const [other, b] of Object.entries(shapes)) {
      const differ = Math.abs(a.spread / b.spread - 1) > 0.02 || Math.abs(a.middle - b.middle) > 0.02
      expect(one === other || differ, `${one} and ${other} are alike: ${JSON.stringify(shapes)}`)
    }
  }
  await press(page, "#word")
  await page.value("document.getElementById('word').select()")
  await page.send("Input.insertText", { text: "i" })
  await frames(page, 4, 2200)
  expect((await flock(page)).spread < 0.5 * shapes.text.spread, "a shorter word is not narrower")
}))

check("the count goes from a thousand to a million", browser => withPage(browser, {}, async page => {
  await page.value("document.getElementById('count').focus()")
  await page.key("Home")
  await frames(page, 3)
  expect(await page.value("murmuration.hero.field.count") === 1000, "Home is not a thousand")
  await page.key("ArrowRight")
  await frames(page, 1)
  const more = await page.value("murmuration.hero.field.count")
  expect(more > 1000 && more < 1300, `one step is ${more}`)
  await page.key("End")
  await frames(page, 3)
  expect(await page.value("murmuration.hero.field.batch.count") === 1e6, "End is not a million")
  expect((await textOf(page, "lead-count")).replace(/\D/g, "") === "1000000", "the words do not say a million")
  expect((await flock(page)).finite, "a million has numbers that are none")
}))

// MARK: Engine

check("both modules have the bits of native programs", browser => withPage(browser, {}, async page => {
  for (const module of ["exact", "relaxed"]) {
    const hash = await page.value(`import("./murmuration.mjs").then(async ({ load }) =>
      "0x" + (await load({ module: "${module}" })).sameBitsHash().toString(16))`)
    expect(hash === sameBits, `${module}: ${hash}, wanted ${sameBits}`)
  }
}))

// MARK: Sections

check("duration and bounce have the model's numbers", browser => withPage(browser, {}, async page => {
  await box(page, "#spring-chart")
  // Recorded from SwiftUI: Spring(duration: 0.5, bounce: 0.15) is settled after 0.876827 s; the others follow its formulas.
  for (const [preset, settling] of [["0", "0.80"], ["0.15", "0.88"], ["0.3", "1.04"]]) {
    await press(page, `.presets [data-bounce="${preset}"]`)
    const words = await textOf(page, "spring-numbers")
    expect(words.includes(`settling ${settling} s`), `bounce ${preset}: ${words}`)
  }
  // 1 − (1 + π/2) · e^(−π/2)
  const value = await page.value(`import("./murmuration.mjs").then(({ spring }) =>
    murmuration.engine.springValue(spring({ duration: 1, bounce: 0 }), { times: [0.25] }).values[0])`)
  near(value, 0.4655839487, 1e-9, "the value at a quarter")
  await page.value("document.getElementById('duration').focus()")
  await page.key("ArrowRight")
  expect(await textOf(page, "duration-value") === "0.51 s", "an arrow key is not a step of the slider")
  expect(await page.value("murmuration.hero.field.springOptions.duration") === 0.51, "the flock has another spring")
  await frames(page, 3, 300)
  await keep(page, "springs")
  const { x, y, width, height } = await box(page, "#spring-chart"), picture = pixels(await page.picture())
  let warm = 0, cool = 0
  for (let px = Math.ceil(x); px < x + width - 1; px++) {
    for (let py = Math.ceil(y); py < y + height - 1; py++) {
      const [r, g, b] = picture.at(px, py)
      if (r > 200 && b < 150) warm++
      if (b > 200 && r < 170) cool++
    }
  }
  expect(warm > 500 && cool > 300, `the curves have ${warm} and ${cool} pixels`)
}))

check("the ball goes from end to end, and stays on its rail", browser => withPage(browser, { reduced: true }, async page => {
  const left = () => page.value("new DOMMatrix(getComputedStyle(document.getElementById('ball')).transform).e")
  const set = (duration, bounce) => page.value(`Object.entries({ duration: ${duration}, bounce: ${bounce} }).forEach(([id, value]) => {
    const slider = document.getElementById(id)
    slider.value = value
    slider.dispatchEvent(new Event("input"))
  })`)
  const room = await page.value("document.getElementById('rail').clientWidth - 64")
  const { cx, cy } = await box(page, "#rail")
  // A spring of this bounce overshoots by e^(−πζ/√(1−ζ²)) of its way.
  for (const [bounce, beyond] of [[0.3, 0.0459], [0.9, 0.7292]]) {
    const inset = room * beyond / (1 + 2 * beyond)
    await set(0.2, bounce)
    await frames(page, 3, 100)
    near(await left(), inset, 1, `the ball at first, bounce ${bounce}`)
    // Frames are few here, so the swing that is to be seen is slow. Then it is sent back from its turns, so that it would swing further and further.
    await set(1.2, bounce)
    const seen = page.value(`new Promise(done => {
      const seen = [], end = performance.now() + 4000
      requestAnimationFrame(function next() {
        seen.push(new DOMMatrix(getComputedStyle(document.getElementById("ball")).transform).e)
        performance.now() < end ? requestAnimationFrame(next) : done(seen)
      })
    })`)
    for (const milliseconds of [1800, 600, 600, 600]) {
      await page.click(cx, cy)
      await pause(milliseconds)
    }
    const places = await seen
    expect(Math.min(...places) > -0.5 && Math.max(...places) < room + 0.5, `it leaves the rail, 0 to ${room}: ${places}`)
    if (bounce > 0.5) expect(Math.max(...places) > room - 0.5 * inset, `it does not overshoot: ${Math.max(...places)} of ${room}`)
    await set(0.2, bounce)
    for (const end of ["right", "left"]) {
      await page.click(cx, cy)
      await frames(page, 3, 3000)
      near(await left(), end === "left" ? inset : room - inset, 2, `the ball at its ${end} end, bounce ${bounce}`)
    }
    await keep(page, `rail-${bounce}`)
  }
}))

check("what rests is not copied", browser => withPage(browser, { count: 2000, reduced: true }, async page => {
  const reads = (batch, milliseconds) => page.value(`(async () => {
    const batch = ${batch}, { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(batch), "values")
    let reads = 0
    Object.defineProperty(batch, "values", { configurable: true, get() { reads++; return get.call(batch) } })
    const end = performance.now() + ${milliseconds}
    while (performance.now() < end) await new Promise(requestAnimationFrame)
    delete batch.values
    return reads
  })()`)
  const flock = "murmuration.hero.field.batch", hearts = "murmuration.hearts.batch", tiles = "murmuration.tiles.batch"
  await page.value("document.querySelector('[value=heart]').click()")
  expect(await reads(flock, 300) > 0, "a heart that forms is not shown")
  await page.value(`new Promise(done => setTimeout(done, 1000 * (murmuration.hero.field.longest + 1)))`)
  expect(await reads(flock, 500) === 0, "a heart that rests is copied")
  await keep(page, "rest")
  const seen = await particlesSeen(page)
  expect(seen.share > 0.003, `particles of the heart cover ${seen.share}`)
  const { cx, cy } = await box(page, "#field")
  await page.click(cx, cy)
  expect(await reads(flock, 300) > 0, "a heart that is scattered is not shown")
  for (const [batch, id] of [[hearts, "crowd"], [tiles, "tiles"]]) {
    await box(page, `#${id}`)
    await frames(page, 4, 200)
    expect(await reads(batch, 500) === 0, `${id} is copied at rest`)
    await press(page, `#${id}`)
    expect(await reads(batch, 500) > 0, `${id} is not shown`)
    await frames(page, 2, 6000)
    expect(await reads(batch, 500) === 0, `${id} is copied at rest again`)
  }
}))

check("after a throw, the spring keeps the hand's velocity, and the curve does not", browser => withPage(browser, { reduced: true }, async page => {
  const { cx, cy, height } = await box(page, "#duel-spring")
  const x = number => page.value(`murmuration.duel.batch.values[${2 * number}]`)
  await page.mouse("mousePressed", cx, cy, 1)
  for (let i = 1; i <= 6; i++) await page.mouse("mouseMoved", cx + 12 * i, cy, 1)
  await frames(page)
  for (const number of [0, 1]) near(await x(number), 72 / (height / 2), 0.02, `disc ${number} in the hand`)
  await page.mouse("mouseReleased", cx + 72, cy)
  await frames(page, 3, 3000)
  for (const number of [0, 1]) near(await x(number), 0, 0.005, `disc ${number} at home`)
  // An arrow key throws with 6 half heights a second.
  await page.value("document.getElementById('duel-spring').focus()")
  const ahead = page.value(`new Promise(done => {
    const { batch } = murmuration.duel, begin = performance.now()
    let ahead = 0
    requestAnimationFrame(function next() {
      ahead = Math.max(ahead, batch.values[2] - batch.values[0])
      performance.now() - begin < 700 ? requestAnimationFrame(next) : done(ahead)
    })
  })`)
  await page.key("ArrowRight")
  expect(await ahead > 0.1, `the spring's disc is at most ${await ahead} half heights ahead`)
  await press(page, "#throw")
  await frames(page, 3, 150)
  await keep(page, "interruption")
}))

check("keyframes have recorded numbers", browser => withPage(browser, {}, async page => {
  // Printed by SwiftUI: cubics to 10, −10 and 0, each 0.2 s; a spring (0.4 s, bounce 0) to 10.
  const values = (keyframes, times) => page.value(`(() => {
    const batch = murmuration.engine.batch({ dimensions: 1 })
    batch.play(batch.loadClip([{ initial: 0, keyframes: ${JSON.stringify(keyframes)} }]), batch.add([0]))
    const values = ${JSON.stringify(times)}.map(time => { batch.advance(time); return batch.values[0] })
    batch.dispose()
    return values
  })()`)
  const cubics = [10, -10, 0].map(cubic => ({ cubic, duration: 0.2 }))
  const found = await values(cubics, [0.05, 0.1, 0.15, 0.25, 0.35, 0.5]), wanted = [1.797, 5.625, 9.141, 6.406, -6.406, -5.625]
  found.forEach((value, i) => near(value, wanted[i], 0.0006, `cubic ${i}`))
  const sprung = await values([{ spring: 10, duration: 0.4, options: { duration: 0.4, bounce: 0 } }], [0.05, 0.1, 0.2, 0.4])
  sprung.forEach((value, i) => near(value, [1.86, 4.656, 8.21, 9.864][i], 0.0006, `spring ${i}`))
}))

check("keyframes play: one heart, then thousands", browser => withPage(browser, { reduced: true }, async page => {
  await box(page, "#heart")
  const heights = page.value(`new Promise(done => {
    const heights = [], end = performance.now() + 2600, shape = document.getElementById("heart-shape")
    document.getElementById("heart").click()
    requestAnimationFrame(function next() {
      heights.push(+/translate\\(0 ([^)]*)/.exec(shape.getAttribute("transform"))[1])
      performance.now() < end ? requestAnimationFrame(next) : done(heights)
    })
  })`)
  await pause(900)
  await keep(page, "keyframes")
  const all = await heights
  // The track's springs head for 20 and −60.
  near(Math.min(...all), -62.5, 3, "the leap")
  await frames(page, 3, 1200)
  near(await page.value("+/translate\\(0 ([^)]*)/.exec(document.getElementById('heart-shape').getAttribute('transform'))[1]"), 0, 0.5, "where it lands")
}))

check("a wave of keyframes runs through thousands of hearts", browser => withPage(browser, {}, async page => {
  const { cx, cy } = await box(page, "#crowd")
  const busy = () => page.value(`(() => {
    const { batch, tracks } = murmuration.hearts, v = batch.values
    let n = 0
    for (let i = 0; i < v.length; i += 4) if (Math.abs(v[i] - 1) + Math.abs(v[i + 2]) > 0.05) n++
    return [n, tracks.count]
  })()`)
  await page.click(cx, cy)
  await frames(page, 2, 1300)
  const [moving, all] = await busy()
  expect(all > 2500, `there are ${all} hearts`)
  expect(moving > 0.3 * all, `${moving} of ${all} hearts move`)
  await keep(page, "hearts")
  await frames(page, 3, 6500)
  expect((await busy())[0] === 0, "hearts do not come to rest")
}))

check("phases follow one another, and come back to rest", browser => withPage(browser, { reduced: true }, async page => {
  const { x, y } = await box(page, "#tiles")
  const seen = page.value(`new Promise(done => {
    const names = [], chips = document.getElementById("chips"), watch = new MutationObserver(() => {
      const name = chips.querySelector("[aria-current]")?.textContent
      if (name && name !== names.at(-1)) names.push(name)
    })
    watch.observe(chips, { attributes: true, subtree: true })
    setTimeout(() => done(names), 5000)
  })`)
  await page.click(x + 12, y + 12)
  await frames(page, 2, 700)
  await keep(page, "phases")
  // A frame may be so late that it passes more than one.
  const names = await seen, places = names.map(name => ["lift", "turn", "glow", "rest"].indexOf(name))
  expect(names.length > 1 && places.at(-1) === 3 && places.every((place, i) => i === 0 || place > places[i - 1]),
    `the phases were ${names}`)
  await frames(page, 2, 2000)
  const rest = await page.value("[...murmuration.tiles.batch.values.slice(0, 4)]")
  rest.forEach((value, i) => near(value, [0, 0, 1, 0][i], 0.02, `component ${i} at rest`))
}))

// MARK: Ways to use it

check("the keyboard leads everywhere", browser => withPage(browser, {}, async page => {
  const focus = () => page.value("document.activeElement.id || document.activeElement.className || document.activeElement.name")
  const order = []
  for (let i = 0; i < 24; i++) {
    await page.key("Tab")
    order.push(await focus())
  }
  for (const id of ["skip", "field", "count", "duration", "bounce", "rail", "duel-curve", "duel-spring", "throw", "heart", "crowd", "crowd-play", "tiles", "tiles-play"]) {
    expect(order.includes(id), `Tab does not reach ${id}: ${order}`)
  }
  await page.value("scrollTo(0, 0); document.getElementById('field').focus()")
  await page.key("ArrowRight")
  const first = await page.value("murmuration.hero.field.leader.x")
  for (let i = 0; i < 3; i++) await page.key("ArrowRight")
  await frames(page, 2)
  const moved = await page.value("murmuration.hero.field.leader.x")
  expect(moved > first + 0.3, `arrow keys lead from ${first} to ${moved}`)
  await page.key(" ", "Space", " ")
  await frames(page, 2, 800)
  expect(await textOf(page, "status") === "Scattered", "the live region does not say what came of it")
  const { nodes } = await page.send("Accessibility.getFullAXTree")
  const nameless = nodes.filter(({ ignored, role, name }) =>
    !ignored && ["button", "slider", "textbox", "radio", "application", "image", "link", "group"].includes(role?.value)
    && !name?.value && role.value !== "group").map(({ role }) => role.value)
  expect(nameless.length === 0, `without a name: ${nameless}`)
}))

check("the live region keeps quiet while things move", browser => withPage(browser, {}, async page => {
  await page.value("globalThis.said = 0; new MutationObserver(() => said++).observe(document.getElementById('status'), { childList: true })")
  for (let i = 0; i < 10; i++) {
    await page.mouse("mouseMoved", 300 + 50 * i, 400)
    await pause(100)
  }
  expect(await page.value("said") === 0, "it speaks while the pointer moves")
}))

check("light is light, dark is dark", async browser => {
  for (const dark of [true, false]) {
    await withPage(browser, { dark }, async page => {
      await frames(page, 3, 900)
      await keep(page, dark ? "top-dark" : "top-light")
      const seen = await particlesSeen(page), [r, g, b] = pixels(await page.picture()).at(4, 4)
      expect(seen.share > 0.003, `particles cover ${seen.share}`)
      expect(dark ? r + g + b < 120 : r + g + b > 600, `the corner is ${[r, g, b]}`)
      if (!dark) {
        for (const part of ["springs", "interruption", "keyframes", "crowd", "phases", "tiles", "gallery", "race", "code"]) {
          await page.value(`document.getElementById("${part}").scrollIntoView({ block: "start" })`)
          await frames(page, 2, 1100)
          await keep(page, `light-${part}`)
        }
      }
    })
  }
})

check("with reduced motion, nothing moves unasked", browser => withPage(browser, { reduced: true }, async page => {
  await frames(page, 3, 1500)
  const values = () => page.value("[...murmuration.hero.field.batch.values.slice(0, 200)]")
  const before = await values()
  await frames(page, 3, 1000)
  expect(String(await values()) === String(before), "the flock moves")
  for (const part of ["springs", "keyframes", "crowd"]) {
    await box(page, `#${part}`)
    await frames(page, 2, 900)
  }
  const hearts = await page.value("[...murmuration.hearts.batch.values].every((v, i) => v === [1, 1, 0, 0][i % 4])")
  expect(hearts, "hearts move")
}))

check("without WebGL, Canvas draws", browser => withPage(browser, {
  before: `const get = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === "webgl2" ? null : get.call(this, kind, ...rest) }`,
}, async page => {
  await frames(page, 3, 900)
  expect((await textOf(page, "stat-module")).includes("Canvas"), "it does not say so")
  const seen = await particlesSeen(page)
  expect(seen.share > 0.003, `particles cover ${seen.share}`)
  for (const id of ["crowd", "tiles"]) {
    await press(page, `#${id}`)
    await frames(page, 3, 400)
    const drawn = await page.value(`(() => {
      const c = document.getElementById("${id}"), data = c.getContext("2d").getImageData(0, 0, c.width, c.height).data
      let n = 0
      for (let i = 3; i < data.length; i += 4) if (data[i] > 100) n++
      return n / c.width / c.height
    })()`)
    expect(drawn > 0.04, `${id} covers ${drawn}`)
    await keep(page, `canvas-${id}`)
  }
}))

check("without an engine, the page says so", async browser => {
  const page = await browser.open(address, { before: "delete globalThis.WebAssembly" })
  await page.until("document.querySelector('.broken[role=alert]')")
  await page.close()
})

// MARK: Times, which are only told

check("100 000 springs", browser => withPage(browser, { count: 100000 }, async page => {
  await page.mouse("mouseMoved", 800, 450)
  await frames(page, 20, 2000)
  await keep(page, "page", {})
  const told = {}
  for (const name of ["frame", "track", "upload", "module"]) told[name] = await textOf(page, `stat-${name}`)
  const first = await page.value("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
  const ready = await page.value("performance.getEntriesByName('ready')[0]?.startTime")
  console.log(`  told by the page: ${JSON.stringify(told)}; first paint ${Math.round(first)} ms, first frame of springs ${Math.round(ready)} ms`)
}))

await runChecks()

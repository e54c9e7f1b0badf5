// SPDX-License-Identifier: MIT
// What visitors take along from the page: curves for style sheets, measurements, addresses, the package and the examples.

import { pause, pixels } from "./browser.mjs"
import { address, box, check, expect, frames, keep, near, press, textOf, withPage } from "./page_tools.mjs"

// MARK: Curves

check("curves are what the style sheet's own easing shows", browser => withPage(browser, { reduced: true }, async page => {
  await box(page, "#gallery-list")
  await keep(page, "gallery")
  const wrong = await page.value(`(() => {
    const wrong = [], ball = document.createElement("div")
    document.body.append(ball)
    for (const direction of ["In", "Out", "InOut"]) {
      document.querySelector("[name=direction][value=" + direction + "]").click()
      for (const button of document.querySelectorAll("#gallery-list button")) {
        button.click()
        const { name, values, seconds } = murmuration.gallery.chosen, code = document.getElementById("gallery-code").textContent
        const [, duration, easing] = /^transition: translate ([\\d.]+)s (linear\\(.*\\));$/.exec(code) ?? []
        if (+duration !== seconds) wrong.push(name + ": " + code)
        const motion = ball.animate({ opacity: [0, 1] }, { duration: 1000, easing })
        motion.pause()
        let most = 0
        for (let i = 0; i < 1000; i += 7) {
          motion.currentTime = i
          most = Math.max(most, Math.abs(motion.effect.getComputedTiming().progress - values[i]))
        }
        motion.cancel()
        if (!(most < 0.0025)) wrong.push(direction + " " + name + " is " + most + " off")
      }
    }
    ball.remove()
    return wrong
  })()`)
  expect(wrong.length === 0, wrong.join("; "))
  const values = (direction, name) => page.value(`(() => {
    document.querySelector("[name=direction][value=${direction}]").click()
    const cards = [...document.querySelectorAll("#gallery-list button")]
    cards.find(button => button.textContent.trim() === "${name}").click()
    return [...murmuration.gallery.chosen.values]
  })()`)
  near((await values("Out", "Quad"))[500], 0.75, 1e-6, "the middle of easeOutQuad")
  near((await values("In", "Cubic"))[500], 0.125, 1e-6, "the middle of easeInCubic")
  await page.value("[...document.querySelectorAll('#gallery-list button')].find(b => b.textContent.trim() === 'Yours').click()")
  const before = await textOf(page, "gallery-code")
  await page.value("document.querySelector('.presets [data-bounce=\"0\"]').click()")
  expect(await textOf(page, "gallery-code") !== before, "the chosen spring does not follow the sliders")
  await press(page, "#gallery-copy")
  await frames(page, 2, 900)
  const said = await textOf(page, "status")
  expect(/copied$|^Selected/.test(said), `after Copy the page says “${said}”`)
}))

check("the ball of the gallery runs there and back", browser => withPage(browser, { reduced: true }, async page => {
  const { width } = await box(page, ".lane"), left = () => page.value("parseFloat(getComputedStyle(document.getElementById('gallery-ball')).left)")
  for (const [share, words] of [[0.8, "there"], [0.2, "back"]]) {
    await page.value("document.querySelector('#gallery-list button').click()")
    // A busy machine may begin late.
    await frames(page)
    await page.until("document.getElementById('gallery-ball').getAnimations().every(motion => motion.playState === 'finished')")
    near(await left(), share * (width - 2), 3, words)
  }
}))

// MARK: Measurements

check("the engine is measured beside plain loops, which agree", browser => withPage(browser, { reduced: true }, async page => {
  await press(page, "#race-start")
  await page.until("!document.getElementById('race-start').disabled", 120)
  const words = await textOf(page, "race-words")
  expect(words.includes("fastest"), words)
  const rows = await page.value(`[...document.getElementById("race-rows").rows].map(row =>
    [row.dataset.name, ...[...row.cells].slice(1).map(cell => parseFloat(cell.textContent))])`)
  expect(rows.length === 4 && rows.every(row => row.slice(1).every(number => number > 0)), `the rows are ${JSON.stringify(rows)}`)
  await box(page, "#race")
  await keep(page, "race")
  console.log(`  told: ${rows.map(([name, mine, loop, times]) => `${name} ${mine} and ${loop} ms, ${times} ×`).join("; ")}`)
}))

// MARK: Addresses

const settings = page => page.value(`({
  count: murmuration.hero.field.count, shape: murmuration.hero.field.shapeName, words: murmuration.hero.field.words,
  ...murmuration.hero.field.springOptions, ease: murmuration.gallery.chosen.name,
  direction: document.querySelector("[name=direction]:checked").value, module: murmuration.engine.module,
})`)

check("the address keeps the settings", async browser => {
  const query = "count=3000&shape=text&word=starling&duration=1.2&bounce=0.5&ease=Elastic&direction=In&module=exact"
  const wanted = { count: 3000, shape: "text", words: "starling", duration: 1.2, bounce: 0.5, ease: "Elastic", direction: "In", module: "exact" }
  let kept
  await withPage(browser, { query, reduced: true }, async page => {
    const found = await settings(page)
    expect(JSON.stringify(found) === JSON.stringify(wanted), `it opens with ${JSON.stringify(found)}`)
    await page.value("document.querySelector('[value=heart]').click()")
    await page.value("document.querySelector('.presets [data-bounce=\"0.15\"]').click()")
    await page.value("document.querySelectorAll('#gallery-list button')[2].click()")
    await page.until("location.search.includes('ease=Bouncy')")
    kept = (await page.value("location.search")).slice(1)
  })
  await withPage(browser, { query: kept, reduced: true }, async page => {
    const found = await settings(page), changed = { ...wanted, shape: "heart", words: "hello", duration: 0.5, bounce: 0.15, ease: "Bouncy" }
    // The word waits in its field, and the flock has formed no word yet.
    expect(JSON.stringify(found) === JSON.stringify(changed), `${kept} opens with ${JSON.stringify(found)}`)
    expect(await page.value("document.getElementById('word').value") === "starling", "the word is lost")
  })
  await withPage(browser, { query: "count=x&shape=none&duration=&bounce=y&ease=none&direction=none&module=none", reduced: true }, async page => {
    const { count, shape, duration, bounce, ease, direction } = await settings(page)
    const found = JSON.stringify([count, shape, duration, bounce, ease, direction])
    expect(found === '[100000,"flock",0.6,0.3,"Snappy","Out"]', `with an address of nonsense: ${found}`)
  })
})

// MARK: Package and examples

check("the package and the examples are there", browser => withPage(browser, { reduced: true }, async page => {
  const links = await page.value(`Promise.all([...document.querySelectorAll(".links a")].map(({ href }) => href)
    .filter(href => href.startsWith(location.origin)).map(async href => [href, (await fetch(href)).status]))`)
  expect(links.length === 4 && links.every(([, status]) => status === 200), `links: ${JSON.stringify(links)}`)
  expect(await textOf(page, "install-address") === links[0][0], "npm is told another address")
}))

/** Opens an example, and wants no error and no request elsewhere. */
const checkExample = (name, options, body) => check(`the example ${name} runs`, async browser => {
  const page = await browser.open(`${address}examples/${name}.html`, options)
  await body(page)
  await keep(page, `example-${name}`)
  // Browsers ask for an icon of their own accord.
  const problems = page.problems.filter(problem => !problem.includes("favicon.ico"))
  expect(problems.length === 0, `the console says: ${problems.join("; ")}`)
  expect(page.requests.every(url => url.startsWith(address)), `it asked elsewhere: ${page.requests}`)
  await page.close()
})

checkExample("ball", {}, async page => {
  const place = "new DOMMatrix(getComputedStyle(document.getElementById('ball')).transform)"
  await page.until(`document.getElementById("ball") && ${place}.e > 0`)
  await page.click(420, 310)
  await page.until(`Math.hypot(${place}.e - 420, ${place}.f - 310) < 0.5`)
})

checkExample("instances", { width: 480, height: 300 }, async page => {
  await page.until("globalThis.example?.renderer.info.render.frame > 0", 90)
  // All are moved, and few are drawn: the processor draws one after the other here, some in a millisecond.
  expect(await page.value("example.renderer.info.render.triangles") === 400000, "three.js does not draw 100 000 instances")
  await page.value("example.mesh.count = 3000")
  const arrived = shape => `(() => {
    const { mesh, shapes: { [${shape}]: goals } } = example, matrices = mesh.instanceMatrix.array
    for (let i = 0; i < 100000; i += 97) {
      for (let k = 0; k < 3; k++) if (!(Math.abs(matrices[16 * i + 12 + k] - goals[3 * i + k]) < 0.01)) return false
      if (matrices[16 * i + 15] !== 1) return false
    }
    return matrices.length === 1600000
  })()`
  await page.until(arrived(0), 60)
  await page.click(300, 200)
  await page.until(arrived(1), 60)
  const { width, height, at } = pixels(await page.picture())
  let lit = 0
  for (let x = 0; x < width; x += 3) for (let y = 0; y < height; y += 3) if (Math.max(...at(x, y)) > 100) lit++
  expect(9 * lit > 0.005 * width * height, `${9 * lit} of ${width * height} pixels are lit`)
})

checkExample("offscreen", { width: 900, height: 600 }, async page => {
  for (const [x, y] of [[600, 300], [300, 350]]) {
    let seen
    for (let patience = 0; patience < 60; patience++) {
      await page.mouse("mouseMoved", x, y)
      await pause(250)
      const { width, height, at } = pixels(await page.picture())
      seen = { n: 0, x: 0, y: 0 }
      for (let px = 0; px < width; px++) {
        for (let py = 60; py < height; py++) {
          const [r, , b] = at(px, py)
          if (r > 150 && r > b + 40) seen = { n: seen.n + 1, x: seen.x + px, y: seen.y + py }
        }
      }
      if (seen.n && Math.hypot(seen.x / seen.n - x, seen.y / seen.n - y) < 5) break
    }
    near(seen.x / seen.n, x, 5, "x of the dots")
    near(seen.y / seen.n, y, 5, "y of the dots")
  }
})

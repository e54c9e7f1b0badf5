// SPDX-License-Identifier: MIT
// The page on phones, upright and on their sides, and in windows: nothing is cut off, nothing lies on something else.

import { pause } from "./browser.mjs"
import { check, expect, flock, frames, keep, near, pictures, withPage } from "./page_tools.mjs"

/** What is wrong with the texts of a page: those that are cut off at an edge or by a box, and those that lie on each other. */
const textFaults = page => page.value(`(() => {
  const faults = [], seen = []
  const name = text => JSON.stringify(text.data.trim().slice(0, 24))
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const parent = text.parentElement
    if (!text.data.trim() || !parent.checkVisibility() || parent.closest(".hidden, .skip, script, noscript")) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue
      let left = 0, right = innerWidth
      for (let cut = parent; cut !== document.body; cut = cut.parentElement) {
        const { overflowX } = getComputedStyle(cut), { left: l, right: r } = cut.getBoundingClientRect()
        if (overflowX !== "visible") { left = Math.max(left, l); right = Math.min(right, r) }
      }
      if (box.left < left - 1 || box.right > right + 1) faults.push(name(text) + " is cut off")
      for (const [other, place] of seen) {
        const wide = Math.min(box.right, place.right) - Math.max(box.left, place.left)
        const high = Math.min(box.bottom, place.bottom) - Math.max(box.top, place.top)
        if (other !== parent && wide > 1 && high > 5) faults.push(name(text) + " lies on " + JSON.stringify(other.textContent.slice(0, 24)))
      }
      seen.push([parent, box])
    }
  }
  return faults
})()`)

/** Pairs of parts of the first screen that lie on each other. */
const overlaps = page => page.value(`(() => {
  const parts = [".hero-text", ".stats", ".dock", ".onward", ".segments", ".word", ".dock .slide"].map(s => [s, document.querySelector(s)])
  const faults = []
  for (const [a, one] of parts) {
    for (const [b, other] of parts) {
      if (a >= b || one.contains(other) || other.contains(one) || !one.checkVisibility() || !other.checkVisibility()) continue
      const p = one.getBoundingClientRect(), q = other.getBoundingClientRect()
      if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1) faults.push(a + " on " + b)
    }
  }
  return faults
})()`)

for (const [width, height] of [[320, 568], [360, 640], [390, 844], [568, 320], [667, 375], [844, 390], [900, 700], [1280, 800]]) {
  check(`a window of ${width} × ${height} shows all of it`, browser => withPage(browser, { width, height, touch: width < 900, reduced: true }, async page => {
    for (const shape of ["flock", "text"]) {
      await page.value(`document.querySelector("[value=${shape}]").click()`)
      await frames(page, 3, 300)
      const wide = await page.value("document.documentElement.scrollWidth")
      expect(wide <= width, `the page is ${wide} px wide`)
      const wrong = [...await overlaps(page), ...await textFaults(page)]
      expect(wrong.length === 0, `with ${shape}: ${wrong.join("; ")}`)
      const bottom = await page.value("document.querySelector('.dock').getBoundingClientRect().bottom")
      expect(bottom <= height, `the dock ends at ${bottom}`)
      const gaps = await page.value(`[...document.querySelectorAll(".dock .segments label")].map(e => {
        const range = document.createRange()
        range.selectNodeContents(e.querySelector("span"))
        return range.getBoundingClientRect()
      }).map((box, i, all) => i ? box.left - all[i - 1].right : Infinity)`)
      expect(Math.min(...gaps.filter(gap => gap !== null)) >= 8, `labels run together: ${gaps}`)
      await keep(page, `window-${width}-${shape}`)
    }
    for (const part of pictures ? ["springs", "interruption", "keyframes", "phases", "gallery", "race", "code"] : []) {
      await page.value(`document.getElementById("${part}").scrollIntoView({ block: "start" })`)
      await frames(page, 2, 300)
      await keep(page, `window-${width}-${part}`)
    }
  }))
}

check("a finger leads", browser => withPage(
  browser, { width: 390, height: 844, ratio: 2, touch: true }, async page => {
    await frames(page, 3, 900)
    const touch = (type, ...points) => page.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) })
    await touch("touchStart", [200, 520])
    for (let i = 1; i <= 14; i++) {
      await touch("touchMove", [200 - 6 * i, 520])
      await pause(100)
    }
    await frames(page, 2)
    const { x, y } = await flock(page)
    near(x, 116, 45, "x of the flock")
    near(y, 520, 45, "y of the flock")
    await touch("touchEnd")
  }))

// SPDX-License-Identifier: MIT
// Helpers of the checks of the page: they open it, use it and look at it.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Browser, pause, pixels } from "./browser.mjs"

export const [address, sameBits, pictures] = process.argv.slice(2)
if (pictures) mkdirSync(pictures, { recursive: true })

const checks = []
/** Adds a check: `run(browser)` throws what is wrong. */
export const check = (name, run) => checks.push({ name, run })

export function expect(condition, words) {
  if (!condition) throw new Error(words)
}

export const near = (value, wanted, tolerance, words) =>
  expect(Math.abs(value - wanted) <= tolerance, `${words}: ${value}, wanted ${wanted} ± ${tolerance}`)

/** Opens the page, runs a check on it, and wants no error on its console and no request elsewhere. */
export async function withPage(browser, options, body) {
  const page = await browser.open(`${address}?${options.query ?? `count=${options.count ?? 4000}`}`, options)
  await page.until("globalThis.murmuration")
  await page.value("document.documentElement.style.scrollBehavior = 'auto'")
  await body(page)
  expect(page.problems.length === 0, `the console says: ${page.problems.join("; ")}`)
  const elsewhere = page.requests.filter(url => !url.startsWith(address) && !url.startsWith("data:"))
  expect(elsewhere.length === 0, `it asked elsewhere: ${elsewhere}`)
  await page.close()
}

/** Lets the page paint at least so many frames, and some time pass. */
export async function frames(page, count = 2, milliseconds = 0) {
  await pause(milliseconds)
  await page.value(`new Promise(done => {
    let left = ${count}
    requestAnimationFrame(function next() { left-- > 0 ? requestAnimationFrame(next) : done() })
  })`)
}

/** Mean and spread of the flock, in CSS pixels, and the share of it that is within half of the spread from the mean. */
export const flock = page => page.value(`(() => {
  const { batch, count } = murmuration.hero.field, v = batch.values, canvas = document.getElementById("field")
  const w = canvas.clientWidth, h = canvas.clientHeight, unit = Math.min(w, h) / 2
  let x = 0, y = 0, xx = 0
  for (let i = 0; i < count; i++) { x += v[2 * i]; y += v[2 * i + 1] }
  x /= count; y /= count
  const squares = Array.from({ length: count }, (_, i) => (v[2 * i] - x) ** 2 + (v[2 * i + 1] - y) ** 2)
  for (const square of squares) xx += square
  return {
    x: w / 2 + x * unit, y: h / 2 + y * unit, spread: unit * Math.sqrt(xx / count), finite: isFinite(x + y + xx),
    middle: squares.filter(square => square < xx / count / 4).length / count,
  }
})()`)

/** Scrolls to an element, and returns its box. */
export async function box(page, selector) {
  await page.value(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: "center" })`)
  await frames(page)
  return page.value(`(() => {
    const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()
    return { x, y, width, height, cx: x + width / 2, cy: y + height / 2 }
  })()`)
}

export const textOf = (page, id) => page.value(`document.getElementById("${id}").textContent`)

export async function press(page, selector) {
  const { cx, cy } = await box(page, selector)
  await page.click(cx, cy)
}

export async function keep(page, name, options = {}) {
  if (pictures) writeFileSync(join(pictures, `${name}.png`), await page.picture(options.full))
}

/** Where the hero's picture differs from the same without particles: share, and mean place. */
export async function particlesSeen(page) {
  const shown = pixels(await page.picture())
  await page.value("document.getElementById('field').style.visibility = 'hidden'")
  await frames(page)
  const bare = pixels(await page.picture())
  await page.value("document.getElementById('field').style.visibility = ''")
  let count = 0, x = 0, y = 0
  for (let py = 0; py < shown.height; py += 2) {
    for (let px = 0; px < shown.width; px += 2) {
      const a = shown.at(px, py), b = bare.at(px, py)
      if (Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) > 40) { count++; x += px; y += py }
    }
  }
  return { share: 4 * count / (shown.width * shown.height), x: x / count, y: y / count }
}

/** Runs the checks that ONLY names, three at a time in browsers of their own since most of them wait, and ends the program. */
export async function runChecks() {
  const left = checks.filter(({ name }) => name.includes(process.env.ONLY ?? ""))
  let passed = 0, failed = 0
  async function runInBrowser() {
    const browser = await Browser.launch()
    for (let next; (next = left.shift());) {
      const begin = Date.now()
      try {
        await next.run(browser)
        passed++
        console.log(`✔ ${next.name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`)
      } catch (error) {
        failed++
        console.log(`✘ ${next.name}: ${error.message}`)
      }
    }
    await browser.close()
  }
  await Promise.all([runInBrowser(), runInBrowser(), runInBrowser()])
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed || !passed ? 1 : 0)
}

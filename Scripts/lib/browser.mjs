// SPDX-License-Identifier: MIT
// Drives a headless Chromium through the DevTools protocol, over its pipe: no package is needed.

import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inflateSync } from "node:zlib"

const flags = [
  "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-extensions", "--mute-audio",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
  "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--hide-scrollbars", "--force-color-profile=srgb",
]

/** A running browser. */
export class Browser {
  #next = 1
  #waiting = new Map()
  #listeners = new Set()
  #received = ""

  static async launch(program = process.env.CHROMIUM ?? "chromium", more = []) {
    const profile = mkdtempSync(join(tmpdir(), "murmuration-browser-"))
    const child = spawn(program, [...flags, ...more, `--user-data-dir=${profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    })
    return new Browser(child, profile)
  }

  constructor(child, profile) {
    this.child = child
    this.profile = profile
    child.stdio[4].on("data", data => this.#take(data))
    child.on("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser ended"))
    })
    child.on("error", error => { for (const { reject } of this.#waiting.values()) reject(error) })
  }

  #take(data) {
    const parts = (this.#received + data).split("\0")
    this.#received = parts.pop()
    for (const part of parts) {
      const message = JSON.parse(part), waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (!waiting) for (const listener of this.#listeners) listener(message)
      else if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`))
      else waiting.resolve(message.result)
    }
  }

  send(method, params = {}, sessionId) {
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, method })
      this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0")
    })
  }

  listen(listener) { this.#listeners.add(listener) }

  /** Opens an address in a fresh page. */
  async open(address, options) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" })
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true })
    const page = new Page(this, sessionId, targetId)
    await page.prepare(options)
    await page.send("Page.navigate", { url: address })
    return page
  }

  async close() {
    const ended = new Promise(resolve => this.child.once("exit", resolve))
    this.send("Browser.close").catch(() => {})
    await ended
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** One page: its errors, and the addresses that it asked for. */
class Page {
  problems = []
  requests = []

  constructor(browser, sessionId, targetId) {
    Object.assign(this, { browser, sessionId, targetId })
    browser.listen(({ method, params, sessionId }) => {
      if (sessionId !== this.sessionId) return
      if (method === "Runtime.exceptionThrown") {
        const { exceptionDetails } = params
        this.problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text)
      }
      if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
        this.problems.push(params.args.map(argument => argument.value ?? argument.description).join(" "))
      }
      if (method === "Log.entryAdded" && params.entry.level === "error") {
        this.problems.push(`${params.entry.text} ${params.entry.url ?? ""}`)
      }
      if (method === "Network.requestWillBeSent") this.requests.push(params.request.url)
    })
  }

  async prepare({ width = 1280, height = 800, ratio = 1, dark = true, reduced = false, touch = false, before } = {}) {
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.send(`${domain}.enable`)
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile: touch })
    await this.send("Emulation.setTouchEmulationEnabled", { enabled: touch })
    await this.send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
        { name: "prefers-reduced-motion", value: reduced ? "reduce" : "no-preference" },
      ],
    })
    if (before) await this.send("Page.addScriptToEvaluateOnNewDocument", { source: before })
  }

  send(method, params) { return this.browser.send(method, params, this.sessionId) }

  /** The value of an expression in the page; promises are awaited. */
  async value(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true, userGesture: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }

  /** Waits until an expression is true. */
  async until(expression, seconds = 30) {
    const end = Date.now() + 1000 * seconds
    for (;;) {
      const value = await this.value(`Boolean(${expression})`)
      if (value) return
      if (Date.now() > end) throw new Error(`it never came true: ${expression}; ${this.problems.join("; ")}`)
      await pause(50)
    }
  }

  async mouse(type, x, y, buttons = 0) {
    const button = type === "mouseMoved" && !buttons ? "none" : "left"
    await this.send("Input.dispatchMouseEvent", { type, x, y, button, buttons, clickCount: type === "mouseMoved" ? 0 : 1 })
  }

  async click(x, y) {
    await this.mouse("mousePressed", x, y, 1)
    await this.mouse("mouseReleased", x, y)
  }

  /** Presses the mouse at the first of some points, moves through them, and lets go at the last. */
  async drag(points, milliseconds = 16) {
    await this.mouse("mousePressed", ...points[0], 1)
    for (const point of points.slice(1)) {
      await pause(milliseconds)
      await this.mouse("mouseMoved", ...point, 1)
    }
    await this.mouse("mouseReleased", ...points.at(-1))
  }

  async key(key, code = key, text) {
    const number = { Tab: 9, Enter: 13, " ": 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key]
    const common = { key, code, windowsVirtualKeyCode: number }
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...common })
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common })
  }

  /** A picture of what is in view, as the bytes of a PNG. */
  async picture(full = false) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: full })
    return Buffer.from(data, "base64")
  }

  async close() { await this.browser.send("Target.closeTarget", { targetId: this.targetId }) }
}

export const pause = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** The pixels of a PNG of 8 bits a channel, without a palette and not interlaced, as Chromium writes them. */
export function pixels(png) {
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20), size = { 2: 3, 6: 4 }[png[25]]
  if (png[24] !== 8 || !size || png[28]) throw new Error("a PNG of another kind")
  const parts = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(parts)), row = width * size, data = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)], from = y * (row + 1) + 1, to = y * row
    for (let i = 0; i < row; i++) {
      const left = i >= size ? data[to + i - size] : 0, up = y ? data[to + i - row] : 0
      const corner = i >= size && y ? data[to + i - row - size] : 0
      let guess = 0
      if (filter === 1) guess = left
      else if (filter === 2) guess = up
      else if (filter === 3) guess = (left + up) >> 1
      else if (filter === 4) {
        const p = left + up - corner, a = Math.abs(p - left), b = Math.abs(p - up), c = Math.abs(p - corner)
        guess = a <= b && a <= c ? left : b <= c ? up : corner
      }
      data[to + i] = raw[from + i] + guess
    }
  }
  return { width, height, at: (x, y) => [...data.subarray(y * row + x * size, y * row + x * size + 3)] }
}

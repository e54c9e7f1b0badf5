// SPDX-License-Identifier: MIT
// The numbers in the corner: means over the last frames, shown four times a second.

import { $ } from "./page.js"

export class Meter {
  engine = 0
  upload = 0
  #frames = 0
  #since = 0
  #sums = [0, 0]

  /** Takes the milliseconds of one frame. */
  add(engine, upload, time, tracks) {
    this.#sums[0] += engine
    this.#sums[1] += upload
    this.#frames++
    const passed = time - this.#since
    if (passed < 0.25) return
    this.engine = this.#sums[0] / this.#frames
    this.upload = this.#sums[1] / this.#frames
    $("stat-frame").textContent = `${this.engine.toFixed(2)} ms`
    $("stat-track").textContent = `${(this.engine * 1e6 / tracks).toFixed(1)} ns`
    $("stat-upload").textContent = `${this.upload.toFixed(2)} ms`
    this.#since = time
    this.#frames = 0
    this.#sums = [0, 0]
  }
}

// SPDX-License-Identifier: MIT
// Lines on a canvas of any size: axes of the caller's units, colours of the style sheet.

import { color, fit, onRecolor } from "./page.js"

export class Chart {
  /** `paint(chart)` draws all; it is called when the size or the colours change, and by `redraw`. */
  constructor(canvas, paint) {
    this.context = canvas.getContext("2d")
    this.paint = paint
    fit(canvas, (width, height, ratio) => {
      Object.assign(this, { width, height, ratio })
      this.redraw()
    })
    onRecolor(() => this.redraw())
  }

  redraw() {
    if (!this.width) return
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0)
    this.context.clearRect(0, 0, this.width, this.height)
    this.paint(this)
  }

  /** Sets the range of both axes, with room around them in pixels: left, top, right, bottom. */
  range(x0, x1, y0, y1, [left, top, right, bottom] = [0, 4, 0, 4]) {
    this.x = x => left + (x - x0) / (x1 - x0) * (this.width - left - right)
    this.y = y => this.height - bottom - (y - y0) / (y1 - y0) * (this.height - top - bottom)
  }

  line(xs, ys, name, width = 2.5) {
    const { context } = this
    context.beginPath()
    for (let i = 0; i < xs.length; i++) context.lineTo(this.x(xs[i]), this.y(ys[i]))
    context.lineWidth = width
    context.lineJoin = context.lineCap = "round"
    context.strokeStyle = color(name)
    context.stroke()
  }

  rule(x0, y0, x1, y1, name = "line", dash = []) {
    const { context } = this
    context.beginPath()
    context.setLineDash(dash)
    context.moveTo(this.x(x0), this.y(y0))
    context.lineTo(this.x(x1), this.y(y1))
    context.lineWidth = 1
    context.strokeStyle = color(name)
    context.stroke()
    context.setLineDash([])
  }

  dot(x, y, name, radius = 5) {
    const { context } = this
    context.beginPath()
    context.arc(this.x(x), this.y(y), radius, 0, 7)
    context.fillStyle = color(name)
    context.fill()
  }

  /** Text at a place in pixels. */
  text(words, x, y, name = "ink-2", align = "left") {
    const { context } = this
    context.font = "500 13px system-ui, -apple-system, 'Segoe UI', Inter, Roboto, sans-serif"
    context.textAlign = align
    context.fillStyle = color(name)
    context.fillText(words, x, y)
  }
}

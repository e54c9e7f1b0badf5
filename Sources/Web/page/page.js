// SPDX-License-Identifier: MIT
// What every part of the page needs: elements, numbers as text, colours, sizes, announcements.

export const $ = id => document.getElementById(id)

/** A count with thin spaces between thousands: 100 000. */
export const grouped = count => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f")

const stillness = matchMedia("(prefers-reduced-motion: reduce)")
/** Whether things shall move only when asked to. */
export const isStill = () => stillness.matches

const palette = {}
const dark = matchMedia("(prefers-color-scheme: dark)")
export const isDark = () => dark.matches

function readPalette() {
  const style = getComputedStyle(document.documentElement)
  for (const name of ["ink", "ink-2", "ink-3", "line", "warm", "cool", "rose", "paper", "paper-2", "p0", "p1", "p2", "heart-calm", "tile-calm"]) {
    palette[name] = style.getPropertyValue("--" + name).trim()
  }
}
readPalette()
dark.addEventListener("change", () => {
  readPalette()
  for (const change of recolor) change()
})
const recolor = new Set()

/** A colour of the style sheet, as CSS. */
export const color = name => palette[name]

/** A colour of the style sheet (#rrggbb), as three numbers from 0 to 1. */
export function channels(name) {
  const bits = parseInt(palette[name].slice(1), 16)
  return [(bits >> 16) / 255, ((bits >> 8) & 255) / 255, (bits & 255) / 255]
}

/** Calls `change` when the page goes from light to dark or back. */
export const onRecolor = change => recolor.add(change)

/** Keeps a canvas as fine as the screen, and calls `resized(width, height, ratio)`, in CSS pixels, now and on each change. */
export function fit(canvas, resized) {
  const update = () => {
    const width = canvas.clientWidth, height = canvas.clientHeight
    const ratio = Math.min(devicePixelRatio || 1, 2)
    if (!width || !height) return
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    resized(width, height, ratio)
  }
  new ResizeObserver(update).observe(canvas)
  update()
}

let announcing
/** Tells a screen reader what has come of an action, once things are quiet. */
export function announce(text) {
  clearTimeout(announcing)
  announcing = setTimeout(() => { $("status").textContent = text }, 500)
}

/** Shows a slider's fill, and what its value means. */
export function label(slider, output, text) {
  const share = (slider.value - slider.min) / (slider.max - slider.min)
  slider.style.setProperty("--fill", share * 100 + "%")
  slider.setAttribute("aria-valuetext", text)
  output.textContent = text
}

// SPDX-License-Identifier: MIT
// The settings that the page's address keeps, so that a link opens the page as it is: shape, word, count, duration, bounce, ease, module.

const settings = new URLSearchParams(location.search)
let writing

/** What the address says about a setting; null if nothing. */
export const setting = name => settings.get(name)

/** The number that the address gives a setting; `usual` if it gives none. */
export function number(name, usual) {
  const value = parseFloat(settings.get(name))
  return Number.isFinite(value) ? value : usual
}

/** Writes a setting into the address once things are quiet, for browsers limit how often it may change. The usual value is left out. */
export function keep(name, value, usual) {
  if (String(value) === String(usual)) settings.delete(name)
  else settings.set(name, value)
  clearTimeout(writing)
  writing = setTimeout(() => {
    const query = String(settings)
    history.replaceState(history.state, "", location.pathname + (query && "?" + query) + location.hash)
  }, 300)
}

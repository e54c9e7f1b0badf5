// SPDX-License-Identifier: MIT
// Errors, and checks of what JavaScript gives to a call: C takes only what has the right type.

/** Everything that goes wrong: `code` is the C surface's name of it, `message` its words. */
export class MurmurationError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.name = "MurmurationError";
    this.code = code;
  }
}

/** The keys that an object of options may have; others are misspelt. */
export function checkKeys(options, keys, what) {
  if (options === null || typeof options !== "object") throw new TypeError(`${what} must be an object, is ${options}`);
  for (const key of Object.keys(options)) {
    if (!keys.includes(key)) throw new TypeError(`${what} has no '${key}'; it has ${keys.join(", ")}`);
  }
}

/** The options of a call, of which none is misspelt. */
export function known(options, keys) {
  checkKeys(options, keys, "the options");
  return options;
}

export function isList(values) {
  return values !== null && typeof values === "object" && Number.isInteger(values.length);
}

export function checkLength(values, count, what) {
  if (!isList(values)) throw new TypeError(`${what} must be an array, is ${values}`);
  if (values.length !== count) {
    throw new MurmurationError("invalidCount", `${what} must have ${count} numbers, has ${values.length}`);
  }
}

/** A whole number that C takes as a count. */
export function whole(number, what) {
  if (!Number.isInteger(number) || number < 0 || number > 0x7fffffff) {
    throw new MurmurationError("invalidCount", `${what} must be a whole number from 0 on, is ${number}`);
  }
  return number;
}

/** A number as C takes it: with anything else a call would stop the module. */
export function real(number, what) {
  if (typeof number !== "number") throw new TypeError(`${what} must be a number, is ${number}`);
  return number;
}

/** Numbers of a list, with NaN for what is none: arrays of WebAssembly would take null for 0, and "5" for 5. */
export function numbersOf(values) {
  if (ArrayBuffer.isView(values)) return values;
  for (let place = 0; place < values.length; place++) {
    if (typeof values[place] !== "number") return Array.from(values, (value) => (isNumber(value) ? value : NaN));
  }
  return values;
}
// A bigint is refused where it is stored.
const isNumber = (value) => typeof value === "number" || typeof value === "bigint";

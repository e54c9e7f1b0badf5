// SPDX-License-Identifier: MIT
// Springs, curves and their modifiers, in the forms of the C surface.
import { MurmurationError, checkKeys, real } from "./checks.mjs";

const springForms = [
  ["stiffness", ["mass", "stiffness", "damping", "allowOverDamping"],
    ({ mass = 1, stiffness, damping, allowOverDamping }) => [allowOverDamping ? 3 : 2, mass, stiffness, damping]],
  ["settlingDuration", ["settlingDuration", "dampingRatio", "epsilon"],
    ({ settlingDuration, dampingRatio, epsilon = 0.001 }) => [4, settlingDuration, dampingRatio, epsilon]],
  ["response", ["response", "dampingRatio"], ({ response, dampingRatio }) => [1, response, dampingRatio, 0]],
  ["", ["duration", "bounce"], ({ duration = 0.5, bounce = 0 }) => [0, duration, bounce, 0]],
];

/** The form and the parameters of a spring in the C surface. */
export function springForm(options, more = []) {
  const [, keys, form] = springForms.find(([key]) => !key || (options && key in options));
  checkKeys(options, [...keys, ...more], "a spring");
  return form(options).map((number) => real(number, "a number of a spring"));
}

const families = ["Sine", "Quad", "Cubic", "Quart", "Quint", "Expo", "Circ", "Back", "Elastic", "Bounce"];
const curveNames = [
  "linear", "easeIn", "easeOut", "easeInOut", "circularEaseIn", "circularEaseOut", "circularEaseInOut",
  ...families.flatMap((family) => [`easeIn${family}`, `easeOut${family}`, `easeInOut${family}`]),
];
const bezierKind = 7;

/** The kind and the control points of a curve in the C surface. */
export function curveForm(curve) {
  if (Array.isArray(curve) && curve.length === 4) return [bezierKind, ...curve.map((number) => real(number, "a number of a curve"))];
  const kind = curveNames.indexOf(curve);
  if (kind < 0) throw new TypeError(`a curve is four numbers or one of ${curveNames.join(", ")}, not ${curve}`);
  return [kind < bezierKind ? kind : kind + 1, 0, 0, 0, 0];
}

export const kinds = { spring: 1, interpolatingSpring: 2, curve: 3 };
const modifiers = { delay: 1, speed: 2, repeat: 3, repeatAutoreversed: 4 };
const maximumModifiers = 8;

export class Animation {
  constructor(fields) {
    Object.assign(this, { springForm: [0, 0, 0, 0], curveForm: [0, 0, 0, 0, 0], velocity: 0, duration: 0, modifiers: [] }, fields);
    Object.freeze(this);
  }
  #with(kind, value) {
    if (this.modifiers.length === maximumModifiers) {
      throw new MurmurationError("invalidAnimation", `an animation has at most ${maximumModifiers} modifiers`);
    }
    return new Animation({ ...this, modifiers: [...this.modifiers, [modifiers[kind], real(value, `the number of ${kind}`)]] });
  }
  delay(seconds) { return this.#with("delay", seconds); }
  speed(factor) { return this.#with("speed", factor); }
  repeat(count, autoreverses = true) { return this.#with(autoreverses ? "repeatAutoreversed" : "repeat", count); }
  repeatForever(autoreverses = true) { return this.repeat(Infinity, autoreverses); }
}

export function spring(options = {}) {
  return new Animation({ kind: kinds.spring, springForm: springForm(options), spring: Object.freeze({ ...options }) });
}
export const smooth = (duration = 0.5, extraBounce = 0) => spring({ duration, bounce: extraBounce });
export const snappy = (duration = 0.5, extraBounce = 0) => spring({ duration, bounce: 0.15 + extraBounce });
export const bouncy = (duration = 0.5, extraBounce = 0) => spring({ duration, bounce: 0.3 + extraBounce });
/** The animation of a call that names none, as SwiftUI's `.default`. */
export const standard = spring();
export function interpolatingSpring(options = {}) {
  const { velocity = 0 } = options;
  return new Animation({
    kind: kinds.interpolatingSpring, springForm: springForm(options, ["velocity"]), velocity: real(velocity, "the velocity") });
}
export function curve(curve, duration = 0.35) {
  return new Animation({ kind: kinds.curve, curveForm: curveForm(curve), duration: real(duration, "the duration") });
}
export const linear = (duration) => curve("linear", duration);
export const easeIn = (duration) => curve("easeIn", duration);
export const easeOut = (duration) => curve("easeOut", duration);
export const easeInOut = (duration) => curve("easeInOut", duration);

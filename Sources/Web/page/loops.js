// SPDX-License-Identifier: MIT
// Springs without the engine: loops over typed arrays, as fast as we could write them. They compute what the engine does in a frame,
// but do not look for springs that have come to rest, and report nothing.

const constants = ({ duration, bounce }) => {
  const natural = 2 * Math.PI / duration, ratio = 1 - bounce
  return { decay: natural * ratio, frequency: natural * Math.sqrt(1 - ratio * ratio) }
}

// 2^−n for n in 0…1100.
const powers = Float64Array.from({ length: 1101 }, (_, n) => 2 ** -n)

/** The closed form of springs of their own. `bounce` is above 0. */
export function ownSprings(from, to, springs) {
  const count = from.length, values = new Float32Array(count)
  const [decay, frequency, a, b] = Array.from({ length: 4 }, () => new Float32Array(count))
  for (let i = 0; i < count; i++) {
    const one = constants(springs[i])
    decay[i] = one.decay
    frequency[i] = one.frequency
    a[i] = from[i] - to[i]
    b[i] = one.decay / one.frequency * a[i]
  }
  return {
    values,
    /** By Math's functions. */
    advanceByMath(t) {
      for (let i = 0; i < count; i++) {
        const phase = frequency[i] * t
        values[i] = to[i] + Math.exp(-decay[i] * t) * (a[i] * Math.cos(phase) + b[i] * Math.sin(phase))
      }
    },
    /** By polynomials, whose errors are below 1e-7 of the amplitude. */
    advance(t) {
      const perTurn = 2 / Math.PI, perPower = Math.LOG2E
      for (let i = 0; i < count; i++) {
        // e^−x = 2^−n · 2^f with f in −½…½.
        const x = decay[i] * t * perPower, n = (x + 0.5) | 0, f = n - x
        const power = powers[n] *
          (1 + f * (0.6931471805599453 + f * (0.2402265069591007 + f * (0.05550410866482158 + f * (0.009618129107628477 +
            f * (0.0013333558146428443 + f * 0.00015403530393381608))))))
        // Quarter turns, and what is left in −¼π…¼π.
        const quarters = frequency[i] * t * perTurn, q = (quarters + 0.5) | 0, r = (quarters - q) * 1.5707963267948966, s = r * r
        const sine = r * (1 + s * (-0.16666666666666666 + s * (0.008333333333333333 +
          s * (-0.0001984126984126984 + s * 2.7557319223985893e-6))))
        const cosine = 1 + s * (-0.5 + s * (0.041666666666666664 + s * (-0.001388888888888889 +
          s * (2.48015873015873e-5 - s * 2.755731922398589e-7))))
        const odd = q & 1, sinePart = odd ? cosine : sine, cosinePart = odd ? -sine : cosine
        const sum = a[i] * cosinePart + b[i] * sinePart
        values[i] = to[i] + power * (q & 2 ? -sum : sum)
      }
    },
  }
}

/** The closed form of one spring for all, which set out together: its basis once a frame, and two products for each. */
export function oneSpring(from, to, spring) {
  const count = from.length, values = new Float32Array(count), { decay, frequency } = constants(spring)
  const a = from.map((value, i) => value - to[i]), b = a.map(value => decay / frequency * value)
  return {
    values,
    advance(t) {
      const envelope = Math.exp(-decay * t), c = envelope * Math.cos(frequency * t), s = envelope * Math.sin(frequency * t)
      for (let i = 0; i < count; i++) values[i] = to[i] + c * a[i] + s * b[i]
    },
  }
}

/** The exact step of one spring for all, from each frame to the next, towards goals that anyone may change. */
export function steppedSprings(from, goals, spring) {
  const count = from.length, values = from.slice(), velocities = new Float32Array(count), { decay, frequency } = constants(spring)
  return {
    values, goals,
    advance(seconds) {
      const envelope = Math.exp(-decay * seconds)
      const c = envelope * Math.cos(frequency * seconds), s = envelope * Math.sin(frequency * seconds) / frequency
      const xx = c + decay * s, vx = -(decay * decay + frequency * frequency) * s, vv = c - decay * s
      for (let i = 0; i < count; i++) {
        const x = values[i] - goals[i], v = velocities[i]
        values[i] = goals[i] + xx * x + s * v
        velocities[i] = vx * x + vv * v
      }
    },
  }
}

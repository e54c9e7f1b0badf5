// SPDX-License-Identifier: MIT
// Shapes as clouds of points. A shape is made for a count of points and then fills goals; moving ones depend on the time.
// One is half of the canvas's shorter side; y points down; the origin is the centre.

/** Random numbers that are the same for each visit. */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const gaussian = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A flock: a cloud with wisps that leans into its way. `leader` has x, y, dx, dy and `tight`. */
export function flock(count, leader) {
  const random = seeded(7), points = new Float32Array(2 * count)
  // A table of directions and of how far the cloud reaches there: this is what the first frame waits for.
  const directions = 2048, table = new Float32Array(3 * directions)
  for (let i = 0; i < directions; i++) {
    const angle = 2 * Math.PI * i / directions
    table[3 * i] = Math.cos(angle)
    table[3 * i + 1] = 0.62 * Math.sin(angle)
    table[3 * i + 2] = 0.58 * (1 + 0.34 * Math.sin(2 * angle + 0.6) + 0.16 * Math.sin(5 * angle) + 0.12 * Math.sin(9 * angle + 2))
  }
  for (let i = 0; i < count; i++) {
    const at = 3 * Math.floor(directions * random()), u = Math.sqrt(random())
    // Nearly a normal distribution: some are at the edge, few are far out.
    const stray = (random() + random() + random() - 1.5) * (i % 20 ? 0.1 : 0.44)
    const radius = table[at + 2] * u * Math.sqrt(u) + stray
    points[2 * i] = radius * table[at]
    points[2 * i + 1] = radius * table[at + 1]
  }
  return {
    moves: true,
    fill(goals, first, end, time) {
      const speed = Math.hypot(leader.dx, leader.dy)
      const along = (1 + Math.min(0.7, 0.35 * speed)) * leader.tight
      const across = (1 - Math.min(0.4, 0.18 * speed)) * leader.tight
      const heading = speed > 0.01 ? Math.atan2(leader.dy, leader.dx) : 0
      const turn = 0.35 * Math.sin(0.5 * time)
      const c = Math.cos(heading), s = Math.sin(heading), tc = Math.cos(turn - heading), ts = Math.sin(turn - heading)
      const a = c * along * tc - s * across * ts, b = -c * along * ts - s * across * tc
      const d = s * along * tc + c * across * ts, e = -s * along * ts + c * across * tc
      for (let i = 2 * first; i < 2 * end; i += 2) {
        const x = points[i], y = points[i + 1]
        goals[i] = leader.x + a * x + b * y
        goals[i + 1] = leader.y + d * x + e * y
      }
    },
  }
}

/** A turning globe. */
export function sphere(count) {
  const golden = Math.PI * (3 - Math.sqrt(5))
  return {
    moves: true,
    fill(goals, first, end, time) {
      const tilt = 0.42, ct = Math.cos(tilt), st = Math.sin(tilt)
      for (let i = first; i < end; i++) {
        // Points are dealt over the globe in steps, so that each part of the list is spread over all of it.
        const k = (i * 7919) % count
        const height = 1 - 2 * (k + 0.5) / count, ring = Math.sqrt(1 - height * height)
        const angle = k * golden + 0.35 * time
        const x = ring * Math.cos(angle), z = ring * Math.sin(angle)
        const depth = height * st + z * ct, scale = 0.74 / (1.25 - 0.25 * depth) * 0.98
        goals[2 * i] = x * scale
        goals[2 * i + 1] = (height * ct - z * st) * scale
      }
    },
  }
}

/** A turning galaxy of two arms. */
export function galaxy(count) {
  const random = seeded(3), radii = new Float32Array(count), angles = new Float32Array(count), lift = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    const core = random() < 0.22
    radii[i] = core ? Math.abs(gaussian(random)) * 0.16 : 0.1 + 0.98 * Math.pow(random(), 0.75)
    const spread = core ? 3 : 0.26 + 0.16 * radii[i]
    angles[i] = Math.log(radii[i] + 0.12) * 2.6 + (i % 2 ? Math.PI : 0) + gaussian(random) * spread
    lift[i] = gaussian(random) * 0.05 * (core ? 1.6 : 1)
  }
  return {
    moves: true,
    fill(goals, first, end, time) {
      const lean = -0.32, cl = Math.cos(lean), sl = Math.sin(lean)
      for (let i = first; i < end; i++) {
        const angle = angles[i] - time * 0.16 / (0.35 + radii[i])
        const x = radii[i] * Math.cos(angle), y = 0.48 * radii[i] * Math.sin(angle) + lift[i]
        goals[2 * i] = cl * x - sl * y
        goals[2 * i + 1] = sl * x + cl * y
      }
    },
  }
}

/** Points that stand still. */
function still(points) {
  return { moves: false, fill: (goals, first, end) => goals.set(points.subarray(2 * first, 2 * end), 2 * first) }
}

export function heart(count) {
  const random = seeded(5), points = new Float32Array(2 * count)
  for (let i = 0; i < count; i++) {
    const angle = 2 * Math.PI * random(), inner = Math.pow(random(), 0.38) + 0.012 * gaussian(random)
    points[2 * i] = 0.046 * inner * 16 * Math.sin(angle) ** 3
    points[2 * i + 1] = -0.046 * inner
      * (13 * Math.cos(angle) - 5 * Math.cos(2 * angle) - 2 * Math.cos(3 * angle) - Math.cos(4 * angle)) - 0.06
  }
  return still(points)
}

/** The letters of a text, as wide as `width` allows. */
export function text(count, words, width) {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d", { willReadFrequently: true })
  const font = "800 200px system-ui, -apple-system, 'Segoe UI', Inter, Roboto, sans-serif"
  context.font = font
  const measured = context.measureText(words)
  canvas.width = Math.max(1, Math.ceil(measured.width) + 20)
  canvas.height = 280
  context.font = font
  context.textBaseline = "middle"
  context.fillText(words, 10, 140)
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data
  const inside = []
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] > 127) inside.push(i >> 2)
  if (!inside.length) return heart(count)
  const scale = Math.min(2 * 0.86 * width / canvas.width, 0.9 / 200)
  const random = seeded(11), points = new Float32Array(2 * count)
  for (let i = 0; i < count; i++) {
    const pixel = inside[Math.floor(random() * inside.length)]
    points[2 * i] = (pixel % canvas.width + random() - canvas.width / 2) * scale
    points[2 * i + 1] = (Math.floor(pixel / canvas.width) + random() - 140) * scale
  }
  return still(points)
}

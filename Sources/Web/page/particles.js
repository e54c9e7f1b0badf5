// SPDX-License-Identifier: MIT
// Draws points that glow with speed. The renderer gets the values of this frame alone: it still has those of the last.

import { channels, isDark, onRecolor } from "./page.js"
import { program, use } from "./gl.js"

const vertex = `#version 300 es
layout(location=0) in vec2 here;
layout(location=1) in vec2 before;
uniform vec2 scale;
uniform vec4 look; // size, alpha, 1/seconds, glow
uniform vec3 slow, quick, fast;
out vec4 tint;
float seed(float n) { return fract(sin(n * 12.9898) * 43758.5453); }
void main() {
  float s = seed(float(gl_VertexID % 65521));
  float speed = length(here - before) * look.z;
  float heat = 1. - exp(-speed * .55);
  // Lit from below, as by a low sun; what is fast glows.
  float light = smoothstep(-.45, .8, -here.y * scale.y + .3 * (s - .5));
  vec3 c = mix(slow, quick, clamp(light + .7 * heat, 0., 1.));
  c = mix(c, fast, clamp(.75 * light * light + smoothstep(.35, 1., heat), 0., 1.) * .85);
  float alpha = look.y * (.55 + .9 * s * s) * (1. + .5 * heat);
  tint = vec4(c * (.8 + .2 * s) * alpha, alpha * look.w);
  gl_Position = vec4(here * scale, 0., 1.);
  gl_PointSize = look.x * (.6 + .6 * s + 1.2 * pow(s, 24.));
}`

const fragment = `#version 300 es
precision mediump float;
in vec4 tint;
out vec4 color;
void main() {
  vec2 p = 2. * gl_PointCoord - 1.;
  color = tint * smoothstep(1., .25, dot(p, p));
}`

/** A renderer of points on a canvas: WebGL2, or pixels of a 2D context where there is none. */
export function particles(canvas) {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, powerPreference: "high-performance" })
  return gl ? new GLParticles(gl) : new PixelParticles(canvas)
}

/** How opaque a point is: many are fainter. */
const opacity = (count, area) => Math.min(0.7, Math.max(0.08, 0.42 * Math.sqrt(area / count / 7)))

class GLParticles {
  kind = "WebGL2"
  #count = 0

  constructor(gl) {
    this.gl = gl
    this.program = program(gl, vertex, fragment)
    gl.canvas.addEventListener("webglcontextlost", event => event.preventDefault())
    gl.canvas.addEventListener("webglcontextrestored", () => {
      this.#count = 0
      this.uniforms = null
      this.program = program(gl, vertex, fragment)
      this.resize(...this.size)
    })
    onRecolor(() => this.#recolor())
  }

  #prepare() {
    const { gl } = this
    this.uniforms = use(gl, this.program, ["scale", "look", "slow", "quick", "fast"])
    this.buffers = [gl.createBuffer(), gl.createBuffer()]
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    gl.enableVertexAttribArray(0)
    gl.enableVertexAttribArray(1)
    this.#recolor()
  }

  #recolor() {
    const { gl, uniforms } = this
    if (!uniforms) return
    for (const [uniform, name] of [["slow", "p0"], ["quick", "p1"], ["fast", "p2"]]) {
      gl.uniform3fv(uniforms[uniform], channels(name))
    }
  }

  resize(width, height, ratio) {
    this.size = [width, height, ratio]
    if (!this.uniforms) this.#prepare()
    const unit = Math.min(width, height)
    this.gl.viewport(0, 0, Math.round(width * ratio), Math.round(height * ratio))
    this.gl.uniform2f(this.uniforms.scale, unit / width, -unit / height)
  }

  /** Sends values to the graphics processor. */
  upload(values) {
    const { gl } = this
    const count = values.length / 2
    this.buffers.reverse()
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[0])
    if (count !== this.#count) {
      this.#count = count
      for (const buffer of [...this.buffers].reverse()) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
        gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW)
      }
    } else {
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, values)
    }
  }

  draw(seconds) {
    const { gl } = this, [width, height, ratio] = this.size
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[0])
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[1])
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 0, 0)
    const size = Math.max(1.6, Math.min(3.4, 2.1 * Math.sqrt(width * height / 900000) * Math.pow(1e5 / this.#count, 0.18)))
    gl.uniform4f(this.uniforms.look, size * ratio, opacity(this.#count, width * height), 1 / seconds, isDark() ? 0.86 : 1)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.drawArrays(gl.POINTS, 0, this.#count)
  }
}

class PixelParticles {
  kind = "Canvas"

  constructor(canvas) {
    this.canvas = canvas
    this.context = canvas.getContext("2d")
  }

  resize(width, height, ratio) {
    this.size = [width, height, ratio]
    this.image = this.context.createImageData(this.canvas.width, this.canvas.height)
  }

  upload(values) {
    this.values = values
  }

  draw() {
    const { width, height, data } = this.image, { values } = this
    const unit = Math.min(width, height) / 2, [r, g, b] = channels("p1").map(c => 255 * c)
    data.fill(0)
    const alpha = 255 * opacity(values.length / 2, width * height / 4)
    for (let i = 0; i < values.length; i += 2) {
      const x = Math.round(width / 2 + unit * values[i]), y = Math.round(height / 2 + unit * values[i + 1])
      if (x < 0 || y < 0 || x >= width || y >= height) continue
      const at = 4 * (y * width + x)
      data[at] = r
      data[at + 1] = g
      data[at + 2] = b
      data[at + 3] += alpha
    }
    this.context.putImageData(this.image, 0, 0)
  }
}

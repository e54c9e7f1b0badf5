// SPDX-License-Identifier: MIT
// Draws many hearts or tiles, each by the four values of its track.

import { channels, color, onRecolor } from "./page.js"
import { program, use } from "./gl.js"

// A state is: scale, stretch, height, angle, and for tiles: height, angle, scale, glow. Heights are in hundredths of a size.
const vertex = `#version 300 es
layout(location=1) in vec2 cell;
layout(location=2) in vec4 state;
uniform vec3 view; // width, height, size
uniform bool tiles;
uniform float ratio;
out vec2 local;
out float warmth;
out float fine; // a pixel, in the units of local
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
  local = corner;
  float scale = tiles ? state.z : state.x, stretch = tiles ? 1. : state.y;
  float height = (tiles ? state.x : state.z) * .01, angle = tiles ? state.y : state.w;
  float c = cos(angle), s = sin(angle);
  vec2 p = vec2(c * corner.x - s * corner.y, s * corner.x + c * corner.y) * scale;
  p.y = p.y * stretch + height * 2.;
  warmth = tiles ? state.w : clamp(abs(state.x - 1.) * .9 + abs(state.y - 1.) * .8 + abs(state.z) * .005, 0., 1.);
  fine = 2. / max(view.z * scale * ratio, 1.);
  vec2 at = (cell + p * view.z * .5) / view.xy;
  gl_Position = vec4(2. * at.x - 1., 1. - 2. * at.y, 0., 1.);
}`

const fragment = `#version 300 es
precision highp float;
in vec2 local;
in float warmth;
in float fine;
uniform bool tiles;
uniform vec3 calm, lively, hot;
out vec4 color;
float square(vec2 v) { return dot(v, v); }
float heart(vec2 p) {
  p = vec2(abs(p.x), .84 - p.y) * .62;
  if (p.y + p.x > 1.) return sqrt(square(p - vec2(.25, .75))) - sqrt(2.) / 4.;
  return sqrt(min(square(p - vec2(0., 1.)), square(p - .5 * max(p.x + p.y, 0.)))) * sign(p.x - p.y);
}
float tile(vec2 p) { vec2 q = abs(p) - .42; return length(max(q, 0.)) + min(max(q.x, q.y), 0.) - .2; }
void main() {
  float edge = tiles ? tile(local) : heart(local);
  float alpha = clamp(.5 - edge / fine, 0., 1.);
  vec3 tint = mix(mix(calm, lively, smoothstep(0., .5, warmth)), hot, smoothstep(.5, 1., warmth));
  color = vec4(tint, 1.) * alpha;
}`

/** A renderer of hearts or tiles: `kind` is "hearts" or "tiles", `tints` three names of colours. */
export function sprites(canvas, kind, tints) {
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: true })
  return gl ? new GLSprites(gl, kind, tints) : new PathSprites(canvas, kind, tints)
}

class GLSprites {
  constructor(gl, kind, tints) {
    Object.assign(this, { gl, kind, tints })
    this.#prepare()
    gl.canvas.addEventListener("webglcontextlost", event => event.preventDefault())
    gl.canvas.addEventListener("webglcontextrestored", () => {
      this.#prepare()
      this.layOut(this.cells, ...this.view)
    })
    onRecolor(() => this.#recolor())
  }

  #prepare() {
    const { gl } = this
    this.uniforms = use(gl, program(gl, vertex, fragment), ["tiles", "calm", "lively", "hot", "ratio", "view"])
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    this.cellBuffer = gl.createBuffer()
    this.stateBuffer = gl.createBuffer()
    gl.uniform1i(this.uniforms.tiles, this.kind === "tiles" ? 1 : 0)
    this.#recolor()
  }

  #recolor() {
    const { gl } = this
    for (const [uniform, name] of [["calm", this.tints[0]], ["lively", this.tints[1]], ["hot", this.tints[2]]]) {
      gl.uniform3fv(this.uniforms[uniform], channels(name))
    }
  }

  /** Sets the centres of all, x and y in CSS pixels, and the size of one. */
  layOut(cells, width, height, size) {
    const { gl } = this
    this.cells = cells
    this.view = [width, height, size]
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height)
    gl.uniform3f(this.uniforms.view, width, height, size)
    gl.uniform1f(this.uniforms.ratio, gl.canvas.width / width)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.cellBuffer)
    gl.bufferData(gl.ARRAY_BUFFER, cells, gl.STATIC_DRAW)
    gl.enableVertexAttribArray(1)
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 0, 0)
    gl.vertexAttribDivisor(1, 1)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.stateBuffer)
    gl.bufferData(gl.ARRAY_BUFFER, cells.length * 8, gl.DYNAMIC_DRAW)
    gl.enableVertexAttribArray(2)
    gl.vertexAttribPointer(2, 4, gl.FLOAT, false, 0, 0)
    gl.vertexAttribDivisor(2, 1)
  }

  draw(states) {
    const { gl } = this
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, states)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.cells.length / 2)
  }
}

class PathSprites {
  constructor(canvas, kind, tints) {
    Object.assign(this, { canvas, kind, tints, context: canvas.getContext("2d") })
    this.path = kind === "tiles" ? new Path2D("M-.5-.5h1v1h-1z")
      : new Path2D("M0 .77C-.57 .33-.8 .03-.8-.3c0-.27 .2-.43 .42-.43 .17 0 .3 .1 .38 .25 .08-.15 .22-.25 .38-.25 .22 0 .42 .17 .42 .43C.8 .03 .57 .33 0 .77z")
  }

  layOut(cells, width, height, size) {
    Object.assign(this, { cells, view: [width, height, size] })
  }

  draw(states) {
    const { context, canvas, cells, path } = this, [width, , size] = this.view, ratio = canvas.width / width
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, canvas.width, canvas.height)
    for (let i = 0; i < cells.length / 2; i++) {
      const tiles = this.kind === "tiles", at = 4 * i
      const scale = states[at + (tiles ? 2 : 0)], stretch = tiles ? 1 : states[at + 1]
      const height = states[at + (tiles ? 0 : 2)] * 0.01 * size, angle = states[at + (tiles ? 1 : 3)]
      const warmth = tiles ? states[at + 3] : Math.abs(scale - 1) * 0.9 + Math.abs(states[at + 2]) * 0.005
      context.setTransform(ratio, 0, 0, ratio * stretch, ratio * cells[2 * i], ratio * (cells[2 * i + 1] + height))
      context.rotate(angle)
      context.scale(scale * size / 2, scale * size / 2)
      context.fillStyle = color(this.tints[warmth < 0.3 ? 0 : warmth < 0.7 ? 1 : 2])
      context.fill(path)
    }
  }
}

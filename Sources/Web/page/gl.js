// SPDX-License-Identifier: MIT
/** A linked program of WebGL2. */
export function program(gl, vertex, fragment) {
  const linked = gl.createProgram()
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(linked, shader)
  }
  gl.linkProgram(linked)
  if (!gl.getProgramParameter(linked, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(linked) || gl.getAttachedShaders(linked).map(s => gl.getShaderInfoLog(s)).join("\n"))
  }
  return linked
}

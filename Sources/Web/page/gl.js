// SPDX-License-Identifier: MIT
// Programs of WebGL2. A driver compiles them on its own time: whoever asks for their uniforms waits for that.

/** A program that is being made. */
export function program(gl, vertex, fragment) {
  const made = gl.createProgram()
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(made, shader)
  }
  gl.linkProgram(made)
  return made
}

/** Starts to use a program, and returns where its uniforms are, by their names. */
export function use(gl, program, names) {
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(program) || gl.getAttachedShaders(program).map(s => gl.getShaderInfoLog(s)).join("\n"))
  }
  gl.useProgram(program)
  return Object.fromEntries(names.map(name => [name, gl.getUniformLocation(program, name)]))
}

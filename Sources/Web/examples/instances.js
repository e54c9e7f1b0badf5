// SPDX-License-Identifier: MIT
// An InstancedMesh of three.js (r111 or later), whose 100 000 instances go from shape to shape, each on a spring.

import * as THREE from "three"
import { load, spring } from "murmuration-engine"

const count = 100_000, engine = await load()

// MARK: Shapes

/** Three coordinates for each instance, of a point that a function gives for two numbers from 0 to 1. */
function shape(point) {
  const places = new Float32Array(3 * count)
  // The fractional parts of multiples of the golden ratio lie evenly.
  for (let i = 0; i < count; i++) places.set(point(i / count, i * 0.6180339887498949 % 1), 3 * i)
  return places
}
const turn = 2 * Math.PI
const shapes = [
  shape((u, v) => [3 * u - 1.5, 0.25 * Math.sin(9 * u) * Math.cos(7 * v), 3 * v - 1.5]),
  shape((u, v) => {
    const height = 2 * u - 1, radius = Math.sqrt(1 - height * height)
    return [radius * Math.cos(turn * v), height, radius * Math.sin(turn * v)]
  }),
  shape((u, v) => {
    const radius = 1 + 0.4 * Math.cos(turn * v)
    return [radius * Math.cos(turn * u), 0.4 * Math.sin(turn * v), radius * Math.sin(turn * u)]
  }),
]

// MARK: Scene

const renderer = new THREE.WebGLRenderer({ antialias: true }), scene = new THREE.Scene()
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 20)
camera.position.set(0, 1.2, 4)
camera.lookAt(scene.position)
const mesh = new THREE.InstancedMesh(new THREE.TetrahedronGeometry(0.011), new THREE.MeshNormalMaterial(), count)
// three.js would judge all instances by where the first shape is.
mesh.frustumCulled = false
mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage)
scene.add(mesh)
document.body.append(renderer.domElement)

function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2))
  renderer.setSize(innerWidth, innerHeight)
  camera.aspect = innerWidth / innerHeight
  camera.updateProjectionMatrix()
}
resize()
addEventListener("resize", resize)

// MARK: Springs

const batch = engine.batch({ dimensions: 3, capacity: count }), tracks = batch.add(shapes[0])
// The shape changes from one end to the other, in half a second.
const delays = Float64Array.from({ length: count }, (_, i) => 0.5 * i / count)
let current = 0
addEventListener("click", () => {
  current = (current + 1) % shapes.length
  batch.animate(tracks, shapes[current], spring({ duration: 1, bounce: 0.3 }), { delays })
})

// Each instance is turned another way. Frames only write the last columns of matrices, the translations.
const matrices = mesh.instanceMatrix.array, turned = new THREE.Object3D()
for (let i = 0; i < count; i++) {
  turned.rotation.set(i, 2 * i, 3 * i)
  turned.updateMatrix()
  turned.matrix.toArray(matrices, 16 * i)
}

renderer.setAnimationLoop(milliseconds => {
  batch.advance(milliseconds / 1000)
  const { values } = batch
  for (let i = 0; i < count; i++) {
    matrices[16 * i + 12] = values[3 * i]
    matrices[16 * i + 13] = values[3 * i + 1]
    matrices[16 * i + 14] = values[3 * i + 2]
  }
  mesh.instanceMatrix.needsUpdate = true
  mesh.rotation.y = milliseconds / 8000
  renderer.render(scene, camera)
})

// For the console, and for Scripts/check-page.
globalThis.example = { batch, mesh, shapes, renderer }

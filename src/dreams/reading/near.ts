/**
 * Nearest notes of a vector among those of one night: an exact scan over int8 copies of their vectors. Knows
 * vectors and ids; as large as the night's notes and gone with it.
 */
import { createDotProducts, pageBytes, scanStep } from '../../simd/kernels.ts'
import type { DreamNote, FindNear } from '../thought.ts'

const int8Most = 127

/** Writes a unit vector as int8 scaled by its largest component; returns what one step is worth. */
function quantise(vector: Float32Array, into: Int8Array): number {
  // By places: a night over 100,000 notes does this 38 million times, and iterators took up to half a second more of ten.
  let largest = 0
  for (let at = 0; at < vector.length; at += 1) largest = Math.max(largest, Math.abs(vector[at] ?? 0))
  const scale = largest / int8Most
  if (scale === 0) return 0
  for (let at = 0; at < vector.length; at += 1) into[at] = Math.round((vector[at] ?? 0) / scale)
  return scale
}

/** A search over the notes that have a vector of the most common dimension; undefined when none has. */
export function createFindNear(notes: readonly DreamNote[]): FindNear | undefined {
  const dimension = notes.find(({ vector }) => vector !== undefined)?.vector?.length
  if (dimension === undefined || dimension === 0) return undefined
  const held = notes.filter(({ vector }) => vector?.length === dimension)
  const stride = Math.ceil(dimension / scanStep) * scanStep
  // The query first, then the rows, then their products.
  const productsAt = stride * (held.length + 1)
  const pages = Math.ceil((productsAt + held.length * 4) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: pages })
  const bytes = new Int8Array(memory.buffer)
  const products = new Int32Array(memory.buffer, productsAt, held.length)
  const scales = new Float32Array(held.length)
  for (const [at, { vector }] of held.entries()) {
    if (vector !== undefined) scales[at] = quantise(vector, bytes.subarray(stride * (at + 1)))
  }
  const multiply = createDotProducts(memory)
  return (vector, limit) => {
    if (vector.length !== dimension || limit < 1) return []
    const scale = quantise(vector, bytes.subarray(0, stride))
    multiply(0, stride, held.length, stride, productsAt)
    const best: { at: number; similarity: number }[] = []
    let worst = Number.NEGATIVE_INFINITY
    for (let at = 0; at < held.length; at += 1) {
      const similarity = (products[at] ?? 0) * (scales[at] ?? 0) * scale
      if (best.length === limit && similarity <= worst) continue
      let place = best.length
      while (place > 0 && (best[place - 1]?.similarity ?? 0) < similarity) place -= 1
      best.splice(place, 0, { at, similarity })
      if (best.length > limit) best.pop()
      worst = best.at(-1)?.similarity ?? worst
    }
    return best.map(({ at, similarity }) => ({ id: held[at]?.id ?? 0, similarity }))
  }
}

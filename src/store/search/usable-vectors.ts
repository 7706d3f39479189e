/** Whether an embedder's vectors can be stored and compared. Knows only numbers. */
import { BrainError } from '../../core/errors.ts'
import type { Embedding } from '../store.ts'

/** Whether a vector has this dimension, only finite components, and a direction. */
export function isUsableVector(vector: Float32Array, dimension: number): boolean {
  let square = 0
  for (const component of vector) square += component * component
  return vector.length === dimension && Number.isFinite(square) && square > 0
}

/** Databases take NaN, infinities and zeros without a word. @throws BrainError `failed`. */
export function requireVector(vector: Float32Array, dimension: number): void {
  if (isUsableVector(vector, dimension)) return
  throw new BrainError(
    'failed',
    `the embedder returned an unusable vector (expected ${dimension} finite numbers, not all 0)`,
  )
}

/** The same of all vectors of a text, where it has any. */
export function requireVectors(embedding: Embedding | undefined): void {
  for (const { vector } of embedding?.passages ?? []) requireVector(vector, embedding?.model.dimension ?? 0)
}

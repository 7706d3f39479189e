/**
 * Turns float32 vectors into int8 rows by WebAssembly SIMD, scaled by their largest component, so that little of a
 * cosine is lost. Knows where vectors lie in a memory and nothing of what they mean.
 */
import { instantiate } from './kernel.ts'
import { programs } from './quantisation-program.ts'

/**
 * Writes the `dimension` float32 from the byte `from` on as int8 from `to` on; both are bytes, the dimension a multiple
 * of 16. Returns the scale: a component is its int8 times that. 0 for a vector of zeros.
 */
export type Quantise = (from: number, to: number, dimension: number) => number

/** The kernel over one memory. */
export const createQuantiser = (memory: WebAssembly.Memory): Quantise =>
  // The program exports this function and nothing else.
  instantiate(programs, memory).quantise as Quantise

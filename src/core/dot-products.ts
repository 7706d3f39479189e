/**
 * Many dot products of int8 vectors at once, by a few instructions of WebAssembly SIMD: sixteen components a
 * step, at the speed of memory. Knows where rows lie in a memory and nothing of what they mean.
 */
import { program } from './dot-products-program.ts'
import { instantiate } from './kernel.ts'

/** Writes `count` int32 dot products to `out`: those of `row` with the `count` adjacent rows from `rows` on. */
export type DotProducts = (row: number, rows: number, count: number, dimension: number, out: number) => void

/** The kernel over one memory; addresses are bytes into it, `out` a multiple of 4. */
export const createDotProducts = (memory: WebAssembly.Memory): DotProducts =>
  // The program exports this function and nothing else.
  instantiate(program, memory).dots as DotProducts

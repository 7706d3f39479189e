/**
 * Which of many int8 rows are nearest to a vector, by a few instructions of WebAssembly SIMD: sixteen components a
 * step, at the speed of memory. Knows where rows lie in a memory and nothing of what they mean.
 */
import { compile, instantiate } from './kernel.ts'
import { largestQuery, programs, scanStep } from './row-scan-program.ts'

/**
 * Compares the int16 vector at `query` with `count` adjacent int8 rows from `rows` on. A row's similarity is their
 * dot product times the row's own float32 from `scales` on; of each that is above `threshold` the place among the rows
 * (uint32) and the similarity (float32) are written to `out`. Returns how many were written. All addresses are bytes;
 * `dimension` is a multiple of `scanStep`, and at most 4096 while the query keeps to `largestQuery`.
 */
export type ScanRows = (
  query: number,
  rows: number,
  count: number,
  dimension: number,
  scales: number,
  threshold: number,
  out: number,
) => number

/** Bytes of a row of that many components, padded to whole steps. */
export const strideOf = (dimension: number): number => Math.ceil(dimension / scanStep) * scanStep

/** Writes a vector as the query of a scan; a similarity is what the scan gives times the number returned. */
export function writeQuery(vector: Float32Array, query: Int16Array): number {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const factor = largestQuery / (largest || 1)
  for (let at = 0; at < vector.length; at += 1) query[at] = Math.round((vector[at] ?? 0) * factor)
  return largest / largestQuery
}

/** The kernel over one memory. */
export const createRowScan = (memory: WebAssembly.Memory): ScanRows =>
  // The program exports this function and nothing else.
  instantiate(programs, memory).scan as ScanRows

/** The same for another thread, that makes an instance of its own over a memory it is given; it exports `scan`. */
export const sharedRowScan = (): WebAssembly.Module => compile(programs.shared)

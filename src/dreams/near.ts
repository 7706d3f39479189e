/**
 * Nearest notes of a vector among those of one night: an exact scan over int8 copies of their vectors. Knows
 * vectors; as large as the night's notes and gone with it.
 */
import { TopRows } from '../core/top-rows.ts'
import { createRowKernel, matchBytes, pageBytes, strideOf, writeQuery } from '../simd/kernels.ts'
import { toRow } from '../store/search/int8-vector.ts'
import { blockRows } from '../store/search/row-window.ts'
import type { DreamNote, FindNear } from './thought.ts'

/** What makes a product with the row one with its direction; 0 for a row of zeros. */
function factorOf(row: Int8Array): number {
  let square = 0
  for (let at = 0; at < row.length; at += 1) square += (row[at] ?? 0) ** 2
  return square > 0 ? 1 / Math.sqrt(square) : 0
}

/** A search over the notes whose vectors are as long as the first one's; undefined when none has one. */
export function createFindNear(notes: readonly DreamNote[]): FindNear | undefined {
  const dimension = notes.find(({ vector }) => vector !== undefined)?.vector?.length
  if (dimension === undefined || dimension === 0) return undefined
  const held = notes.filter(({ vector }) => vector?.length === dimension)
  const stride = strideOf(dimension)
  // The query as int16 first, then what a scan finds, the factors, the rows.
  const matchesAt = 2 * stride
  const factorsAt = matchesAt + blockRows * matchBytes
  const rowsAt = factorsAt + 4 * held.length
  const memory = new WebAssembly.Memory({
    initial: Math.ceil((rowsAt + stride * held.length) / pageBytes),
  })
  const { buffer } = memory
  const query = new Int16Array(buffer, 0, dimension)
  const places = new Uint32Array(buffer, matchesAt, 2 * blockRows)
  const scores = new Float32Array(buffer, matchesAt, 2 * blockRows)
  const factors = new Float32Array(buffer, factorsAt, held.length)
  const rows = new Int8Array(buffer, rowsAt)
  for (const [at, { vector }] of held.entries()) {
    if (vector === undefined) continue
    const row = toRow(vector)
    factors[at] = factorOf(row)
    rows.set(row, stride * at)
  }
  const { scan } = createRowKernel(memory)
  return (vector, limit) => {
    if (vector.length !== dimension || limit < 1) return []
    const scale = writeQuery(vector, query)
    const top = new TopRows(limit)
    // By blocks: what is below the best of those before is not written down.
    for (let first = 0; first < held.length; first += blockRows) {
      const count = Math.min(blockRows, held.length - first)
      const start = rowsAt + stride * first
      const found = scan(0, start, count, stride, factorsAt + 4 * first, top.threshold, matchesAt)
      for (let match = 0; match < 2 * found; match += 2)
        top.offer(first + (places[match] ?? 0), scores[match + 1] ?? 0)
    }
    return top.best().flatMap(({ row, score }) => {
      const note = held[row]
      return note === undefined ? [] : [{ note, similarity: score * scale }]
    })
  }
}

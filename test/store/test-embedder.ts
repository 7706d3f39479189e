/** Deterministic vectors for tests: a text's words hashed into directions, so that shared words mean nearness. */
import { createHash } from 'node:crypto'
import type { ModelIdentity } from '../../src/models/embedder.ts'
import { toRow } from '../../src/store/search/int8-vector.ts'
import { RowWindow } from '../../src/store/search/row-window.ts'
import type { KeptVector } from '../../src/store/sqlite/vectors.ts'
import type { Embedding } from '../../src/store/store.ts'

export const model: ModelIdentity = { name: 'test', hash: 'cafe', dimension: 16 }

/** Unit vector of a text in the space of `identity`. */
export function vectorOf(text: string, identity: ModelIdentity = model): Float32Array {
  const vector = new Float32Array(identity.dimension)
  for (const word of text.toLowerCase().split(/\W+/)) {
    const hash = createHash('sha256').update(`${identity.hash} ${word}`).digest()
    for (let at = 0; at < identity.dimension; at += 1)
      vector[at] = (vector[at] ?? 0) + (hash[at % 32] ?? 0) - 127.5
  }
  const length = Math.hypot(...vector)
  return vector.map((component) => component / length)
}

/** A text's embedding: one passage a line. */
export function embed(text: string, identity: ModelIdentity = model): Embedding {
  let start = 0
  const passages = text.split('\n').map((line) => {
    const passage = {
      start,
      end: start + line.length,
      vector: vectorOf(line, identity),
      tokens: Uint16Array.from(line.split(' '), (word) => word.length),
    }
    start += line.length + 1
    return passage
  })
  return { model: identity, passages }
}

/** A vector as a brain keeps it. */
export function keep(vector: Float32Array): KeptVector {
  const row = toRow(vector)
  return { row, factor: new RowWindow(row.length).measure(row).factor }
}

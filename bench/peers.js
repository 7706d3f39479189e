/** Peers from npm, in process, over the same vectors; each is left out where it is not installed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sample, say } from './measure.js'

async function find(name) {
  try {
    return await import(name)
  } catch {
    say(`${name} is not installed in bench/: left out (npm install --prefix bench)`)
    return undefined
  }
}

async function lancedb(vectors, next, k) {
  const module = await find('@lancedb/lancedb')
  if (module === undefined) return []
  const directory = mkdtempSync(join(tmpdir(), 'lancedb-'))
  try {
    const database = await module.connect(directory)
    const batch = 20_000
    const rows = (from) =>
      vectors.slice(from, from + batch).map((vector, at) => ({ id: from + at, vector: [...vector] }))
    const table = await database.createTable('notes', rows(0))
    for (let from = batch; from < vectors.length; from += batch) await table.add(rows(from))
    const samples = await sample(30, () =>
      table
        .search([...next()])
        .limit(k)
        .toArray(),
    )
    return [['LanceDB, flat', samples]]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function orama(vectors, next, k) {
  // Beyond this it takes gigabytes of memory and minutes to fill.
  if (vectors.length > 100_000) return []
  const module = await find('@orama/orama')
  if (module === undefined) return []
  const database = module.create({ schema: { embedding: `vector[${next().length}]` } })
  for (const vector of vectors) module.insert(database, { embedding: [...vector] })
  const search = () =>
    module.search(database, {
      mode: 'vector',
      vector: { value: [...next()], property: 'embedding' },
      similarity: 0,
      limit: k,
    })
  return [['Orama, vector', await sample(20, search)]]
}

async function usearch(vectors, next, k) {
  // Building the graph takes minutes beyond this.
  if (vectors.length > 100_000) return []
  const module = await find('usearch')
  if (module === undefined) return []
  const { Index, MetricKind, ScalarKind } = module.default ?? module
  const index = new Index({ metric: MetricKind.Cos, dimensions: next().length, quantization: ScalarKind.I8 })
  for (const [at, vector] of vectors.entries()) index.add(BigInt(at), vector)
  return [['usearch HNSW, int8 (approximate)', await sample(100, () => index.search(next(), k))]]
}

/** Named samples in milliseconds of every peer at hand. */
export async function peers(vectors, next, k) {
  const rows = []
  for (const peer of [lancedb, orama, usearch]) rows.push(...(await peer(vectors, next, k)))
  return rows
}

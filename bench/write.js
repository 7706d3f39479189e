/** Writing: `remember` over HTTP beside bare better-sqlite3 commits, and bulk import: `node bench/write.js`. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { load } from 'sqlite-vec'
import { brainOf, scratch, startDaemon } from './brains.js'
import { createClient } from './http-client.js'
import { printMachine, printTable, quantile, sample } from './measure.js'
import { createNotes, createVectors } from './notes.js'

const writes = Number(process.argv[2] ?? 500)
/** Writes on both sides before any is timed: V8 takes some 2,000 to compile all that serves one, and both files grow alike. */
const warming = 3_000

/** The same rows a memory takes, written bare: row, keyword entry, passage, vector; one FULL commit each. */
async function timeBare(file) {
  rmSync(file, { force: true })
  const database = new BetterSqlite3(file)
  load(database)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`CREATE TABLE memory (id INTEGER PRIMARY KEY, text TEXT, terms TEXT);
    CREATE VIRTUAL TABLE keyword USING fts5(terms, content='memory', content_rowid='id');
    CREATE TABLE passage (id INTEGER PRIMARY KEY, memory_id INTEGER, tokens BLOB);
    CREATE VIRTUAL TABLE vector USING vec0(embedding FLOAT[256])`)
  const memory = database.prepare('INSERT INTO memory (text, terms) VALUES (?, ?)')
  const keyword = database.prepare('INSERT INTO keyword (rowid, terms) VALUES (?, ?)')
  const passage = database.prepare('INSERT INTO passage (memory_id, tokens) VALUES (?, ?)')
  const vector = database.prepare('INSERT INTO vector (rowid, embedding) VALUES (?, ?)')
  const write = database.transaction((text, embedding) => {
    const { lastInsertRowid: id } = memory.run(text, text)
    keyword.run(id, text)
    vector.run(BigInt(passage.run(id, Buffer.alloc(60)).lastInsertRowid), embedding)
  })
  const notes = createNotes(5)
  const next = createVectors(5, 256)
  const once = () => write.immediate(notes.note(), Buffer.from(next().buffer))
  await sample(warming, once)
  const samples = await sample(writes, once)
  database.close()
  return samples
}

rmSync(join(scratch, 'notes-10'), { recursive: true, force: true })
const { directory: empty } = await brainOf(10)
const bare = await timeBare(join(scratch, 'bare.db'))
const daemon = await startDaemon(empty)
const notes = createNotes(6)
const single = createClient(daemon)
await sample(warming, () => single.post('/v1/remember', { text: notes.note() }))
const health = await sample(writes, () => single.post('/health'))
const alone = await sample(writes, () => single.post('/v1/remember', { text: notes.note() }))
const clients = 32
const many = createClient(daemon, clients)
/** Every client's share of so many writes; resolves to the writes a second. */
async function rateOf(count) {
  const share = Math.ceil(count / clients)
  const start = performance.now()
  await Promise.all(
    Array.from({ length: clients }, () =>
      sample(share, () => many.post('/v1/remember', { text: notes.note() })),
    ),
  )
  return (share * clients) / ((performance.now() - start) / 1000)
}
await rateOf(warming)
const together = await rateOf(8 * writes)
single.close()
many.close()
await daemon.stop()
const rate = (samples) => 1000 / (samples.reduce((sum, took) => sum + took, 0) / samples.length)

rmSync(join(scratch, 'notes-100000'), { recursive: true, force: true })
const { imported } = await brainOf(100_000)
printMachine()
printTable(
  'One memory at a time, milliseconds',
  ['what', 'p50', 'p95', 'a second', 'ratio of p50'],
  [
    ['bare better-sqlite3, the same rows, FULL', quantile(bare, 0.5), quantile(bare, 0.95), rate(bare), 1],
    [
      'GET /health: HTTP alone',
      ...[quantile(health, 0.5), quantile(health, 0.95), rate(health)],
      quantile(health, 0.5) / quantile(bare, 0.5),
    ],
    [
      'POST /v1/remember, 1 client',
      quantile(alone, 0.5),
      quantile(alone, 0.95),
      rate(alone),
      quantile(alone, 0.5) / quantile(bare, 0.5),
    ],
    [`POST /v1/remember, ${clients} clients`, '-', '-', together, together / rate(alone)],
  ],
)
printTable(
  'Import of 100,000 notes',
  ['seconds', 'notes a second'],
  [[imported / 1000, 100_000 / (imported / 1000)]],
)

/**
 * Recall at growing sizes, one-shot and over HTTP, beside sqlite-vec alone, a scan at memory bandwidth and the
 * peers: `node bench/recall-speed.js 10000 100000 1000000`. Peers are measured where bench/ has them installed.
 */
import BetterSqlite3 from 'better-sqlite3'
import { load } from 'sqlite-vec'
import { brainOf, command, startDaemon } from './brains.js'
import { createClient } from './http-client.js'
import { printMachine, printTable, quantile, sample, say, timeProcesses } from './measure.js'
import { createNotes, createVectors } from './notes.js'
import { peers } from './peers.js'

const sizes = process.argv.slice(2).map(Number)
const dimension = 384
const neighbours = 20
const queries = 200
/** Recalls before the measured ones: a daemon lives for days, and V8 is done with its code after some 2,000. */
const warmUp = 2000

function timeSqliteVec(vectors, next) {
  const database = new BetterSqlite3(':memory:')
  load(database)
  database.exec(`CREATE VIRTUAL TABLE vector USING vec0(embedding FLOAT[${dimension}])`)
  const insert = database.prepare('INSERT INTO vector (rowid, embedding) VALUES (?, ?)')
  database.transaction(() => {
    for (const [at, vector] of vectors.entries()) insert.run(BigInt(at + 1), Buffer.from(vector.buffer))
  })()
  const nearest = database.prepare('SELECT rowid FROM vector WHERE embedding MATCH ? AND k = ?')
  return sample(30, () => nearest.all(Buffer.from(next().buffer), BigInt(neighbours)))
}

/** Reading every byte of the int8 matrix once: no exact scan can be faster. */
function timeBandwidth(size) {
  const words = new BigUint64Array((size * dimension) / 8).fill(3n)
  const bytes = Buffer.from(words.buffer)
  // A search for what is not there: libc reads at the speed of memory.
  return sample(20, () => bytes.indexOf(7))
}

printMachine()
for (const size of sizes) {
  const { directory, imported } = await brainOf(size)
  if (imported !== undefined) say(`imported ${size} notes in ${Math.round(imported / 1000)} s`)
  const notes = createNotes(99)
  const daemon = await startDaemon(directory)
  const client = createClient(daemon)
  const [first] = await sample(1, () => client.post('/v1/recall', { query: notes.query() }))
  await sample(warmUp, () => client.post('/v1/recall', { query: notes.query() }))
  const overHttp = await sample(queries, () => client.post('/v1/recall', { query: notes.query() }))
  const health = await sample(queries, () => client.post('/health'))
  const resident = daemon.residentMegabytes()
  client.close()
  await daemon.stop()
  const [empty, cold] = timeProcesses(
    9,
    [
      ['-e', '0'],
      [command, 'recall', notes.query(), '--json'],
    ],
    directory,
  )

  const next = createVectors(size, dimension)
  const vectors = Array.from({ length: size }, next)
  const rows = [
    ['memory bandwidth, one pass over the int8 matrix', await timeBandwidth(size)],
    ['sqlite-vec alone, float32', await timeSqliteVec(vectors, next)],
    ...(await peers(vectors, next, neighbours)),
    ['brain: GET /health (HTTP alone)', health],
    ['brain: POST /v1/recall, embedding and ranking included', overHttp],
    ['brain: the first recall of a daemon', [first]],
    ['node, empty file', empty],
    ['brain recall, whole process', cold],
  ]
  printTable(
    `${size} memories, milliseconds`,
    ['what', 'p50', 'p95', 'p50 to the bandwidth floor'],
    rows.map(([name, samples]) => [
      name,
      quantile(samples, 0.5),
      quantile(samples, 0.95),
      quantile(samples, 0.5) / quantile(rows[0][1], 0.5),
    ]),
  )
  const matrix = (size * dimension) / 2 ** 20
  printTable(
    'Resident memory of the daemon, MB',
    ['resident', 'bound: 120 + 1.3 x int8 matrix'],
    [[resident, 120 + 1.3 * matrix]],
  )
}

/**
 * How long one request holds a daemon's event loop, in which all others wait: `node bench/blocking.js 100000`. A brain of so
 * many notes, with long ones, beliefs, predictions and flags beside them; of each operation the worst of several calls.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brainOf, scratch, startDaemon } from './brains.js'
import { createClient } from './http-client.js'
import { cleanEnvironment, printMachine, printTable, quantile, say } from './measure.js'
import { createNotes } from './notes.js'

const [size = 10_000] = process.argv.slice(2).map(Number)
const runs = 5
const counts = { long: 40, beliefs: 3_000, trail: 3_000, predictions: 5_000, flags: 1_000 }

/** Does `work` so many times, a few at once. */
async function many(count, work) {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: 16 }, lane))
}

const notes = createNotes(11)
const longText = (length) => {
  let text = ''
  while (text.length < length) text += `${notes.note()}. `
  return text.slice(0, length)
}

const observation = (belief, supports) => ({
  belief_id: belief,
  kind: supports ? 'supporting' : 'refuting',
  strength: 0.5,
  note: notes.note(),
  independent: true,
})

async function fill({ post }) {
  say('long notes')
  await many(counts.long, () => post('/v1/remember', { text: longText(57_000) }))
  say('flags')
  await many(counts.flags, () => post('/v1/flag', { text: `never ${notes.note()}` }))
  say('beliefs')
  await many(counts.beliefs, (at) =>
    post('/v1/believe', { text: `${notes.note()} (${at})`, confidence: 0.6 }),
  )
  const { id } = await post('/v1/believe', { text: 'the cache is warm after a restart' })
  await many(counts.trail, (at) => post('/v1/evidence', observation(id, at % 2 === 0)))
  say('predictions')
  await many(counts.predictions, async (at) => {
    const made = await post('/v1/predict', {
      domain: `domain ${at % 20}`,
      prediction: `${notes.note()} (${at})`,
      confidence: 0.5 + (at % 50) / 100,
    })
    const outcome = (at * 7) % 3 > 0 ? 'correct' : 'incorrect'
    if (at % 4 > 0) await post('/v1/resolve', { prediction_id: made.id, actual: 'so it was', outcome })
  })
  return id
}

const directory = join(scratch, `blocking-${size}`)
rmSync(directory, { recursive: true, force: true })
cpSync((await brainOf(size)).directory, directory, { recursive: true })
const portFile = join(directory, 'port')
cleanEnvironment.NODE_OPTIONS = `--require ${fileURLToPath(new URL('loop-probe.cjs', import.meta.url))}`
cleanEnvironment.LOOP_PROBE = portFile
const daemon = await startDaemon(directory)
const client = createClient(daemon, 16)
const longestHeld = async () =>
  Number(await (await fetch(`http://127.0.0.1:${readFileSync(portFile)}`)).text())

printMachine()
const belief = await fill(client)
say(`filling held the event loop for up to ${Math.round(await longestHeld())} ms`)

const requests = {
  recall: () => ['/v1/recall', { query: notes.query() }],
  'recall of 50': () => ['/v1/recall', { query: notes.query(), limit: 50 }],
  'recall by a question of 8,000 characters': () => ['/v1/recall', { query: longText(8_000) }],
  'recall of a time': () => ['/v1/recall', { query: 'what did we do yesterday' }],
  'recall with reasons': () => ['/v1/recall/explain', { query: notes.query(), limit: 50 }],
  'remember, 57 KB': () => ['/v1/remember', { text: longText(57_000) }],
  remember: () => ['/v1/remember', { text: notes.note() }],
  assess: () => ['/v1/assess', { topic: notes.query() }],
  'assess, 57 KB': () => ['/v1/assess', { topic: longText(57_000) }],
  flag: () => ['/v1/flag', { text: `never ${notes.note()}` }],
  believe: () => ['/v1/believe', { text: notes.note() }],
  beliefs: () => ['/v1/beliefs?limit=100'],
  'a trail of 3,000': () => [`/v1/evidence/${belief}`],
  'an observation': () => ['/v1/evidence', observation(belief, true)],
  predictions: () => ['/v1/predictions?limit=500'],
  'open predictions': () => ['/v1/predictions/open'],
  calibration: () => ['/v1/calibration'],
  'calibration of recall': () => ['/v1/recall/calibration'],
  records: () => ['/v1/records?limit=100'],
  overview: () => ['/v1/overview'],
  state: () => ['/v1/state'],
  duplicates: () => ['/v1/duplicates', {}],
  dreams: () => ['/v1/dreams'],
  'outside views': () => ['/v1/outside_views'],
  prime: () => ['/v1/prime'],
  'prime for work': () => ['/v1/prime?for=deploy%20the%20web%20shop'],
}

const rows = []
for (const [name, next] of Object.entries(requests)) {
  const held = []
  const took = []
  for (let run = 0; run < runs; run += 1) {
    const [path, body] = next()
    await longestHeld()
    const start = performance.now()
    try {
      await client.post(path, body)
    } catch (error) {
      say(String(error).slice(0, 300))
    }
    took.push(performance.now() - start)
    held.push(await longestHeld())
  }
  rows.push([name, Math.max(...held), quantile(held, 0.5), quantile(took, 0.5)])
}
client.close()
await daemon.stop()
printTable(
  `One request over ${size} notes, milliseconds`,
  ['', 'event loop held, worst', 'median', 'answer, median'],
  rows,
)

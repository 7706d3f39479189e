/**
 * What a night costs: `node bench/dream.js 100000`. The time and memory of `brain dream`, and how recall fares
 * on a daemon while a night is dreamt beside it, in one run with recall while nothing is dreamt.
 */
import { dreamOnce, freshBrain, startDaemon } from './brains.js'
import { createClient } from './http-client.js'
import { printMachine, printTable, quantile } from './measure.js'
import { createNotes } from './notes.js'

const sizes = process.argv.slice(2).map(Number)
/** Milliseconds of recall measured while nothing is dreamt. */
const quiet = 10_000
/** Milliseconds after which a night that left no dream counts as over. */
const longestNight = 90_000
/** Milliseconds between two recalls: a busy agent, not a flood. */
const pause = 10

const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Recalls until `over` says so; the milliseconds each took. */
async function recallWhile(client, notes, over) {
  const samples = []
  while (!(await over())) {
    const start = performance.now()
    await client.post('/v1/recall', { query: notes.query() })
    samples.push(performance.now() - start)
    await rest(pause)
  }
  return samples
}

/** The minute before this one, as the daemon wants it: a night that is due as soon as it starts. */
const lastMinute = () => {
  const time = new Date(Date.now() - 60_000)
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`
}

const row = (name, samples) => [
  name,
  samples.length,
  quantile(samples, 0.5),
  quantile(samples, 0.95),
  Math.max(...samples),
]

printMachine()
const nights = []
for (const size of sizes) {
  const notes = createNotes(7)
  const { seconds, peak, kept } = await dreamOnce(await freshBrain(size))

  const directory = await freshBrain(size)

  const calm = await startDaemon(directory)
  const calmClient = createClient(calm)
  for (let run = 0; run < 50; run += 1) await calmClient.post('/v1/recall', { query: notes.query() })
  const until = performance.now() + quiet
  const before = await recallWhile(calmClient, notes, () => performance.now() > until)
  calmClient.close()
  await calm.stop()

  const dreaming = await startDaemon(directory, '--dream-at', lastMinute())
  const client = createClient(dreaming)
  const unread = async () => {
    const { drivers } = await client.post('/v1/state')
    return drivers.find(({ name }) => name === 'unread_dreams')?.value ?? 0
  }
  const giveUp = performance.now() + longestNight
  let looked = 0
  const during = await recallWhile(client, notes, async () => {
    looked += 1
    return looked % 20 === 0 && ((await unread()) > 0 || performance.now() > giveUp)
  })
  const resident = dreaming.residentMegabytes()
  client.close()
  await dreaming.stop()

  // The first recalls of a daemon read the vectors into memory, with a night or without one.
  printTable(
    `Recall over ${size} memories, milliseconds`,
    ['', 'recalls', 'p50', 'p95', 'worst'],
    [row('nothing dreamt', before), row('a night beside it', during.slice(50))],
  )
  nights.push([size, seconds, peak, kept, resident])
}
printTable(
  'One night',
  ['memories', 'brain dream, seconds', 'peak megabytes', 'dreams kept', 'daemon after its night, megabytes'],
  nights,
)

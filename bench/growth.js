/**
 * How cost grows with the brain: `node bench/growth.js 1000 10000 100000`. Operations over HTTP on the same
 * daemon, in one run.
 */
import { brainOf, command, dreamOnce, freshBrain, startDaemon } from './brains.js'
import { createClient } from './http-client.js'
import { printMachine, printTable, quantile, sample, timeProcesses } from './measure.js'
import { createNotes } from './notes.js'

const sizes = process.argv.slice(2).map(Number)
const runs = 100

printMachine()
const rows = []
for (const size of sizes) {
  const { directory } = await brainOf(size)
  const notes = createNotes(7)
  const daemon = await startDaemon(directory)
  const client = createClient(daemon)
  const time = async (path, body) => {
    await sample(5, () => client.post(path, body?.()))
    return quantile(await sample(runs, () => client.post(path, body?.())), 0.5)
  }
  await client.post('/v1/flag', { text: 'never drop the users table by hand' })
  const recall = await time('/v1/recall', () => ({ query: notes.query() }))
  const assess = await time('/v1/assess', () => ({ topic: notes.query() }))
  const state = await time('/v1/state')
  const remember = await time('/v1/remember', () => ({ text: notes.note() }))
  client.close()
  await daemon.stop()
  const [start] = timeProcesses(7, [[command, 'state', '--json']], directory)
  const { seconds, peak } = await dreamOnce(await freshBrain(size))
  rows.push([size, recall, remember, assess, state, quantile(start, 0.5), 1000 * seconds, peak])
}
printTable(
  'Median milliseconds by size',
  [
    ...['memories', 'recall', 'remember', 'assess', 'state', 'brain state, whole process', 'brain dream'],
    'its peak, MB',
  ],
  rows,
)

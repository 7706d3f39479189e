/** Cold start of whole commands beside an empty Node: `node bench/start.js`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brainOf, command, scratch } from './brains.js'
import { cleanEnvironment, printMachine, printTable, timeProcesses, toRows } from './measure.js'
import { createNotes } from './notes.js'

const runs = Number(process.argv[2] ?? 15)

/** Milliseconds until `brain mcp` has answered `initialize`. */
async function timeInitialize(directory) {
  const start = performance.now()
  const child = spawn(process.execPath, [command, 'mcp'], {
    cwd: directory,
    env: cleanEnvironment,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  }
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  await once(child.stdout, 'data')
  const took = performance.now() - start
  child.stdin.end()
  await once(child, 'exit')
  return took
}

const { directory } = await brainOf(10_000)
const { directory: large } = await brainOf(100_000)
const query = createNotes(1).query()
const empty = join(scratch, 'empty.js')
writeFileSync(empty, '')
const [floor, help, version, remember, recall, recallLarge] = timeProcesses(
  runs,
  [
    [empty],
    [command, '--help'],
    [command, '--version'],
    [command, 'remember', 'a note of seven words, as they come'],
    [command, 'recall', query, '--json'],
    [command, '--dir', large, 'recall', query, '--json'],
  ],
  directory,
)
const initialize = []
for (let run = 0; run < runs; run += 1) initialize.push(await timeInitialize(directory))
printMachine()
printTable(
  'Cold start, whole process, milliseconds',
  ['command', 'p50', 'p95', 'ratio'],
  toRows([
    ['node, empty file', floor],
    ['brain --help', help],
    ['brain --version', version],
    ['brain remember (10,000 notes)', remember],
    ['brain recall (10,000 notes)', recall],
    ['brain recall (100,000 notes)', recallLarge],
    ['brain mcp until initialize is answered', initialize],
  ]),
)

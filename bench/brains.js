/** Brains to measure: made by `brain import` in a scratch directory, and kept there for the next run. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, say } from './measure.js'
import { createNotes } from './notes.js'

const checkout = process.env.BUILD ?? fileURLToPath(new URL('..', import.meta.url))
/** The command under test, of another checkout where BUILD names one. */
export const command = join(checkout, 'bin/brain.js')

/** What the checkout's model is told from others by: in a brain of another one all are found by keyword. */
const modelName = () =>
  createHash('sha256')
    .update(readFileSync(join(checkout, 'models/brain-encoder-v1/model.onnx')))
    .digest('hex')
    .slice(0, 8)

export const scratch = process.env.BENCH_DIR ?? join(tmpdir(), 'brain-bench')

/** Runs `brain` in a directory. @throws when it fails. */
export function brain(directory, ...words) {
  const done = spawnSync(process.execPath, [command, ...words], {
    cwd: directory,
    env: cleanEnvironment,
    maxBuffer: 1e9,
  })
  if (done.status !== 0) throw new Error(`brain ${words.join(' ')}: ${done.stderr}`)
  return done.stdout.toString()
}

/** Writes `size` notes as JSON Lines. */
export async function writeNotes(file, size) {
  const notes = createNotes(size)
  const stream = createWriteStream(file)
  for (let at = 0; at < size; at += 1) {
    if (!stream.write(`${JSON.stringify({ text: notes.note() })}\n`)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'finish')
}

/** The directory of a brain with `size` made-up notes, and how many milliseconds its import took (undefined if kept). */
export async function brainOf(size) {
  const directory = join(scratch, `notes-${size}-${modelName()}`)
  if (existsSync(join(directory, 'done'))) return { directory, imported: undefined }
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  say(`making a brain of ${size} notes`)
  const file = join(directory, 'notes.jsonl')
  await writeNotes(file, size)
  brain(directory, 'init', '--yes')
  const start = performance.now()
  brain(directory, 'import', file)
  // An import stops embedding after some seconds; measured is what it takes until all have their vectors.
  brain(directory, 'reindex')
  const imported = performance.now() - start
  mkdirSync(join(directory, 'done'))
  return { directory, imported }
}

/** A running daemon over a brain: its address, a key, its resident megabytes and a way to end it. */
export async function startDaemon(directory, ...words) {
  const { key } = JSON.parse(brain(directory, 'key', 'create', '--json'))
  const child = spawn(
    process.execPath,
    [
      command,
      'serve',
      '--port',
      '0',
      '--json',
      '--log',
      'off',
      ...(words.length > 0 ? words : ['--no-dreams']),
    ],
    { cwd: directory, env: cleanEnvironment, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url, pid } = JSON.parse(line)
  return {
    url,
    key,
    residentMegabytes: () => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
    },
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The seconds and the peak resident megabytes of one `brain dream`. */
export async function dreamOnce(directory) {
  const start = performance.now()
  const child = spawn(process.execPath, [command, 'dream', '--json'], {
    cwd: directory,
    env: cleanEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peak = 0
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It ended between two looks.
    }
  }, 50)
  await once(child, 'close')
  clearInterval(watch)
  return { seconds: (performance.now() - start) / 1000, peak, kept: JSON.parse(output).dreams.length }
}

/** A brain that has not dreamt yet: a copy, since a night leaves its dreams behind. */
export async function freshBrain(size) {
  const copy = join(scratch, `dream-${size}`)
  rmSync(copy, { recursive: true, force: true })
  cpSync((await brainOf(size)).directory, copy, { recursive: true })
  return copy
}

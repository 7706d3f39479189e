/**
 * Timing and tables for all benchmarks: medians and 95th percentiles, ratios to a floor of the same run, and
 * the machine they were taken on.
 */
import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

/** Environment without what slows every Node start by itself. */
export const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_EXTRA_CA_CERTS' && !name.startsWith('BRAIN_'),
  ),
)

/** Value at a share (0..1) of the sorted samples. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Milliseconds that each of `runs` calls of `work` took. */
export async function sample(runs, work) {
  const samples = []
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    await work(run)
    samples.push(performance.now() - start)
  }
  return samples
}

/** Milliseconds of whole processes, the commands taken in turn so that a slow moment hits all of them. */
export function timeProcesses(runs, commands, directory) {
  const samples = commands.map(() => [])
  for (let run = 0; run <= runs; run += 1) {
    for (const [at, command] of commands.entries()) {
      const start = performance.now()
      const done = spawnSync(process.execPath, command, { cwd: directory, env: cleanEnvironment })
      const took = performance.now() - start
      if (done.status !== 0) throw new Error(`${command.join(' ')}: ${done.stderr}`)
      // The first round warms the disk cache and is not counted.
      if (run > 0) samples[at].push(took)
    }
  }
  return samples
}

const format = (value) =>
  typeof value === 'number'
    ? Number.isInteger(value)
      ? String(value)
      : value.toPrecision(3)
    : String(value ?? '-')

const print = (line) => process.stdout.write(`${line}\n`)

/** Prints rows of cells under a heading as a Markdown table. */
export function printTable(title, columns, rows) {
  print(`\n### ${title}\n`)
  print(`| ${columns.join(' | ')} |`)
  print(`|${columns.map(() => '---').join('|')}|`)
  for (const row of rows) print(`| ${row.map(format).join(' | ')} |`)
}

/** Rows of name, p50, p95 and ratio of the medians to the first one, which is the floor. */
export function toRows(named) {
  const floor = quantile(named[0][1], 0.5)
  return named.map(([name, samples]) => {
    const median = quantile(samples, 0.5)
    return [name, median, quantile(samples, 0.95), median / floor]
  })
}

export function printMachine() {
  const model = cpus()[0]?.model ?? 'unknown processor'
  print(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
  )
}

/** A line of progress, on standard error. */
export const say = (text) => process.stderr.write(`${text}\n`)

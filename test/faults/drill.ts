/**
 * All drills in their long form, one after another, with their figures printed: `npm run drill`, or one of them:
 * `npm run drill -- crash`. The number behind a name is its length: rounds, seconds or minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneDrill } from '../hostile/clone-drill.ts'
import { mcpDrill } from '../hostile/mcp-drill.ts'
import { modelDrill } from '../hostile/model/drill.ts'
import { schemaDrill } from '../hostile/schema-drill.ts'
import { contentionDrill } from './contention.ts'
import { crashDrill } from './crash.ts'
import { allEndpointFaults, allModelDamages, embedderDrill } from './embedder.ts'
import { embedderKillDrill } from './embedder-kills.ts'
import { canInterrupt, everyCallDrill } from './every-call.ts'
import { forgettingDrill } from './forgetting.ts'
import { loadDrill } from './load.ts'
import { postgresTools } from './postgres-server.ts'
import { teamDrill } from './postgres-team.ts'
import { soakDrill } from './soak.ts'
import { upgradeDrill } from './upgrade.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const talk = (line: string): void => void process.stderr.write(`\r${line.padEnd(78)}`)

/** Another one each time; BRAIN_DRILL_SEED plays one again. */
const drawnSeed = (): number => Number(process.env.BRAIN_DRILL_SEED ?? Date.now() % 2 ** 31)

type Drill = (directory: string, length: number) => Promise<{ readonly faults: readonly string[] }>

const drills: Readonly<Record<string, { readonly length: number; readonly run: Drill }>> = {
  crash: {
    length: 240,
    run: (directory, rounds) =>
      crashDrill({
        directory,
        rounds,
        seed: 1,
        victims: [
          'mixed',
          'import',
          'reindex',
          'command',
          'daemon',
          'mcp',
          'import command',
          'reindex command',
          'backup',
        ],
        progress: ({ kills, checked, faults }) =>
          talk(`${kills} kills, ${checked} acknowledged writes checked, ${faults.length} faults`),
      }),
  },
  clones: {
    length: 200,
    run: (directory, clones) =>
      cloneDrill({
        directory,
        clones,
        limit: 5_000,
        seed: drawnSeed(),
        progress: ({ clones, faults }) => talk(`${clones} clones, ${faults} faults`),
      }),
  },
  // Calls of each kind for each endpoint and tool.
  schemas: { length: 400, run: (directory, each) => schemaDrill({ directory, each, seed: drawnSeed() }) },
  // Sessions over standard input and output.
  mcp: {
    length: 300,
    run: (directory, sessions) =>
      mcpDrill({
        directory,
        sessions,
        each: 60,
        seed: drawnSeed(),
        progress: (done, faults) => talk(`${done} sessions, ${faults} faults`),
      }),
  },
  forgetting: {
    length: 40,
    run: (directory, scenes) =>
      forgettingDrill({
        directory,
        scenes,
        seed: drawnSeed(),
        progress: (done, faults) => talk(`${done} scenes, ${faults} faults`),
      }),
  },
  // Seconds; by hand for an hour: soak=3600.
  soak: {
    length: 120,
    run: (directory, seconds) =>
      soakDrill({
        directory,
        seed: drawnSeed(),
        milliseconds: seconds * 1_000,
        clients: 64,
        progress: ({ fault, figures }) => {
          if (fault !== undefined) print(`\n${fault}`)
          talk(figures)
        },
      }),
  },
  'every call': {
    // Of each command, of all that there are: up to some five thousand.
    length: 10_000,
    run: async (directory, most) => {
      if (!canInterrupt()) return { skipped: 'there is no C compiler `cc` here', faults: [] }
      return everyCallDrill({
        directory,
        most,
        seed: drawnSeed(),
        ...(process.env.BRAIN_DRILL_ONLY && { only: process.env.BRAIN_DRILL_ONLY.split(',') }),
        edges: process.env.BRAIN_DRILL_EDGES !== undefined,
        ...(process.env.BRAIN_DRILL_FROM && { from: Number(process.env.BRAIN_DRILL_FROM) }),
        progress: ({ interrupted, scene, call, faults }) => {
          // A run that is cut off has told what it found.
          for (const fault of faults) print(`\n${fault}`)
          talk(`${scene}: ${interrupted} interrupted, at call ${call}`)
        },
      })
    },
  },
  upgrade: {
    length: 60,
    run: (directory, rounds) => upgradeDrill({ directory, rounds, seed: 1, filling: 2_000 }),
  },
  contention: { length: 60, run: (directory, seconds) => contentionDrill(directory, seconds * 1_000) },
  embedder: {
    // Of each kind of fault.
    length: 100,
    run: (directory, most) =>
      embedderDrill({
        directory,
        faults: allEndpointFaults.slice(0, most),
        damages: allModelDamages.slice(0, most),
        healing: 'by the daemon',
        progress: ({ outages, calls, faults }) =>
          talk(`${outages} outages, ${calls} calls, ${faults.length} faults`),
      }),
  },
  'embedder kills': {
    length: 30,
    run: (directory, rounds) =>
      embedderKillDrill({
        directory,
        rounds,
        seed: 1,
        progress: ({ kills, checked }) => talk(`${kills} kills, ${checked} acknowledged writes checked`),
      }),
  },
  model: {
    length: 60,
    run: (directory, scenes) =>
      modelDrill({
        directory,
        scenes,
        steps: 60,
        seed: drawnSeed(),
        progress: ({ scenes, steps, kills }) => talk(`${scenes} scenes, ${steps} steps, ${kills} kills`),
      }),
  },
  team: {
    // Seconds before and after each accident.
    length: 20,
    run: async (directory, seconds) =>
      postgresTools === undefined
        ? { skipped: 'BRAIN_TEST_POSTGRES_TOOLS names no programs of PostgreSQL', faults: [] }
        : teamDrill(directory, { each: seconds * 1_000 }),
  },
  crowd: {
    length: 15,
    run: async (directory, seconds) =>
      postgresTools === undefined
        ? { skipped: 'BRAIN_TEST_POSTGRES_TOOLS names no programs of PostgreSQL', faults: [] }
        : teamDrill(directory, { each: seconds * 1_000, daemons: 8, agents: 16 }),
  },
  load: { length: 10, run: (directory, minutes) => loadDrill(directory, minutes * 60_000) },
}

/** Rounded for reading; counts as they are. */
const show = (value: unknown): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value)

async function main(wanted: readonly string[]): Promise<number> {
  let faulty = 0
  for (const [name, { length, run }] of Object.entries(drills)) {
    const asked = wanted.find((word) => word === name || word.startsWith(`${name}=`))
    if (wanted.length > 0 && asked === undefined) continue
    const directory = mkdtempSync(join(tmpdir(), `brain-drill-${name}-`))
    const started = Date.now()
    try {
      const { faults, ...figures } = await run(directory, Number(asked?.split('=')[1] ?? length))
      talk('')
      print(`\n${name} (${Math.round((Date.now() - started) / 1_000)} s)`)
      for (const [figure, value] of Object.entries(figures)) print(`  ${figure.padEnd(20)} ${show(value)}`)
      print(`  ${'faults'.padEnd(20)} ${faults.length}`)
      // One that came often hides no other.
      const kinds = [...new Set(faults)].slice(0, 60)
      for (const kind of kinds) print(`    ${faults.filter((fault) => fault === kind).length} times: ${kind}`)
      faulty += faults.length
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
  return faulty === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))

/**
 * A team of four with eight agents: two daemons on one PostgreSQL with a standby, a key a person, and all that goes wrong
 * in a week at once. Commands are killed, connections ended, the server is restarted and killed, the standby promoted.
 * What was acknowledged is there, once; what was not is answered with 503 and a sentence.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { prepareDatabase } from '../../src/store/postgres/roles.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { createLedger, judge, readLedgers } from './ledger.ts'
import { PostgresServer } from './postgres-server.ts'
import { kill, type Served, serveBrain, sleep, startBrain } from './processes.ts'

const people = ['ann', 'ben', 'cleo', 'dan']

export interface TeamTally {
  /** Writes that were answered. */
  acknowledged: number
  /** Those that were not, and said so. */
  refused: number
  /** Commands killed. */
  killed: number
  /** The longest that an answer took, in milliseconds. */
  slowest: number
  checked: number
  readonly faults: string[]
}

interface Agent {
  readonly name: string
  readonly served: Served
  readonly key: string
}

export interface TeamOptions {
  /** How long they work before each accident, and after it, in milliseconds. */
  readonly each: number
  readonly daemons?: number
  /** Agents of each of the four. */
  readonly agents?: number
}

export async function teamDrill(
  directory: string,
  { each, daemons: daemonsWanted = 2, agents: agentsEach = 2 }: TeamOptions,
): Promise<TeamTally> {
  const tally: TeamTally = { acknowledged: 0, refused: 0, killed: 0, slowest: 0, checked: 0, faults: [] }
  const ledgers = join(directory, 'ledgers')
  mkdirSync(ledgers)
  // Acknowledged is what the standby has, too.
  const primary = await PostgresServer.make(join(directory, 'primary'), ['synchronous_standby_names=*'])
  await primary.start()
  let serving = primary
  const standby = await primary.standby(join(directory, 'standby'))
  const daemons: Served[] = []
  try {
    const preparation = await prepareDatabase(primary.address('admin', 'postgres'))
    await preparation.run()
    await preparation.close()
    const both = `postgres://brain@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
    const how = { environment: { BRAIN_STORE: both, BRAIN_EMBEDDER: 'none' } }
    const command = async (...words: string[]): Promise<string> => {
      const running = startBrain(directory, words, how)
      running.child.stdin?.end()
      const line = await running.firstLine
      if ((await running.ended) !== 0) throw new Error(`${words.join(' ')}: ${running.said()}`)
      return line ?? ''
    }
    const keys: string[] = []
    for (const name of people)
      keys.push(JSON.parse(await command('key', 'create', '--project', 'web', '--name', name, '--json')).key)
    for (let at = 0; at < daemonsWanted; at += 1) {
      const home = join(directory, `daemon-${at}`)
      mkdirSync(home)
      daemons.push(await serveBrain(home, { ...how, key: keys[0] ?? '' }))
    }

    const agents = people.flatMap((person, at) =>
      Array.from({ length: agentsEach }, (_, own): Agent => {
        const served = daemons[(at + own) % daemons.length]
        if (served === undefined) throw new Error('there is no daemon')
        return { name: `${person}-${own}`, served, key: keys[at] ?? '' }
      }),
    )
    let working = true
    const work = async ({ name, served, key }: Agent): Promise<void> => {
      const note = createLedger(join(ledgers, `${name}.ledger`))
      for (let at = 0; working; at += 1) {
        const text = `${name} found out number ${at}`
        note({ action: 'add', state: 'begun', texts: [text] })
        const started = Date.now()
        const reply = await fetch(`${served.url}/v1/remember`, {
          method: 'POST',
          headers: { 'x-svc-key': key, 'content-type': 'application/json' },
          body: JSON.stringify({ text }),
        })
        const body = (await reply.json()) as { error?: string }
        tally.slowest = Math.max(tally.slowest, Date.now() - started)
        if (reply.status === 200) {
          note({ action: 'add', state: 'acknowledged', texts: [text] })
          tally.acknowledged += 1
        } else {
          tally.refused += 1
          const told = /^the (database|connection)[^\n]*$/.test(body.error ?? '')
          if (reply.status !== 503 || !told)
            tally.faults.push(`${name}: ${reply.status} ${JSON.stringify(body)}`)
          await sleep(50)
        }
      }
    }
    const note = createLedger(join(ledgers, 'commands.ledger'))
    const killCommands = async (): Promise<void> => {
      for (let at = 0; working; at += 1) {
        const text = `a command found out number ${at}`
        note({ action: 'add', state: 'begun', texts: [text] })
        const running = startBrain(directory, ['remember', text], how)
        running.child.stdin?.end()
        await sleep(100 + ((at * 37) % 400))
        await kill(running)
        tally.killed += 1
      }
    }
    const working8 = Promise.all([...agents.map(work), killCommands()])
    const accidents: readonly (() => Promise<unknown>)[] = [
      async () =>
        primary.ask(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'brain' AND random() < 0.5`,
        ),
      async () => {
        primary.stop('fast')
        await primary.start()
      },
      async () => {
        primary.kill()
        await primary.start()
      },
      async () => {
        primary.kill()
        standby.promote()
        serving = standby
      },
    ]
    try {
      for (const accident of accidents) {
        await sleep(each)
        const before = tally.acknowledged
        await accident()
        await sleep(each)
        for (let waited = 0; tally.acknowledged === before && waited < 30_000; waited += 100) await sleep(100)
        if (tally.acknowledged === before) tally.faults.push('nobody could write after an accident')
      }
    } finally {
      working = false
      await working8
    }
    await lookOver(serving, ledgers, tally)
  } finally {
    await Promise.all(daemons.map(({ running }) => kill(running)))
    primary.end()
    standby.end()
  }
  return tally
}

async function lookOver(server: PostgresServer, ledgers: string, tally: TeamTally): Promise<void> {
  const store = await openPostgresStore(server.address('brain', 'postgres'), {
    label: 'drill',
    warn: () => {},
  })
  try {
    for (const { ok, detail } of await store.maintenance.check())
      if (!ok) tally.faults.push(`doctor: ${detail}`)
    const texts: string[] = []
    for (const { project } of [{ project: 'web' }, { project: 'default' }]) {
      for (let after = 0; ; ) {
        const page = await store.memories.list(project, { after, limit: 1_000 })
        texts.push(...page.map(({ text }) => text))
        after = page.at(-1)?.id ?? 0
        if (page.length === 0) break
      }
    }
    const { checked, lost, doubled, unknown } = judge(readLedgers(ledgers), texts)
    tally.checked = checked
    for (const text of lost) tally.faults.push(`acknowledged and lost: ${text}`)
    for (const text of doubled) tally.faults.push(`kept twice: ${text}`)
    for (const text of unknown) tally.faults.push(`nobody's: ${text}`)
  } finally {
    await store.close()
  }
}

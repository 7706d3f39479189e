/**
 * What may happen to a brain, one step after another: calls, many calls at once whose processes are killed under them,
 * keys that come and go, restarts, copies. Each step compares what came of it with the model.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { differences, Moment } from './agree.ts'
import type { Contents, KeyRecord, Line } from './contents.ts'
import { type Done, rules } from './rules.ts'
import type { Reply, Scene, Via } from './scene.ts'
import type { Ask } from './searches.ts'
import { type Marks, toAsk, type Wish, wish, writes } from './wishes.ts'

/** Figures of a drill, over all its scenes. */
export interface Tally {
  scenes: number
  steps: number
  answered: number
  refused: number
  /** Calls that were under way when their process was killed or told to stop, and those of them that were done. */
  cutOff: number
  cutOffDone: number
  kills: number
  keysChanged: number
  comparedRecords: number
}

/** The model of one brain. */
export interface Model {
  readonly contents: Contents
  readonly marks: Marks
  readonly tally: Tally
}

export type Step = fc.AsyncCommand<Model, Scene, true>

type Work = (model: Model, scene: Scene, tell: (what: unknown) => void) => Promise<void>

class Fault extends Error {}

function requireNone(wrong: readonly string[], what: string): void {
  if (wrong.length > 0) throw new Fault(`${what}: ${wrong.slice(0, 5).join('; ')}`)
}

/** A step that says what it did, once it has been done. */
class Doing implements Step {
  readonly #name: string
  readonly #work: Work
  #told = ''

  constructor(name: string, work: Work) {
    this.#name = name
    this.#work = work
  }

  async check(): Promise<boolean> {
    return true
  }

  async run(model: Model, scene: Scene): Promise<void> {
    this.#told = ''
    model.tally.steps += 1
    await this.#work(model, scene, (what) => {
      this.#told += ` ${JSON.stringify(what)}`
    })
  }

  toString(): string {
    return `\n  ${this.#name}${this.#told}`
  }
}

async function createKey({ contents, tally }: Model, scene: Scene, project: string): Promise<KeyRecord> {
  const made = JSON.parse(await scene.succeed(['key', 'create', '--project', project, '--json']))
  requireNone(differences(made.project, project), 'key create')
  const key = { id: made.id, text: made.key, project, live: true }
  contents.keys.push(key)
  tally.keysChanged += 1
  return key
}

async function keyOf(model: Model, scene: Scene, project: string): Promise<string> {
  const live = model.contents.keys.filter((key) => key.live && key.project === project)
  return (live[model.marks.next % Math.max(1, live.length)] ?? (await createKey(model, scene, project))).text
}

/** Takes an answer over into the model; returns what is wrong with it. */
function settle({ contents, tally }: Model, ask: Ask, output: Line, when: Moment): string[] {
  const rule = rules[ask.operation]
  if (rule === undefined) return [`no rule for ${ask.operation}`]
  const refusal = rule.refusal?.(contents, ask)
  if (refusal !== undefined) return [`answered instead of: ${refusal}`]
  tally.answered += 1
  let done: Done = { id: 0, when }
  if (rule.makes !== undefined) {
    const [kind, member] = rule.makes
    const [id, last] = [Number(output[member]), contents.last.get(kind) ?? 0]
    if (!Number.isSafeInteger(id) || contents.has(kind, id)) return [`${member} ${id} was there before`]
    contents.last.set(kind, Math.max(id, last))
    done = { id, when, ...(typeof output.semantic === 'boolean' && { semantic: output.semantic }) }
  }
  return differences(output, rule.run(contents, ask, done), ask.operation)
}

function settleRefusal({ contents, tally }: Model, ask: Ask, refusal: string): string[] {
  tally.refused += 1
  return differences(refusal, rules[ask.operation]?.refusal?.(contents, ask) ?? 'an answer', ask.operation)
}

function settleReply(model: Model, ask: Ask, reply: Reply, when: Moment): string[] {
  if ('output' in reply) return settle(model, ask, reply.output, when)
  if ('refusal' in reply) return settleRefusal(model, ask, reply.refusal)
  return ['fault' in reply ? reply.fault : 'the connection broke']
}

const call = (wish: Wish): Step =>
  new Doing('call', async (model, scene, tell) => {
    await scene.start()
    const ask = toAsk(model.contents, wish, model.marks)
    // A flag does not say whether it has a vector, so it gets one.
    const bare = wish.bare && ask.operation === 'remember'
    const key = await keyOf(model, scene, ask.project)
    const began = Date.now()
    const reply = await scene.ask(ask, { via: wish.via, key, bare })
    tell({ via: wish.via, ...ask, ...(bare && { bare }) })
    if (bare && wish.via === 'command' && 'output' in reply)
      requireNone(differences(reply.output.semantic, false), 'without an embedder')
    requireNone(settleReply(model, ask, reply, new Moment(began, Date.now())), 'call')
  })

/** Compares everything that is in the brain with everything in the model. */
export function compare({ contents, tally }: Model, lines: readonly Line[]): void {
  tally.comparedRecords += lines.length
  requireNone(differences(lines, contents.toLines(), 'export'), 'export')
}

interface Sent {
  readonly ask: Ask
  readonly reply: Reply
  /** Of a call whose answer was lost, and that was done: what it made. */
  readonly id?: number
}

/** Creations in any order, then what changes what is there: nothing changes a belief after it was superseded. */
const turns = ['evidence', 'revise', 'resolve', 'forget', 'recall_dreams']

const turnOf = ({ ask }: Sent): number => turns.indexOf(ask.operation)

/** What the lost calls turn out to have done, as if they had answered. */
function findLost({ contents, tally }: Model, sent: readonly Sent[], lines: readonly Line[]): Sent[] {
  return sent.flatMap(({ ask, reply }): Sent[] => {
    if (!('lost' in reply)) return [{ ask, reply }]
    tally.cutOff += 1
    const rule = rules[ask.operation]
    const refused = rule?.refusal?.(contents, ask) !== undefined
    const id = refused ? undefined : rule?.trace?.(contents, ask, lines)
    if (id === undefined) return []
    tally.cutOffDone += 1
    return [{ ask, reply, id }]
  })
}

function settleLost({ contents }: Model, ask: Ask, id: number, when: Moment): void {
  const rule = rules[ask.operation]
  if (rule?.makes !== undefined) {
    const [kind] = rule.makes
    contents.last.set(kind, Math.max(id, contents.last.get(kind) ?? 0))
  }
  rule?.run(contents, ask, { id, when })
}

type Fate = 'answered' | 'SIGKILL' | 'SIGTERM'

/** When processes are ended: after so many milliseconds, or as soon as so many calls have been answered. */
interface End {
  readonly milliseconds: number
  readonly answers: number
}

/** Without those whose answers depend on an order that cannot be told from the outside. */
function withoutRivals(asks: readonly Ask[]): Ask[] {
  const taken = new Set<unknown>()
  const forgets = asks.some(({ operation }) => operation === 'forget')
  return asks.filter(({ operation, project, input }) => {
    if (operation !== 'recall_dreams' && operation !== 'forget') return true
    const target = operation === 'forget' ? input.memory_id : project
    const free = !taken.has(target) && !(forgets && operation === 'recall_dreams')
    taken.add(target)
    return free
  })
}

/** Resolves with the so-many-th of the replies. */
const answered = (replies: readonly Promise<unknown>[], count: number): Promise<void> =>
  new Promise((settle) => {
    let arrived = 0
    for (const reply of replies) {
      void reply.then(() => {
        arrived += 1
        if (arrived === count) settle()
      })
    }
  })

/** Many calls at once; unless they are all answered, their processes are ended after so many milliseconds. */
const burst = (wishes: readonly Wish[], fate: Fate, end: End): Step =>
  new Doing(
    `at once, ${fate}${fate === 'answered' ? '' : ` after ${end.milliseconds} ms or ${end.answers} answers`}`,
    async (model, scene, tell) => {
      await scene.start()
      const ways = new Map<Ask, Via>()
      for (const wish of wishes) ways.set(toAsk(model.contents, wish, model.marks, true), wish.via)
      const asks = withoutRivals([...ways.keys()])
      const keys = { red: await keyOf(model, scene, 'red'), blue: await keyOf(model, scene, 'blue') }
      const began = Date.now()
      const under = asks.map(async (ask): Promise<Sent> => {
        const key = ask.project === 'red' ? keys.red : keys.blue
        return { ask, reply: await scene.ask(ask, { via: ways.get(ask) ?? 'http', key }) }
      })
      if (fate !== 'answered') {
        await Promise.race([
          new Promise((settle) => setTimeout(settle, end.milliseconds)),
          answered(under, end.answers),
        ])
        requireNone(await scene.end(fate), fate)
        if (fate === 'SIGKILL') model.tally.kills += 1
      }
      const sent = await Promise.all(under)
      const when = (): Moment => new Moment(began, ended)
      const ended = Date.now()
      for (const { ask, reply } of sent) tell({ ...ask, via: ways.get(ask), reply })
      if (fate === 'answered' && sent.some(({ reply }) => 'lost' in reply))
        throw new Fault('the connection broke')
      const lines = await scene.dump()
      settleBurst(model, findLost(model, sent, lines), when)
      compare(model, lines)
    },
  )

const made = ({ ask, reply }: Sent): number => {
  const member = rules[ask.operation]?.makes?.[1]
  return 'output' in reply && member !== undefined ? Number(reply.output[member]) : 0
}

function settleBurst(model: Model, sent: readonly Sent[], when: () => Moment): void {
  const done = sent
    .filter(({ reply }) => !('refusal' in reply))
    .map((one) => ({ ...one, order: one.id ?? made(one) }))
    .sort((a, b) => turnOf(a) - turnOf(b) || a.order - b.order)
  for (const { ask, reply, id } of done) {
    if (id !== undefined) settleLost(model, ask, id, when())
    else requireNone(settleReply(model, ask, reply, when()), 'at once')
  }
  // What was refused was refused because of what is there now: nothing is ever taken back.
  for (const { ask, reply } of sent) {
    if ('refusal' in reply) requireNone(settleRefusal(model, ask, reply.refusal), 'at once')
  }
}

const restart = (signal: 'SIGKILL' | 'SIGTERM'): Step =>
  new Doing(`restart by ${signal}`, async (model, scene) => {
    requireNone(await scene.end(signal), signal)
    if (signal === 'SIGKILL') model.tally.kills += 1
    await scene.start()
  })

/** A call that any key may make. */
const probe = (project: string): Ask => ({
  operation: 'beliefs',
  project,
  agent: 'default',
  input: { limit: 1 },
})

/** Every key opens what it is to open, and one that does not says no more than that. */
async function tryKey({ contents }: Model, scene: Scene, key: KeyRecord): Promise<void> {
  await scene.start()
  const ask = probe(key.project)
  const reply = await scene.ask(ask, { via: 'http', key: key.text })
  if (!key.live) return requireNone(differences(reply, { refusal: 'invalid or missing API key' }), 'dead key')
  const output = 'output' in reply ? reply.output : reply
  requireNone(
    differences(output, rules.beliefs?.run(contents, ask, { id: 0, when: new Moment(0) })),
    'live key',
  )
}

type Change = 'create' | 'rotate' | 'rotate with grace' | 'revoke' | 'use'

const changeKey = (change: Change, at: number): Step =>
  new Doing(`key ${change}`, async (model, scene, tell) => {
    const { keys } = model.contents
    const key = keys[at % Math.max(1, keys.length)]
    if (change === 'create' || key === undefined) {
      await tryKey(model, scene, await createKey(model, scene, at % 2 === 0 ? 'red' : 'blue'))
      return
    }
    tell(key.id)
    model.tally.keysChanged += change === 'use' ? 0 : 1
    if (change === 'revoke') {
      await scene.succeed(['key', 'revoke', key.id])
      key.live = false
    } else if (change !== 'use') {
      await rotate(model, scene, key, change === 'rotate with grace')
    }
    await tryKey(model, scene, key)
  })

async function rotate(model: Model, scene: Scene, key: KeyRecord, grace: boolean): Promise<void> {
  const words = ['key', 'rotate', key.id, '--json', ...(grace ? ['--grace', '24h'] : [])]
  const { code, stdout, stderr } = await scene.command(words)
  if (!key.live) {
    requireNone(differences([code, stdout], [3, '']), `rotating a key that is over: ${stderr}`)
    return
  }
  if (code !== 0) throw new Fault(`rotating: ${stderr}`)
  const next = JSON.parse(stdout)
  const fresh = { id: next.id, text: next.key, project: key.project, live: true }
  model.contents.keys.push(fresh)
  if (!grace) key.live = false
  await tryKey(model, scene, fresh)
}

/** An export taken into an empty brain is the same export, to the byte. */
const carry = new Doing('export, import, export', async ({ tally }, scene) => {
  const other = `${scene.directory} carried`
  mkdirSync(other)
  const file = join(other, 'all.jsonl')
  await scene.succeed(['export', '--all', '--output', file])
  await scene.succeed(['init', '--yes'], other)
  await scene.succeed(['import', file], other)
  const [there, here] = [await scene.dump(other), await scene.dump()]
  tally.comparedRecords += there.length
  if (JSON.stringify(there) !== JSON.stringify(here))
    requireNone(differences(there, here, 'export'), 'import')
  rmSync(other, { recursive: true })
})

/** A backup holds what the brain holds, and is a brain. */
const backup = new Doing('backup', async (model, scene) => {
  const other = `${scene.directory} copy`
  mkdirSync(join(other, '.brain'), { recursive: true, mode: 0o700 })
  await scene.succeed(['backup', join(other, '.brain', 'brain.db')])
  compare(model, await scene.dump(other))
  rmSync(other, { recursive: true })
})

const dream = (project: string, seed: number): Step =>
  new Doing(`dream of ${project}`, async ({ contents }, scene, tell) => {
    const words = ['dream', '--json', '--project', project, '--seed', String(seed), '--max', '2']
    const { dreams } = JSON.parse(await scene.succeed(words)) as { dreams: Line[] }
    tell(dreams)
    const there = new Set(contents.alive(project).map(({ id }) => id))
    for (const line of dreams) {
      if (contents.has('dream', Number(line.id))) throw new Fault(`dream ${line.id} twice`)
      const { sources } = contents.addDream(line, project)
      if (sources.length === 0 || sources.some((id) => !there.has(id)))
        throw new Fault(`dream ${line.id} has sources that are not there`)
    }
  })

const fate = fc.constantFrom<Fate>('SIGKILL', 'SIGKILL', 'SIGTERM', 'answered')
// The first call of a process loads the model; a command takes longer. What is written with the first that is answered
// is committed, but not answered yet.
const end: fc.Arbitrary<End> = fc.oneof(
  fc.record({ milliseconds: fc.nat(250), answers: fc.constant(99) }),
  fc.record({ milliseconds: fc.constant(400), answers: fc.integer({ min: 1, max: 3 }) }),
)
const change = fc.constantFrom<Change>('create', 'rotate', 'rotate with grace', 'revoke', 'use', 'use')

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: wish.map(call) },
  {
    weight: 5,
    arbitrary: fc.tuple(writes, fate, end).map((parts) => burst(...parts)),
  },
  { weight: 5, arbitrary: fc.tuple(change, fc.nat(20)).map(([what, at]) => changeKey(what, at)) },
  { weight: 1, arbitrary: fc.constantFrom('SIGKILL' as const, 'SIGTERM' as const).map(restart) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('red', 'blue'), fc.nat(99))
      .map(([project, seed]) => dream(project, seed)),
  },
  { weight: 1, arbitrary: fc.constantFrom(0, 1).map((at) => (at === 0 ? carry : backup)) },
)

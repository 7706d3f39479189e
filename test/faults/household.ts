/**
 * A brain of the embedder drill with its daemon, its ledger and what is to hold of every call whatever the embedder
 * does: it is answered, in time, and what it acknowledged stays.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOf, lookOver } from './inspection.ts'
import { createLedger } from './ledger.ts'
import { type HowToStart, type Served, serveBrain, sleep, startBrain } from './processes.ts'

/** Figures of the whole drill. */
export interface EmbedderTally {
  /** Ways in which an embedder failed. */
  outages: number
  calls: number
  /** The longest that a call took while its embedder failed, in milliseconds; a start of a process included. */
  slowest: number
  /** Acknowledged writes looked for. */
  checked: number
  /** Of them, kept without a vector and given one later. */
  healed: number
  kills: number
  readonly faults: string[]
}

export const emptyTally = (): EmbedderTally => ({
  outages: 0,
  calls: 0,
  slowest: 0,
  checked: 0,
  healed: 0,
  kills: 0,
  faults: [],
})

/** Two seconds for the embedder, and a wide margin for a machine that does other things. */
const answerTimeout = 15_000

/** A round of healing comes every fifteen seconds, an endpoint that failed rests up to thirty. */
const healingTime = 90_000

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

export class Household {
  readonly directory: string
  readonly name: string
  readonly #tally: EmbedderTally
  readonly #ledgers: string
  readonly #note: ReturnType<typeof createLedger>
  readonly #texts: string[] = []
  #how: HowToStart
  #key = ''
  #served: Served | undefined

  private constructor(directory: string, options: { name: string; tally: EmbedderTally; how: HowToStart }) {
    this.directory = directory
    this.name = options.name
    this.#tally = options.tally
    this.#how = options.how
    this.#ledgers = join(directory, 'ledgers')
    mkdirSync(this.#ledgers, { recursive: true })
    this.#note = createLedger(join(this.#ledgers, 'household.ledger'))
  }

  static async make(
    directory: string,
    options: { name: string; tally: EmbedderTally; how?: HowToStart },
  ): Promise<Household> {
    const made = new Household(directory, { how: {}, ...options })
    await made.command(['init', '--yes'])
    made.#key = JSON.parse((await made.command(['key', 'create', '--json'])).line ?? '{}').key
    return made
  }

  /** How processes are started from now on. */
  use(how: HowToStart): void {
    this.#how = how
  }

  get daemon(): Served {
    if (this.#served === undefined) throw new Error('the daemon was not started')
    return this.#served
  }

  async start(): Promise<void> {
    this.#served = await serveBrain(this.directory, { ...this.#how, key: this.#key })
  }

  /** Everything the daemon said on standard error. */
  said(): string[] {
    return lines(this.daemon.running.said())
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { running } = this.daemon
    running.child.kill(signal)
    const code = await running.ended
    this.#served = undefined
    if (signal === 'SIGTERM') this.hold(code === 0, `the daemon ended with ${code}: ${running.said()}`)
  }

  /** A fault, where something does not hold. */
  hold(holds: boolean, otherwise: string): void {
    if (!holds) this.#tally.faults.push(`${this.name}: ${otherwise}`)
  }

  async #timed<T>(what: string, work: Promise<T>): Promise<T> {
    const started = Date.now()
    const result = await work
    const took = Date.now() - started
    this.#tally.calls += 1
    this.#tally.slowest = Math.max(this.#tally.slowest, took)
    this.hold(took < answerTimeout, `${what} took ${took} ms`)
    return result
  }

  /** Runs a command to its end. */
  async command(
    words: readonly string[],
  ): Promise<{ code: number | null; line: string | undefined; said: string[] }> {
    const running = startBrain(this.directory, words, this.#how)
    running.child.stdin?.end()
    const line = await running.firstLine
    const code = await running.ended
    return { code, line, said: lines(running.said()) }
  }

  /** A command that goes on by itself, to be killed. */
  begin(words: readonly string[]) {
    return startBrain(this.directory, words, this.#how)
  }

  /** A call of the daemon that must be answered. */
  async call(path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await this.#timed(path, this.daemon.call(path, body))
    this.hold(reply.status === 200, `${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  #begin(text: string): void {
    this.#note({ action: 'add', state: 'begun', texts: [text] })
  }

  #acknowledged(text: string, semantic: unknown): boolean {
    this.#note({ action: 'add', state: 'acknowledged', texts: [text] })
    this.#texts.push(text)
    if (semantic === false) this.#tally.healed += 1
    return semantic === true
  }

  /** Keeps a text through the daemon; says whether it got a vector. */
  async remember(text: string): Promise<boolean> {
    this.#begin(text)
    const { semantic } = await this.call('/v1/remember', { text })
    return this.#acknowledged(text, semantic)
  }

  /** Keeps a warning, which does not say whether it got a vector. */
  async flag(text: string): Promise<void> {
    this.#begin(text)
    const { caution } = await this.call('/v1/flag', { text })
    this.hold(caution === 0.85, 'a flag was not kept as it was sent')
    this.#acknowledged(text, undefined)
  }

  /** The same as `remember` by a command of its own; a warning is one line. */
  async rememberByCommand(text: string): Promise<boolean> {
    this.#begin(text)
    const { code, line, said } = await this.#timed('remember', this.command(['remember', text, '--json']))
    this.hold(code === 0 && line !== undefined, `remember ended with ${code}: ${said}`)
    const { semantic } = JSON.parse(line ?? '{}')
    const clear = semantic ? said.length === 0 : said.length === 1 && /keyword only/.test(said[0] ?? '')
    this.hold(clear, `a command that kept a text (semantic: ${semantic}) said: ${said.join(' | ')}`)
    return this.#acknowledged(text, semantic)
  }

  /** Takes texts in, one a line of a file, by a command. */
  async import(file: string, texts: readonly string[]): Promise<void> {
    this.#note({ action: 'add', state: 'begun', texts })
    const { code, said } = await this.command(['import', file, '--json'])
    this.hold(code === 0, `import ended with ${code}: ${said.join(' | ')}`)
    this.#note({ action: 'add', state: 'acknowledged', texts })
    this.#texts.push(...texts.slice(0, 20))
  }

  /** Finds a text by a command: by meaning, before all others, and without a warning. */
  async find(text: string): Promise<void> {
    const { code, line, said } = await this.#timed('recall', this.command(['recall', text, '--json']))
    const { mode, results } = JSON.parse(line ?? '{"results": []}')
    const found = code === 0 && said.length === 0 && mode === 'semantic' && results[0]?.text === text
    this.hold(found, `recall by command: ${code} ${mode} ${JSON.stringify(results[0])} ${said.join(' | ')}`)
  }

  /** Recalls a text by its own words through the daemon; it must be there. Returns the mode. */
  async recall(text: string): Promise<unknown> {
    const { mode, results, keyword_extra } = (await this.call('/v1/recall', { query: text, limit: 50 })) as {
      mode: string
      results: { text: string }[]
      keyword_extra: { text: string }[]
    }
    const found = [...results, ...keyword_extra].some((one) => one.text === text)
    this.hold(found, `recall by ${mode} did not find ${text}`)
    return mode
  }

  /** Waits until every memory has its vector and recall is by meaning again, in the daemon that runs. */
  async healed(): Promise<void> {
    const deadline = Date.now() + healingTime
    for (;;) {
      const { drivers } = (await this.call('/v1/state')) as { drivers: { name: string }[] }
      const behind = drivers.some(({ name }) => name === 'embedding_backlog')
      const [first = ''] = this.#texts
      if (!behind && (await this.recall(first)) === 'semantic') return
      if (Date.now() > deadline) return this.hold(false, `nothing was healed in ${healingTime} ms`)
      await sleep(250)
    }
  }

  /** Ends the daemon and looks everything over. */
  async close(): Promise<void> {
    for (const text of this.#texts) {
      this.hold((await this.recall(text)) === 'semantic', `recall is not by meaning at the end`)
    }
    await this.stop('SIGTERM')
    const { code, line } = await this.command(['doctor', '--json'])
    this.hold(code === 0, `doctor: ${line}`)
    const looked = await lookOver(join(this.directory, '.brain', 'brain.db'), this.#ledgers)
    this.#tally.checked += looked.checked
    for (const fault of faultsOf(looked)) this.hold(false, fault)
  }
}

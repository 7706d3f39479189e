/**
 * A client of the soak: it adds, asks for what it added by its words and by its id, forgets, and compares every answer
 * with what was acknowledged. Knows which answers are wrong, and which only came too late; not what is done to the
 * daemon meanwhile.
 */
import type { createLedger } from './ledger.ts'
import { type Served, sleep } from './processes.ts'

/** What all clients of a soak share. */
export interface Together {
  readonly random: () => number
  readonly note: ReturnType<typeof createLedger>
  /** The daemon that runs; none while it is being ended and started again. */
  readonly daemon: () => Served | undefined
  readonly over: () => boolean
  readonly fault: (sentence: string) => void
  /** Something that came too late, or was cut off, and is no fault; by its kind. */
  readonly late: (kind: string) => void
  /** The longest that a client waits between two calls, in milliseconds. */
  readonly pause: number
  /**
   * Texts that somebody has begun to add, and those of which it was acknowledged that they are forgotten, with how many
   * were before.
   */
  readonly begun: Set<string>
  readonly forgotten: Map<string, number>
  /** Before it nobody forgets, in milliseconds of `performance.now()`: each forgetting writes the whole brain anew. */
  nextForgetting: number
  readonly counts: { calls: number; acknowledged: number; forgotten: number; compared: number }
}

interface Note {
  readonly id: number
  readonly text: string
}

type Reply = Awaited<ReturnType<Served['call']>>

const paths = ['/v1/state', '/v1/dreams', '/v1/beliefs', '/v1/records?limit=5'] as const

/** Milliseconds. */
const betweenForgettings = 2_000

/** What a busy brain and a busy daemon say; any other 503 is a fault. */
const waiting = /^(store is busy, try again|too many large requests at once, try again)$/

/** The code of what went wrong with a connection. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
}

export class SoakClient {
  readonly #together: Together
  readonly #name: string
  readonly #own: Note[] = []
  /** The last that it forgot. */
  #gone: Note | undefined

  constructor(number: number, together: Together) {
    this.#name = `client ${number}`
    this.#together = together
  }

  async run(): Promise<void> {
    const { over, random, pause, counts, daemon } = this.#together
    for (let at = 0; !over(); at += 1) {
      await sleep(random() * pause)
      const served = daemon()
      if (served === undefined) continue
      counts.calls += 1
      try {
        await this.#turn(served, at)
      } catch (error) {
        // Killed or stopped under way: what came of it the ledger leaves open.
        if (daemon() === served) this.#lost(served, error)
      }
    }
  }

  /** A call of a daemon that nobody ended got no answer. */
  #lost({ running: { child, said } }: Served, error: unknown): void {
    if (error instanceof SyntaxError) this.#together.fault(`an answer is no JSON: ${error.message}`)
    else if (child.exitCode !== null || child.signalCode !== null)
      this.#together.fault(`the daemon ended by itself with ${child.exitCode ?? child.signalCode}: ${said()}`)
    else this.#together.late(`no answer: ${codeOf(error)}`)
  }

  #turn(served: Served, at: number): Promise<void> {
    const turn = this.#together.random()
    const note = this.#own[Math.floor(this.#together.random() * this.#own.length)]
    if (note === undefined || turn < 0.15) return this.#add(served, at)
    if (turn < 0.4) return this.#recall(served, note)
    if (turn < 0.65) return this.#show(served, note)
    if (turn < 0.7 && performance.now() > this.#together.nextForgetting) return this.#forget(served, note)
    if (turn < 0.75 && this.#gone !== undefined) return this.#miss(served, this.#gone)
    return this.#look(served)
  }

  /** Whether a call was answered with what it is to be answered with. */
  #expect({ status, body }: Reply, what: string, wanted = 200): boolean {
    if (status === wanted) return true
    if (status === 408) this.#together.late('408')
    else if (status === 503 && waiting.test(String(body.error))) this.#together.late(`503 ${body.error}`)
    else this.#together.fault(`${what} answered ${status}: ${JSON.stringify(body)}`)
    return false
  }

  async #add(served: Served, at: number): Promise<void> {
    const { note, begun, random, counts } = this.#together
    const word = `w${Math.floor(random() * 2 ** 40).toString(36)}`
    const text = `${this.#name} note ${at} of the soak, ${word}`
    begun.add(text)
    note({ action: 'add', state: 'begun', texts: [text] })
    const reply = await served.call('/v1/remember', { text })
    if (!this.#expect(reply, 'remember')) return
    note({ action: 'add', state: 'acknowledged', texts: [text] })
    counts.acknowledged += 1
    this.#own.push({ id: Number(reply.body.id), text })
  }

  async #recall(served: Served, { id, text }: Note): Promise<void> {
    const { begun, forgotten, fault, counts } = this.#together
    const before = forgotten.size
    const reply = await served.call('/v1/recall', { query: text })
    if (!this.#expect(reply, 'recall')) return
    counts.compared += 1
    const results = reply.body.results as Note[]
    if (!results.some((result) => result.id === id && result.text === text))
      fault(`recall of ${id} "${text}" found ${JSON.stringify(results.map((result) => result.text))}`)
    for (const result of results) {
      if (!begun.has(result.text)) fault(`recall found what nobody added: ${JSON.stringify(result)}`)
      if ((forgotten.get(result.text) ?? before) < before)
        fault(`recall found what was forgotten: ${JSON.stringify(result)}`)
    }
  }

  async #show(served: Served, { id, text }: Note): Promise<void> {
    const reply = await served.call(`/v1/records/memory/${id}`)
    if (!this.#expect(reply, `show ${id} "${text}"`)) return
    this.#together.counts.compared += 1
    const { record } = reply.body as { record: { text?: string } }
    if (record.text !== text) this.#together.fault(`${id} is ${JSON.stringify(record)}, not "${text}"`)
  }

  async #forget(served: Served, given: Note): Promise<void> {
    const { note, forgotten, late, counts } = this.#together
    this.#together.nextForgetting = performance.now() + betweenForgettings
    // Whether it is gone is not known until it is acknowledged: nobody asks for it meanwhile.
    this.#own.splice(this.#own.indexOf(given), 1)
    note({ action: 'forget', state: 'begun', texts: [given.text] })
    const reply = await served.call('/v1/forget', { memory_id: given.id })
    // It is gone, and whoever opens the brain next clears its pages.
    if (reply.status === 503 && / is forgotten, but/.test(String(reply.body.error)))
      late('503 forgotten, but')
    else if (!this.#expect(reply, 'forget')) return
    note({ action: 'forget', state: 'acknowledged', texts: [given.text] })
    forgotten.set(given.text, forgotten.size)
    counts.forgotten += 1
    this.#gone = given
  }

  async #miss(served: Served, { id }: Note): Promise<void> {
    const reply = await served.call(`/v1/records/memory/${id}`)
    if (this.#expect(reply, `show ${id}, which was forgotten,`, 404)) this.#together.counts.compared += 1
  }

  async #look(served: Served): Promise<void> {
    const path = paths[Math.floor(this.#together.random() * paths.length)] ?? paths[0]
    this.#expect(await served.call(path), path)
  }
}

/**
 * Shared records that are not here, as the lines of an import: each as everything that was said of it leaves it. Knows how
 * acts add up; reading files and taking lines in are others' work.
 */
import type { Config } from '../../config/config.ts'
import { ratesOf } from '../../config/config.ts'
import { endOfPrediction, orderWordings, type Wording } from '../../core/shared-history.ts'
import { boundariesOf, confidenceAfter, statusOf } from '../../core/sprt.ts'
import type { RecordOf, TransferRecord } from '../../store/transfer.ts'
import { formatVersion, toWire } from '../format.ts'
import {
  type EventType,
  type Marks,
  originOf,
  type SharedEvent,
  type SharedRoot,
  standingOf,
} from './items.ts'

/** Something that was said, with its name. */
export interface NamedEvent<Type extends EventType = EventType> {
  readonly name: string
  readonly event: SharedEvent<Type>
}

/** What was said of one record. */
export class Acts {
  readonly #events: readonly NamedEvent[]

  constructor(events: readonly NamedEvent[]) {
    this.#events = events
  }

  of<Type extends EventType>(type: Type): NamedEvent<Type>[] {
    // Those of this very type.
    return this.#events.filter(({ event }) => event.type === type) as unknown as NamedEvent<Type>[]
  }

  /** The marks that stand. */
  get marks(): Marks | undefined {
    return this.of('marks')
      .map(({ event }) => event.said)
      .reduce<Marks | undefined>(standingOf, undefined)
  }
}

/** A record that is not here, and what was said of it. */
export interface NewRecord {
  readonly name: string
  readonly root: SharedRoot
  readonly acts: Acts
}

/** By the names of events: what was said of them. */
export type ActsOf = (name: string) => Acts

/** Evidence in order, each run once: who counts a run first counts it. */
export function countedEvidence(events: readonly NamedEvent<'evidence'>[]): NamedEvent<'evidence'>[] {
  const runs = new Set<string>()
  return [...events]
    .sort((a, b) => a.event.said.createdAt - b.event.said.createdAt || (a.name < b.name ? -1 : 1))
    .filter(({ event }) => {
      const { run } = event.said
      if (run === undefined) return true
      const counted = runs.has(run)
      runs.add(run)
      return !counted
    })
}

const withOrigin = <T extends { readonly circumstances?: object }>(record: T, name: string): T => ({
  ...record,
  circumstances: { ...record.circumstances, origin: originOf(name) },
})

/** A memory and its earlier texts. */
function* memoryRecords({ name, root, acts }: NewRecord & { root: RecordOf<'memory'> }, id: number) {
  const first: Wording = {
    text: root.text,
    caution: root.caution,
    agent: root.agent,
    createdAt: root.createdAt,
  }
  const wordings = orderWordings([first, ...acts.of('version').map(({ event }) => event.said)])
  const now = wordings.at(-1) ?? first
  const { at: _, ...marks } = acts.marks ?? { at: 0 }
  const { text, caution, agent } = now
  const edited = wordings.length > 1 && { editedAt: now.createdAt }
  const memory = { ...root, ...marks, text, caution, agent, ...edited, id }
  yield withOrigin<RecordOf<'memory'>>(memory, name)
  return wordings.slice(0, -1).map(
    (wording, at): Omit<RecordOf<'version'>, 'id'> => ({
      type: 'version',
      memoryId: id,
      ...wording,
      replacedAt: wordings[at + 1]?.createdAt ?? wording.createdAt,
    }),
  )
}

interface Numbered {
  readonly record: NewRecord
  readonly id: number
  readonly successor: number | null
}

/** Beliefs with ids in which one that was replaced comes before the one that replaced it. */
function numberBeliefs(beliefs: readonly NewRecord[]): Numbered[] {
  const byName = new Map(beliefs.map((one) => [one.name, one]))
  const successorOf = ({ acts }: NewRecord): string | undefined =>
    acts
      .of('succession')
      .map(({ event }) => event.said.by)
      .filter((by) => byName.has(by))
      .sort()[0]
  const order: NewRecord[] = []
  const seen = new Set<string>()
  // Along each chain, so that its end is numbered last.
  const visit = (start: NewRecord): void => {
    const chain: NewRecord[] = []
    for (let at: NewRecord | undefined = start; at !== undefined && !seen.has(at.name); ) {
      seen.add(at.name)
      chain.push(at)
      at = byName.get(successorOf(at) ?? '')
    }
    order.unshift(...chain)
  }
  for (const one of [...beliefs].sort((a, b) => b.root.createdAt - a.root.createdAt)) visit(one)
  const ids = new Map(order.map((one, at) => [one.name, at + 1]))
  return order.map((record, at) => {
    const successor = ids.get(successorOf(record) ?? '') ?? null
    // Of two that replaced each other, as no brain writes them, the first stands.
    return { record, id: at + 1, successor: successor !== null && successor > at + 1 ? successor : null }
  })
}

function* beliefRecords(
  numbered: readonly Numbered[],
  config: Config,
  actsOf: ActsOf,
): Generator<TransferRecord> {
  const boundaries = boundariesOf(ratesOf(config))
  const trails: TransferRecord[] = []
  for (const { record, id, successor } of numbered) {
    const { root, name, acts } = record
    if (root.type !== 'belief') continue
    const events = countedEvidence(acts.of('evidence'))
    const logRatio = events.reduce((sum, { event }) => sum + event.said.logLikelihood, 0)
    yield withOrigin<RecordOf<'belief'>>(
      {
        ...root,
        id,
        logRatio,
        confidence: events.length === 0 ? root.prior : confidenceAfter(root.prior, logRatio),
        status: statusOf(logRatio, boundaries),
        evidenceCount: events.length,
        lastEvidenceAt: events.at(-1)?.event.said.createdAt ?? null,
        supersededBy: successor,
      },
      name,
    )
    for (const { event, name: called } of events) {
      const { citations } = actsOf(called).marks ?? {}
      trails.push(
        withOrigin<RecordOf<'evidence'>>(
          {
            type: 'evidence',
            ...event.said,
            ...(citations && { citations }),
            id: trails.length + 1,
            beliefId: id,
          },
          called,
        ),
      )
    }
  }
  yield* trails
}

function predictionRecord(root: RecordOf<'prediction'>, acts: Acts): RecordOf<'prediction'> {
  const end = endOfPrediction({
    forecasts: acts.of('forecast').map(({ event }) => event.said),
    resolutions: acts.of('resolution').map(({ event }) => event.said),
    reopenings: acts.of('reopening').map(({ event }) => event.said),
  })
  return { ...root, ...end, confidence: end.forecasts.at(-1)?.confidence ?? root.firstConfidence }
}

/** Those of one kind with ids from 1, in the order in which they are given. */
const numbered = <Type extends SharedRoot['type']>(news: readonly NewRecord[], type: Type) =>
  news
    .flatMap(({ root, ...one }) => (root.type === type ? [{ ...one, root: root as RecordOf<Type> }] : []))
    .map((one, at) => ({ ...one, id: at + 1 }))

function* recordsOf(news: readonly NewRecord[], config: Config, actsOf: ActsOf): Generator<TransferRecord> {
  const versions: Omit<RecordOf<'version'>, 'id'>[] = []
  for (const one of numbered(news, 'memory')) versions.push(...(yield* memoryRecords(one, one.id)))
  for (const [at, version] of versions.entries()) yield { ...version, id: at + 1 }
  const beliefs = news.filter(({ root }) => root.type === 'belief')
  yield* beliefRecords(numberBeliefs(beliefs), config, actsOf)
  for (const { root, name, acts, id } of numbered(news, 'prediction'))
    yield withOrigin({ ...predictionRecord(root, acts), id }, name)
  for (const { root, name, id } of numbered(news, 'observation')) yield withOrigin({ ...root, id }, name)
}

/** New records as an export that holds them and nothing else. */
export async function* toExport(
  news: readonly NewRecord[],
  { config, actsOf }: { readonly config: Config; readonly actsOf: ActsOf },
): AsyncGenerator<Uint8Array> {
  const toLine = (line: Parameters<typeof toWire>[0]): Buffer =>
    Buffer.from(`${JSON.stringify(toWire(line))}\n`)
  yield toLine({ type: 'brain', format: formatVersion })
  let records = 0
  const inOrder = news.toSorted((a, b) => a.root.createdAt - b.root.createdAt || (a.name < b.name ? -1 : 1))
  for (const record of recordsOf(inOrder, config, actsOf)) {
    records += 1
    yield toLine(record)
  }
  yield toLine({ type: 'end', records })
}

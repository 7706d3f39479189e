/**
 * The records of a project as items to share: each record as it was first said and what was said of it since, named as it is
 * named in every brain. Reads the brain once; what of it is given to others is not decided here.
 */
import { type Circumstances, type RecordKind, saidAt } from '../../core/records.ts'
import type { Store } from '../../store/store.ts'
import type { RecordOf, TransferRecord } from '../../store/transfer.ts'
import {
  type Marks,
  nameOfOrigin,
  type SharedEvent,
  type SharedItem,
  type SharedRoot,
  toFile,
} from './items.ts'

/** A record here. */
export interface OwnRecord {
  readonly kind: RecordKind
  readonly id: number
}

/** Whose something is that is shared, and how it was kept. */
export interface Own {
  /** The record that it is, or that it was said of. */
  readonly record: OwnRecord
  /** Kept in an agent's session. */
  readonly captured: boolean
  /** Of a memory. */
  readonly tags: readonly string[]
}

/** A record or an event with its name. */
export interface OwnItem extends Own {
  readonly name: string
  readonly item: SharedItem
}

/** What is said beside a text, as it stands. */
export interface OwnMarks extends Own {
  readonly of: string
  readonly marks: Omit<Marks, 'at'>
  /** Id of the event of evidence whose they are. */
  readonly evidenceId?: number
  readonly createdAt: number
}

const captured = ({ circumstances }: { readonly circumstances?: Partial<Circumstances> }): boolean =>
  circumstances?.session != null

/** What a record is kept with that others may know. */
function toldCircumstances({ agent, branch, commit, origin }: Partial<Circumstances> = {}): {
  circumstances?: Partial<Circumstances>
} {
  const own =
    nameOfOrigin(origin) === undefined ? { agent, branch, commit, origin } : { agent, branch, commit }
  const told = Object.entries(own).filter(([, value]) => value != null)
  return told.length === 0 ? {} : { circumstances: Object.fromEntries(told) }
}

function toRoot(record: SharedRoot): SharedRoot {
  const { circumstances, ...said } = record
  const { agent: _, ...apart } = circumstances ?? {}
  // A memory says by itself who kept it first.
  return { ...said, ...toldCircumstances(said.type === 'memory' ? apart : circumstances) } as SharedRoot
}

const nameOfRoot = (record: SharedRoot): string =>
  nameOfOrigin(record.circumstances?.origin) ?? toFile(toRoot(record)).name

type Emitted = OwnItem | OwnMarks

/** Goes through the records in the order of an export, in which what is referred to comes first. */
class Walk {
  readonly #names = new Map<string, string>()
  /** Memories that were edited, with their versions so far: what they said first is among these. */
  readonly #edited = new Map<number, { memory: RecordOf<'memory'>; versions: RecordOf<'version'>[] }>()
  readonly #memories = new Map<number, Own>()
  readonly #succeeded: RecordOf<'belief'>[] = []

  #event(own: Own, event: SharedEvent, name = toFile(event).name): OwnItem {
    return { ...own, name, item: event }
  }

  /** What a record is to others. */
  *take(record: TransferRecord): Generator<Emitted> {
    if (record.type !== 'memory' && record.type !== 'version') yield* this.#settleEdited()
    switch (record.type) {
      case 'memory':
        if (record.editedAt === undefined) yield* this.#memory(record, record)
        else this.#edited.set(record.id, { memory: record, versions: [] })
        return
      case 'version':
        yield* this.#version(record)
        return
      case 'belief':
        yield this.#root(record, [])
        if (record.supersededBy !== null) this.#succeeded.push(record)
        return
      case 'evidence':
        yield* this.#evidence(record)
        return
      case 'prediction':
        yield* this.#prediction(record)
        return
      case 'observation':
        yield this.#root(record, [])
        return
      case 'project':
      case 'dream':
        // A night is each brain's own.
        return
    }
  }

  /** What is known only when all was read. */
  *end(): Generator<Emitted> {
    yield* this.#settleEdited()
    for (const belief of this.#succeeded) {
      const by = this.#names.get(`belief ${belief.supersededBy}`)
      const of = this.#names.get(`belief ${belief.id}`)
      const own = { record: { kind: 'belief', id: belief.id }, captured: captured(belief), tags: [] } as const
      if (by !== undefined && of !== undefined)
        yield this.#event(own, { type: 'succession', of, said: { by } })
    }
  }

  #root(record: SharedRoot, tags: readonly string[]): OwnItem {
    const item = toRoot(record)
    const name = nameOfRoot(record)
    this.#names.set(`${record.type} ${record.id}`, name)
    const own = { record: { kind: record.type, id: record.id }, captured: captured(record), tags }
    if (record.type === 'memory') this.#memories.set(record.id, own)
    return { ...own, name, item }
  }

  *#memory(root: RecordOf<'memory'>, now: RecordOf<'memory'>): Generator<Emitted> {
    const { tags = [], expiresAt, citations } = now
    const own = this.#root(root, tags)
    yield own
    yield {
      record: own.record,
      captured: own.captured,
      tags,
      of: own.name,
      createdAt: now.createdAt,
      marks: {
        ...(tags.length > 0 && { tags }),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(citations && { citations }),
      },
    }
  }

  *#version(version: RecordOf<'version'>): Generator<Emitted> {
    const edited = this.#edited.get(version.memoryId)
    if (edited !== undefined) edited.versions.push(version)
    else yield* this.#wording(version.memoryId, version)
  }

  *#wording(
    memoryId: number,
    {
      text,
      caution,
      agent,
      createdAt,
    }: Pick<RecordOf<'version'>, 'text' | 'caution' | 'agent' | 'createdAt'>,
  ): Generator<Emitted> {
    const own = this.#memories.get(memoryId)
    const of = this.#names.get(`memory ${memoryId}`)
    if (own === undefined || of === undefined) return
    yield this.#event(own, { type: 'version', of, said: { text, caution, agent, createdAt } })
  }

  *#settleEdited(): Generator<Emitted> {
    const edited = [...this.#edited.values()]
    this.#edited.clear()
    for (const { memory, versions } of edited) {
      const first = versions.find(
        ({ createdAt, formerId }) => createdAt === memory.createdAt && formerId === undefined,
      )
      const { text, caution, agent } = first ?? memory
      yield* this.#memory({ ...memory, text, caution, agent }, memory)
      for (const version of versions) if (version !== first) yield* this.#wording(memory.id, version)
      if (first !== undefined) yield* this.#wording(memory.id, { ...memory, createdAt: saidAt(memory) })
    }
  }

  *#evidence(record: RecordOf<'evidence'>): Generator<Emitted> {
    const of = this.#names.get(`belief ${record.beliefId}`)
    if (of === undefined) return
    const { type, id, beliefId, citations, circumstances, ...said } = record
    const own = {
      record: { kind: 'belief', id: beliefId },
      captured: captured(record),
      tags: [],
    } as const
    const event = { type, of, said: { ...said, ...toldCircumstances(circumstances) } }
    const item = this.#event(own, event, nameOfOrigin(circumstances?.origin))
    yield item
    yield {
      ...own,
      of: item.name,
      evidenceId: id,
      createdAt: record.createdAt,
      marks: { ...(citations && { citations }) },
    }
  }

  *#prediction(record: RecordOf<'prediction'>): Generator<Emitted> {
    const { forecasts, reopenings, resolution } = record
    const root = this.#root(record, [])
    const { name: of, item: _, ...own } = root
    yield root
    for (const said of forecasts) yield this.#event(own, { type: 'forecast', of, said })
    for (const said of reopenings) {
      const { note: _note, createdAt: _at, ...undone } = said
      yield this.#event(own, { type: 'resolution', of, said: undone })
      yield this.#event(own, { type: 'reopening', of, said })
    }
    if (resolution !== null) yield this.#event(own, { type: 'resolution', of, said: resolution })
  }
}

/** Everything of a project that can be shared; an event comes after what it belongs to. */
export async function* readOwnItems(store: Store, project: string): AsyncGenerator<Emitted, void, undefined> {
  const walk = new Walk()
  for await (const record of store.transfer.records(project)) yield* walk.take(record)
  yield* walk.end()
}

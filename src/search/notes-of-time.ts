/**
 * The notes of a time, for a question that asks for nothing else: those written then, newest first, and after them those
 * that tell of it. Knows the calendar and the store's list; nothing of vectors.
 */
import { agentNameOf } from '../core/agent-names.ts'
import { maxRecalled } from '../core/limits.ts'
import type { MemoryFilter } from '../store/memory-life.ts'
import { beginOf, localDay, type Span } from './calendar.ts'
import type { SearchContext } from './candidates.ts'
import { type AskedTimes, turnsOf } from './dates.ts'
import type { Meetings, Reading } from './features.ts'
import { mayBeName, onlyNamed } from './subject.ts'
import { timeAlone } from './weights.ts'

/** A note of the time, and how likely it is that such a note was asked for: 1 for one written then. */
export interface OfTime {
  readonly id: number
  readonly reading: Reading
  readonly share: number
}

export interface NotesOfTime {
  /** In their order, at most some dozens. */
  readonly notes: readonly OfTime[]
  /** How many there are in all. */
  readonly count: number
}

/** Notes written in the latest turn of a time that has any, and after them those of turns before. */
async function writtenIn(
  { store, project, now }: SearchContext,
  span: Span,
  { kind, ...among }: MemoryFilter,
): Promise<NotesOfTime> {
  const notes: OfTime[] = []
  let count = 0
  for (const { from, to } of turnsOf(span, localDay(now()))) {
    if (notes.length >= maxRecalled) break
    const { total, records } = await store.records.list(project, {
      ...among,
      kinds: kind === undefined ? ['memory', 'flag'] : [kind],
      since: Math.max(beginOf(from), among.since ?? beginOf(from)),
      until: Math.min(beginOf(to + 1) - 1, among.until ?? beginOf(to + 1)),
      limit: maxRecalled,
      skip: 0,
    })
    const share = count === 0 ? 1 : timeAlone.earlier
    if (count === 0) count = total
    notes.push(...records.map(({ id, text, createdAt }) => ({ id, reading: { text, createdAt }, share })))
  }
  return { notes, count }
}

/** The agent whose notes are asked for, where a question says nothing else beside its times. */
export async function findAgentAsked(
  { store, project, now }: SearchContext,
  { spans, subject, only, complete }: AskedTimes,
): Promise<string | undefined> {
  if (spans.length === 0 || only || !complete || !mayBeName(subject)) return undefined
  const agents = await store.records.agents(project)
  const agent = onlyNamed(
    subject,
    agents.map(({ name }) => name),
  )
  if (agent === undefined) return undefined
  const query = { kinds: ['memory', 'flag'], agent, now: now(), limit: 1, skip: 0 } as const
  return (await store.records.list(project, query)).total > 0 ? agent : undefined
}

/** Of some notes those by an agent. */
async function idsBy(
  { store, project }: SearchContext,
  ids: readonly number[],
  agent: string,
): Promise<Set<number>> {
  const notes = await store.memories.findMany(project, ids)
  return new Set(notes.flatMap((note) => (agentNameOf(note.agent) === agentNameOf(agent) ? [note.id] : [])))
}

/** The notes of some times among those that the filter accepts; `readings` are looked through for what tells of them. */
export async function findNotesOfTime(
  context: SearchContext,
  { spans, of }: Meetings,
  { among, readings }: { among: MemoryFilter; readings: ReadonlyMap<number, Reading> },
): Promise<NotesOfTime> {
  const found = new Map<number, OfTime>()
  let count = 0
  for (const span of spans) {
    // What is to come is told, whenever that was.
    if (span.ahead) continue
    const written = await writtenIn(context, span, among)
    for (const note of written.notes)
      if (note.share > (found.get(note.id)?.share ?? 0)) found.set(note.id, note)
    count += written.count
  }
  const telling = [...readings].filter(([id]) => !found.has(id) && (of.get(id)?.told ?? 0) > 0.5)
  const { agent } = among
  const ids = telling.map(([id]) => id)
  const own = new Set(agent === undefined ? ids : await idsBy(context, ids, agent))
  for (const [id, reading] of telling) if (own.has(id)) found.set(id, { id, reading, share: timeAlone.told })
  const notes = [...found.values()].sort(
    (a, b) => b.share - a.share || b.reading.createdAt - a.reading.createdAt || b.id - a.id,
  )
  return { notes, count: Math.max(count, 1) }
}

/**
 * The notes of a time, for a question that asks for nothing else: those written then, newest first, and after them those
 * that tell of it. Knows the calendar and the store's list; nothing of vectors.
 */
import type { MemoryFilter } from '../store/memory-life.ts'
import { beginOf, localDay } from './calendar.ts'
import type { SearchContext } from './candidates.ts'
import { turnsOf } from './dates.ts'
import { meetingsOf, type Reading } from './features.ts'
import type { Span } from './time-expressions.ts'
import { timeAlone } from './weights.ts'

/** Maximum of a recall. */
const most = 50

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
    if (notes.length >= most) break
    const { total, records } = await store.records.list(project, {
      ...among,
      kinds: kind === undefined ? ['memory', 'flag'] : [kind],
      since: Math.max(beginOf(from), among.since ?? beginOf(from)),
      until: Math.min(beginOf(to + 1) - 1, among.until ?? beginOf(to + 1)),
      limit: most,
      skip: 0,
    })
    const share = count === 0 ? 1 : timeAlone.earlier
    if (count === 0) count = total
    notes.push(...records.map(({ id, text, createdAt }) => ({ id, reading: { text, createdAt }, share })))
  }
  return { notes, count }
}

/** The notes of some times among those that the filter accepts; `readings` are looked through for what tells of them. */
export async function findNotesOfTime(
  context: SearchContext,
  spans: readonly Span[],
  { among, readings }: { among: MemoryFilter; readings: ReadonlyMap<number, Reading> },
): Promise<NotesOfTime> {
  const found = new Map<number, OfTime>()
  let count = 0
  for (const span of spans) {
    const written = await writtenIn(context, span, among)
    for (const note of written.notes)
      if (note.share > (found.get(note.id)?.share ?? 0)) found.set(note.id, note)
    count += written.count
  }
  for (const [id, reading] of readings) {
    if (found.has(id) || meetingsOf(reading, spans).told <= 0.5) continue
    found.set(id, { id, reading, share: timeAlone.told })
  }
  const notes = [...found.values()].sort(
    (a, b) => b.share - a.share || b.reading.createdAt - a.reading.createdAt || b.id - a.id,
  )
  return { notes, count: Math.max(count, 1) }
}

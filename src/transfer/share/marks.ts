/**
 * What is said of a record beside its text, its tags, end and citations: the newest stands, and a change here that
 * nobody was told stays.
 */
import type { Memory } from '../../core/records.ts'
import { unitedTags } from '../../operations/duplicates.ts'
import type { Context } from '../../operations/operation.ts'
import type { MemoryMarks } from '../../store/memory-life.ts'
import type { SharedFolder } from './folder.ts'
import { isEvent, type Marks, standingOf, toFile } from './items.ts'
import type { KnownFiles } from './known-files.ts'
import type { Acts } from './new-records.ts'
import type { OwnMarks } from './own-items.ts'
import { readItems } from './read-items.ts'

/** Whether they say the same, whenever it was said. */
const sameMarks = (a: Omit<Marks, 'at'>, b: Omit<Marks, 'at'>): boolean =>
  toFile({ type: 'marks', of: '', said: { ...a, at: 0 } }).text ===
  toFile({ type: 'marks', of: '', said: { ...b, at: 0 } }).text

/** What files say of one record: the newest of those that this brain knew, and the others. */
export interface ToldMarks {
  readonly before?: Marks | undefined
  readonly unseen: readonly Marks[]
}

/** Whether marks are no change that nobody was told: a restored brain, and one that forgot what it knew, has old ones. */
export const areTold = (marks: Omit<Marks, 'at'>, { before = { at: 0 }, unseen }: ToldMarks): boolean =>
  [before, ...unseen].some((one) => sameMarks(one, marks))

/** The marks of each record in files, by the names of the records; `refuse` is told of what cannot be read. */
export async function readMarks(
  { folder, known }: { readonly folder: SharedFolder; readonly known: KnownFiles },
  names: Iterable<string>,
  refuse: (name: string, why: string) => void,
): Promise<Map<string, ToldMarks>> {
  const told = new Map<string, ToldMarks>()
  for await (const [name, item] of readItems(folder, names, refuse)) {
    if (!isEvent(item) || item.type !== 'marks') continue
    const { before, unseen } = told.get(item.of) ?? { unseen: [] }
    const next = known.has(name)
      ? { before: standingOf(before, item.said), unseen }
      : { before, unseen: [...unseen, item.said] }
    told.set(item.of, next)
  }
  return told
}

/** Whether a memory has the tags and the end that were read of it. */
const bears = ({ tags = [], expiresAt }: Memory, read: Omit<Marks, 'at'>): boolean =>
  tags.length === (read.tags ?? []).length &&
  tags.every((tag) => read.tags?.includes(tag)) &&
  expiresAt === read.expiresAt

/** Marks a memory by what it bears at this moment, unless it was forgotten since it was read. */
async function mark(
  { store, project }: Context,
  id: number,
  decide: (memory: Memory) => MemoryMarks,
): Promise<void> {
  let there = true
  try {
    await store.memories.mark(project, id, (found) => {
      there = typeof found === 'object'
      return typeof found === 'object' ? decide(found) : {}
    })
  } catch (error) {
    if (there) throw error
  }
}

/** Takes marks that others made for those of something here. Returns whether they were new. */
export async function takeMarks(
  context: Context,
  own: OwnMarks,
  { acts, before }: { readonly acts: Acts; readonly before: Marks | undefined },
): Promise<boolean> {
  const { marks } = acts
  if (marks === undefined || sameMarks(marks, own.marks) || standingOf(before, marks) !== marks) return false
  // Said here since, and told to nobody yet: it is the newest, and goes out with the next sharing.
  if (!areTold(own.marks, { before, unseen: acts.of('marks').map(({ event }) => event.said) })) return false
  const { store, project } = context
  const { id, kind } = own.record
  const { citations = [], tags = [], expiresAt = null } = marks
  if (own.evidenceId !== undefined)
    await store.citations.replace(project, { kind: 'evidence', id: own.evidenceId }, citations)
  else if (kind === 'memory') {
    // Marked here since it was read: that is the newest, as above.
    let stands = false
    await mark(context, id, (memory) => {
      stands = bears(memory, own.marks)
      return stands ? { tags, expiresAt } : {}
    })
    if (!stands) return false
    await store.citations.replace(project, { kind: 'memory', id }, citations)
  }
  return true
}

/**
 * Gives a memory the tags that others gave to one that was merged into it, before they heard of that. Returns whether
 * any was new.
 */
export async function addTags(
  context: Context,
  own: OwnMarks | undefined,
  { marks }: Acts,
): Promise<boolean> {
  if (own === undefined) return false
  const all = unitedTags([own.marks, marks ?? {}])
  if (all.length === (own.marks.tags ?? []).length) return false
  // With what it bears now: it may have been tagged here since it was read.
  await mark(context, own.record.id, (memory) => ({ tags: unitedTags([memory, marks ?? {}]) }))
  return true
}

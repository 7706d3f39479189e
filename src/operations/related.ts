/** Finds notes that a new one may repeat or replace: reported and never acted upon. */
import { monthForms, weekdayForms } from '../core/calendar-words.ts'
import { dot } from '../core/ranking.ts'
import type { Memory } from '../core/records.ts'
import { nearlyTheSame, plainForm, saysTheSame, sharedWords } from '../core/sameness.ts'
import { isBuiltin } from '../models/pool.ts'
import { tellsChange } from '../search/present.ts'
import type { Embedding } from '../store/store.ts'
import { embedAll } from './embedding.ts'
import type { Context } from './operation.ts'

export const relations = ['same', 'replaces'] as const

/** Relation of a new note to an existing one. */
export interface Related {
  readonly id: number
  readonly relation: (typeof relations)[number]
  readonly text: string
}

/** Project size from which on the check would slow down a command too much. */
const maxMemories = 20_000
/** Nearest notes that are looked at. */
const maxNear = 16
/** Of those, how many are read with the new one: each takes a few milliseconds. */
const maxRead = 2
/** Cosine below which two notes are about different things. */
const minSimilarity = 0.7
/**
 * The same of a note that tells of a change, to the nearest: of 17 such notes in six brains (`training/ranking/changes`) all
 * changed what the nearest said, and a reading of both recognised one.
 */
const minChanged = 0.5
/**
 * Where a note tells of several matters, how near the one that changes is at least to one of the nearest note's: their cosine and
 * the share of their words that both have. The 17 notes, of one matter each, have it; in eight logs of one author 29 of 47 that
 * only told of some change had not, some five of which did change the nearest.
 */
const minMatter = 0.7
/** Minimum probability of a relation that is reported. */
const minSure = 0.9
/** Different values from which on notes of one form are a series, in which no value replaces the one before. */
const leastOfSeries = 3

const dayNames = new Set(['today', 'yesterday', ...[...monthForms, ...weekdayForms].flat()])

/** A text with its figures, days and months made alike: the same for all values of one measure. */
const formOf = (text: string): string =>
  plainForm(text)
    .split(' ')
    .map((word) => (/\d/.test(word) || dayNames.has(word) ? '#' : word))
    .join(' ')
    .replace(/#(?: #)+/g, '#')

/** Words that may come or go without a note saying anything else. */
const filler = /^(?:an?|the|we|our|i|my|that|now|just|also)$/

/** The words that a note says something with, in their order: the model takes any two that tell of a change for a change. */
const wordingOf = (text: string): string =>
  plainForm(text)
    .split(' ')
    .filter((word) => !filler.test(word))
    .join(' ')

/** Whether what a note says is changed is a matter of an older one: in a log most of a note is about something else. */
async function changesMatter(
  context: Context,
  { older, newer, similarity }: { older: string; newer: string; similarity: number },
): Promise<boolean> {
  const { mattersOf } = await import('../core/matters.ts')
  const [theirs, all] = [mattersOf(older), mattersOf(newer)]
  // What is of one matter has its vector already.
  if (theirs.length === 1 && all.length === 1) return similarity + sharedWords(newer, older) >= minMatter
  const ours = all.filter(tellsChange)
  const embedded = await embedAll(context, [...theirs, ...ours])
  const [these, those] = [embedded.slice(0, theirs.length), embedded.slice(theirs.length)].map((some) =>
    some.map((one) => one?.passages[0]?.vector),
  )
  return ours.some((change, at) =>
    theirs.some((matter, place) => {
      const [a, b] = [those?.[at], these?.[place]]
      return a !== undefined && b !== undefined && dot(a, b) + sharedWords(change, matter) >= minMatter
    }),
  )
}

/** The notes near a new one that it repeats or replaces, nearest first. */
export async function relatedTo(
  context: Context,
  { id, text }: Memory,
  embedding: Embedding | undefined,
): Promise<Related[]> {
  const { store, project, embedders, now } = context
  const [passage, ...others] = embedding?.passages ?? []
  // Long texts say many things.
  if (embedding === undefined || passage === undefined || others.length > 0) return []
  if ((await store.memories.count(project)) > maxMemories) return []
  const among = { now: now(), kind: 'memory' } as const
  const query = { model: embedding.model, vector: passage.vector, limit: maxNear, among }
  const nearest = (await store.index.nearest(project, query)).filter(({ memoryId }) => memoryId !== id)
  // Only where it matters: to compile its patterns takes a command a millisecond.
  const changes = (): boolean => isBuiltin(embedding.model) && tellsChange(text)
  const near = nearest.filter(
    ({ similarity }, at) =>
      similarity >= minSimilarity || (at === 0 && similarity >= minChanged && changes()),
  )
  const ids = [...new Set(near.map(({ memoryId }) => memoryId))]
  if (ids.length === 0) return []
  const found = new Map((await store.memories.findMany(project, ids)).map((memory) => [memory.id, memory]))
  const form = formOf(text)
  const isValue = (older: Memory): boolean => formOf(older.text) === form
  const values = new Set([...found.values()].filter(isValue).map((older) => plainForm(older.text)))
  const related: Related[] = []
  for (const [at, older] of ids
    .slice(0, maxRead)
    .flatMap((one) => found.get(one) ?? [])
    .entries()) {
    const alike = wordingOf(older.text) === wordingOf(text)
    if (!alike && values.size >= leastOfSeries && isValue(older)) continue
    const read = alike ? 'same' : await relationOf(embedders, older.text, text)
    const { similarity = 0 } = near.find(({ memoryId }) => memoryId === older.id) ?? {}
    const both = { older: older.text, newer: text, similarity }
    const relation =
      read ?? (at === 0 && changes() && (await changesMatter(context, both)) ? 'replaces' : undefined)
    if (relation !== undefined) related.push({ id: older.id, relation, text: older.text })
  }
  return related
}

/**
 * Whether a note says again what an older one said, so that one of them is enough: in the same words, or in nearly the
 * same and the pair model, where there is one, finds nothing else more likely.
 */
export async function repeats(
  { embedders }: Pick<Context, 'embedders'>,
  older: string,
  newer: string,
): Promise<boolean> {
  if (!nearlyTheSame(older, newer)) return false
  if (plainForm(older) === plainForm(newer)) return true
  const reader = await embedders.reader()
  if (reader === undefined) return saysTheSame(older, newer)
  const { same, ...others } = reader.relate(older, newer)
  return Object.values(others).every((other) => same > other)
}

/** The pair model's confident judgement; without that model, a comparison of words. */
async function relationOf(
  embedders: Context['embedders'],
  older: string,
  newer: string,
): Promise<Related['relation'] | undefined> {
  const reader = await embedders.reader()
  if (reader === undefined) return saysTheSame(older, newer) ? 'same' : undefined
  const { same, reverses } = reader.relate(older, newer)
  if (same >= minSure) return 'same'
  return reverses >= minSure ? 'replaces' : undefined
}

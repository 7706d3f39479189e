/**
 * One night's work for one project: collect, think, word, measure novelty, keep. Knows the order of these steps;
 * schedule and thread are decided elsewhere.
 */
import { createTurns } from '../clock.ts'
import { weightsOf } from '../core/dream-feedback.ts'
import type { Dream } from '../core/records.ts'
import type { NewDream } from '../store/dream-store.ts'
import {
  collectBeliefs,
  collectNotes,
  collectPredictions,
  commonWords,
  embedThoughts,
  inMatters,
  type NightContext,
} from './collect.ts'
import { createFindNear } from './near.ts'
import { type Dreamt, minNovelty, noveltyOf } from './novelty.ts'
import { openReaders } from './reader.ts'
import { think } from './thinking.ts'
import type { DreamNote, Thought } from './thought.ts'

/** Rephrases a thought; undefined keeps the built-in wording. */
export type Reword = (thought: Thought, sources: readonly DreamNote[]) => Promise<string | undefined>

export interface NightOptions {
  readonly now: number
  /** Whole number; the same brain and seed dream the same. */
  readonly seed: number
  /** IANA time zone in which days are stated. */
  readonly timeZone: string
  /** Maximum number of dreams. */
  readonly limit: number
  readonly reword?: Reword | undefined
  /** Ends the night between two steps, with nothing kept. */
  readonly signal?: AbortSignal
  /** Called with the night's progress, with counts if the end is known. */
  readonly onStep?: (step: NightStep) => void
}

export interface NightStep {
  readonly doing: 'reading' | 'thinking' | 'wording'
  readonly done?: number
  readonly total?: number
}

/** Candidates considered per dream kept: some turn out not to be new. */
const candidatesPerDream = 8
/** Upper limit of earlier dreams that are read: about five centuries' worth. */
const maxEarlier = 1_000_000
/**
 * The latest dreams, which a thought is compared with by meaning; with the older ones by words. Each takes some 10 ms to
 * embed, so that a brain's nights would take longer every year.
 */
const comparedByMeaning = 200

/** Runs a generator to its end in short slices. */
async function run<T>(steps: Generator<undefined, T>, signal?: AbortSignal): Promise<T> {
  const turn = createTurns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const others = turn()
    if (others === undefined) continue
    signal?.throwIfAborted()
    await others
  }
}

/** What a night over these notes would tell, the best first: more than it keeps. */
async function thoughtsOf(
  context: NightContext,
  whole: readonly DreamNote[],
  told: readonly Dream[],
  { now, seed, timeZone, limit, signal }: NightOptions,
): Promise<Thought[]> {
  const notes = await inMatters(context, whole)
  // First, since it goes on reading while the rest is made ready.
  const { reader, relate, close } = await openReaders(context, notes)
  let finished = false
  try {
    const findNear = createFindNear(notes)
    const isCommon = await commonWords(context)
    const input = {
      now,
      seed,
      timeZone,
      limit: limit * candidatesPerDream,
      notes,
      beliefs: await collectBeliefs(context),
      predictions: await collectPredictions(context),
      ...(isCommon && { isCommon }),
      told,
      worthOf: weightsOf(await context.store.dreams.feedback(context.project)),
      ...(findNear && { findNear }),
      ...(relate && { relate }),
      ...(reader && { reader }),
    }
    const thoughts = await run(think(input), signal)
    finished = true
    return thoughts
  } finally {
    await close({ finished })
  }
}

/** Dreams a night now, keeps all of it or, when it is cut short, nothing, and returns what was kept, the best first. */
export async function dreamNight(context: NightContext, options: NightOptions): Promise<Dream[]> {
  const { now, limit, signal, onStep } = options
  const earlier = await context.store.dreams.list(context.project, { limit: maxEarlier })
  const total = await context.store.memories.count(context.project)
  const notes = await collectNotes(context, now, (done) => {
    signal?.throwIfAborted()
    onStep?.({ doing: 'reading', done, total })
  })
  if (notes.length === 0) return []
  onStep?.({ doing: 'thinking' })
  const thoughts = await thoughtsOf(context, notes, earlier, options)
  if (thoughts.length === 0) return []
  const latest = earlier.slice(0, comparedByMeaning).map(({ thought }) => thought)
  const vectors = await embedThoughts(context, latest)
  const dreamt: Dreamt[] = earlier.map(({ thought }, at) => ({ thought, vector: vectors[at] }))
  const byId = new Map(notes.map((note) => [note.id, note]))
  const chosen: NewDream[] = []
  for (const thought of thoughts) {
    if (chosen.length >= limit) break
    signal?.throwIfAborted()
    const sources = thought.sourceMemoryIds.flatMap((id) => byId.get(id) ?? [])
    onStep?.({ doing: 'wording', done: chosen.length, total: limit })
    const measure = async (wording: string): Promise<Dreamt & { novelty: number }> => {
      const [vector] = await embedThoughts(context, [wording])
      return { thought: wording, vector, novelty: noveltyOf({ thought: wording, vector }, dreamt) }
    }
    const own = await measure(thought.thought)
    // Old news is not worth asking anyone to word.
    if (own.novelty <= minNovelty) continue
    const wording = await options.reword?.(thought, sources)
    const told = wording === undefined ? own : await measure(wording)
    if (told.novelty <= minNovelty) continue
    chosen.push({
      kind: thought.kind,
      thought: told.thought,
      sourceMemoryIds: thought.sourceMemoryIds,
      novelty: told.novelty,
      createdAt: now,
      reasons: thought.reasons,
      ...(thought.quoted && { quoted: thought.quoted }),
    })
    dreamt.push(told)
  }
  signal?.throwIfAborted()
  return context.store.dreams.addMany(context.project, chosen)
}

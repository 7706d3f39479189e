/**
 * Prime: what a session should know before it starts, as one block of text. Knows the order of importance and how much
 * fits; the current work is described by the caller.
 */

import * as z from 'zod/mini'
import { counted } from '../core/counts.ts'
import { msPerDay } from '../core/durations.ts'
import { assess, verdictOf } from '../core/gut-check.ts'
import { maxRecalled } from '../core/limits.ts'
import { overdueAt } from '../core/predictions.ts'
import { likelyFrom } from '../core/ranking.ts'
import { type BeliefStatus, type Memory, saidAt } from '../core/records.ts'
import { isCommitNote, summaryTag } from '../core/tags.ts'
import { relevantFlags } from '../search/relevant-flags.ts'
import { type Block, compose, dated, headingOf, type Line, maxTokens, toLine } from './block.ts'
import { staleLabels, stalenessOf } from './citations.ts'
import { type Context, defineOperation } from './operation.ts'
import { recall } from './recall.ts'
import { about, count, integer, optional, text } from './schemas.ts'
import { verdictIn, verdictsOn } from './verdict-wire.ts'

const defaultTokens = 1_000

const recently = 14 * msPerDay
/** Predictions due this soon are included before they are overdue. */
const soonDue = 3 * msPerDay

/**
 * Minimum scores: below them a memory is more likely about something else; a score by keyword alone is no probability:
 * any shared word gives one.
 */
const relevanceFloor = { semantic: likelyFrom, keyword: 0.5 } as const
/** Of a commit, of which there are many alike, and which git tells as well. */
const commitFloor = 0.6

/** Whether a memory that was found is likely enough what was asked for to be told unasked. */
export const isWorthTelling = (
  { text, score }: { readonly text: string; readonly score: number },
  mode: keyof typeof relevanceFloor,
): boolean => score >= (isCommitNote(text) ? commitFloor : relevanceFloor[mode])

const maxMemories = 8
/** Of the flags less is read with the work than before a risky step: the start of a session should be fast. */
const effort = { least: 2, pieces: 180 }
/** Without a task: the gravest of the newest flags. */
const newestFlags = 50
const maxFlags = 5
const maxPredictions = 5
const maxBeliefs = 5
const maxDreams = 2
/** As many as fit, since they come last. */
const maxLatest = 20
const maxPinned = 20
/** Newest rows among which the latest by time are looked for: an import brings old ones late. */
const newestRows = 50
/** Number of beliefs whose trails are read to see whether they are contested. */
const maxTrails = 20

/** Memories that the caller already has. */
type Except = ReadonlySet<number>

/** The flags that the work may fall under, and those on its matter: "deploy" falls under none, and some are about deploys. */
async function nearFlags(context: Context, work: string): Promise<Line[]> {
  const { nearest } = assess(await relevantFlags(context, work, effort), null)
  const falls = nearest.filter(({ risk }) => verdictOf(risk) !== 'clear').map(({ id }) => id)
  const about = await recallForWork(context, work, { limit: maxFlags, kind: 'flag' })
  const ids = [...new Set([...falls, ...about.map(({ id }) => id)])]
  const found = new Map(
    (await context.store.memories.findMany(context.project, ids)).map((one) => [one.id, one]),
  )
  return toPlainLines(
    context,
    ids.flatMap((id) => found.get(id) ?? []),
  )
}

/** The newest flags, the gravest first. */
async function graveFlags({ store, project, now }: Context): Promise<Memory[]> {
  const newest = { kinds: ['flag'], now: now(), limit: newestFlags, skip: 0 } as const
  const { records } = await store.records.list(project, newest)
  const flags = await store.memories.findMany(
    project,
    records.map(({ id }) => id),
  )
  return flags.sort((a, b) => b.caution - a.caution || b.createdAt - a.createdAt || b.id - a.id)
}

/** The due state of a prediction. */
function dueIn(dueAt: number | null, moment: number): string {
  if (dueAt === null) return 'open'
  return dueAt < moment ? `was due ${dated(dueAt)}` : `due ${dated(dueAt)}`
}

/** Predictions to resolve: overdue, or due in the next days. */
async function duePredictions({ store, project, now }: Context): Promise<Line[]> {
  const moment = now()
  const overdue = overdueAt(moment)
  const asked = { overdue, limit: maxPredictions, skip: 0 }
  const [late, soon] = await Promise.all([
    store.predictions.list(project, { ...asked, standing: 'overdue' }),
    store.predictions.list(project, { ...asked, standing: 'open', dueUpTo: moment + soonDue }),
  ])
  const due = new Map([...late.predictions, ...soon.predictions].map((one) => [one.id, one]))
  return [...due.values()].slice(0, maxPredictions).map(({ id, prediction, confidence, createdAt, dueAt }) =>
    toLine({
      kind: 'prediction',
      id,
      at: createdAt,
      text: prediction,
      labels: [`${dueIn(dueAt, moment)}, confidence ${confidence}`],
    }),
  )
}

/**
 * A belief's status once it is decided; before that `contested` where its whole trail has evidence on both sides, or
 * undefined.
 */
async function tellVerdict(
  { store, project }: Context,
  id: number,
  status: BeliefStatus,
): Promise<string | undefined> {
  if (status !== 'accumulating') return status
  const { events } = await store.beliefs.trail(project, id)
  return new Set(events.map(({ kind }) => kind)).size > 1 ? 'contested' : undefined
}

async function movedBeliefs(context: Context): Promise<Line[]> {
  const { store, project, now } = context
  const movedSince = now() - recently
  const moved = await store.beliefs.list(project, { limit: maxTrails, movedSince, order: 'moved' })
  const verdictOn = await verdictsOn(
    context,
    moved.map(({ id }) => id),
  )
  const verdicts = await Promise.all(
    moved.map((belief) =>
      tellVerdict(context, belief.id, verdictIn(verdictOn(belief.id), belief.logRatio, context)),
    ),
  )
  return moved
    .flatMap((belief, at) => {
      const verdict = verdicts[at]
      const labels = [`${verdict}, confidence ${belief.confidence.toFixed(2)}`]
      return verdict === undefined
        ? []
        : [toLine({ kind: 'belief', id: belief.id, at: belief.createdAt, text: belief.text, labels })]
    })
    .slice(0, maxBeliefs)
}

/** What is found for the work and worth telling. */
async function recallForWork(context: Context, query: string, limits: { limit: number; kind?: 'flag' }) {
  const { mode, results } = await recall.run({ ...context, timeless: true }, { query, ...limits })
  return results.filter((found) => isWorthTelling(found, mode))
}

async function relatedMemories(context: Context, work: string, except: Except): Promise<Line[]> {
  const limit = Math.min(maxMemories + except.size, maxRecalled)
  const found = await recallForWork(context, work, { limit })
  return found
    .filter(({ id, caution }) => caution === 0 && !except.has(id))
    .slice(0, maxMemories)
    .map(({ id, text: whole, created_at, ...item }) =>
      toLine({ kind: 'memory', id, at: Date.parse(created_at), text: whole, labels: staleLabels(item) }),
    )
}

/** The oldest unread dreams, which stay unread, and how many there are. */
async function unreadDreams({ store, project }: Context): Promise<{ lines: Line[]; unread: number }> {
  const unread = await store.dreams.countUnread(project)
  if (unread === 0) return { lines: [], unread }
  const oldest = await store.dreams.list(project, { limit: maxDreams, read: false })
  return {
    lines: oldest.map(({ id, thought, createdAt }) =>
      toLine({ kind: 'dream', id, at: createdAt, text: thought }),
    ),
    unread,
  }
}

/** Memories and flags as lines, with their stale citations. */
async function toPlainLines(context: Context, memories: readonly Memory[]): Promise<Line[]> {
  const staleOf = await stalenessOf(
    context,
    'memory',
    memories.map(({ id }) => id),
  )
  return memories.map((memory) => {
    const { id, text: whole, caution } = memory
    const labels = [...(caution > 0 ? [`caution ${caution}`] : []), ...staleLabels(staleOf(id))]
    return toLine({ kind: caution > 0 ? 'flag' : 'memory', id, at: saidAt(memory), text: whole, labels })
  })
}

async function latestMemories(context: Context): Promise<Line[]> {
  const { store, project, now } = context
  const newest = await store.memories.newest(project, { limit: newestRows, now: now() })
  const latest = newest
    // Parts of what a session was, and commits, stand in for no note that somebody meant to be read.
    .filter(({ text, tags = [] }) => !tags.includes(summaryTag) && !isCommitNote(text))
    .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id)
    .slice(0, maxLatest)
  return toPlainLines(context, latest)
}

async function pinnedMemories(context: Context): Promise<Line[]> {
  const { store, project, now } = context
  return toPlainLines(context, await store.memories.pinned(project, { limit: maxPinned, now: now() }))
}

/** What a brain holds beside these memories, and the commands that show it. */
async function restBeside(context: Context, known: Except, dreams: number): Promise<string[]> {
  const { store, project, now, own } = context
  const restOf = async (kind: 'memory' | 'flag'): Promise<number> => {
    const all = { kinds: [kind], now: now(), limit: 1, skip: 0 }
    const [{ total }, among] = await Promise.all([
      store.records.list(project, all),
      // Counted by the store: what was told earlier may be gone since, or have become a flag.
      store.records.list(project, { ...all, only: [...known].map((id) => ({ kind, id })) }),
    ])
    return total - among.total
  }
  const [flags, memories] = await Promise.all([restOf('flag'), restOf('memory')])
  const command = own ? 'brain --global' : 'brain'
  return [
    ...(flags > 0 ? [`${counted(flags, 'more warning')} (\`${command} list flag\`)`] : []),
    ...(memories > 0 ? [`${counted(memories, 'more memory', 'more memories')} (\`${command} recall\`)`] : []),
    ...(dreams > 0 ? [`${counted(dreams, 'more unread dream')} (\`${command} dreams\`)`] : []),
  ]
}

/** The current work, or who is to be asked for it once all else is done; undefined if unknown. */
type Work = string | undefined | (() => Promise<string | undefined>)

/** A brain's content without the memories in `except`, most important first, and what is left out. */
async function gather(
  context: Context,
  work: Work,
  except: Except,
): Promise<{ lines: readonly Line[]; rest: readonly string[] }> {
  // What has nothing to do with the work is looked up while others find out what that is.
  const [pinned, gravest, predictions, beliefs, dreams, latest] = await Promise.all([
    pinnedMemories(context),
    graveFlags(context),
    duePredictions(context),
    movedBeliefs(context),
    unreadDreams(context),
    latestMemories(context),
  ])
  const known = typeof work === 'function' ? await work() : work
  const [near, memories] =
    known === undefined
      ? [[], []]
      : await Promise.all([nearFlags(context, known), relatedMemories(context, known, except)])
  // What is known of the work may be a file's name: the gravest warnings are worth more than what is merely new.
  const told = new Set([...except, ...idsIn(near)])
  const left = gravest.filter(({ id }) => !told.has(id)).slice(0, Math.max(0, maxFlags - near.length))
  const grave = await toPlainLines(context, left)
  const [nearest, others] = known === undefined ? [grave, []] : [near, grave]
  const lines = [pinned, nearest, predictions, beliefs, memories, dreams.lines, others, latest]
    .flat()
    .filter((line) => !idsIn([line]).some((id) => except.has(id)))
  const rest = await restBeside(
    context,
    new Set([...except, ...idsIn(lines)]),
    dreams.unread - dreams.lines.length,
  )
  return { lines, rest }
}

/** Ids of memories and flags. */
export interface MemoryIds {
  /** Of the brain that was asked. */
  readonly here: readonly number[]
  /** Of the one that goes with the person, beside it. */
  readonly beside: readonly number[]
}

const idsIn = (lines: readonly Line[] = []): number[] =>
  lines.flatMap(({ key }) => /^(?:memory|flag) (\d+)$/.exec(key)?.[1] ?? []).map(Number)

/** The block for a piece of work, without the memories in `except`, and the memories in it. */
export async function writeBlock(
  context: Context,
  work: Work,
  { tokens = defaultTokens, except = { here: [], beside: [] } }: { tokens?: number; except?: MemoryIds } = {},
): Promise<Block & { memories: MemoryIds }> {
  const own = await context.personal?.()
  const [here, beside] = await Promise.all([
    gather(context, work, new Set(except.here)),
    own && gather(own, work, new Set(except.beside)),
  ])
  const block = compose(
    [
      { ...here, heading: headingOf(context) },
      ...(beside === undefined ? [] : [{ ...beside, heading: headingOf({ own: true }) }]),
    ],
    tokens,
  )
  const [first, second] = block.sections
  return { ...block, memories: { here: idsIn(first), beside: idsIn(second) } }
}

export const prime = defineOperation({
  name: 'prime',
  summary:
    'What a session should know before it starts: warnings, open ends and memories near the work at hand.',
  help: {
    group: 'Agents',
    place: 3,
    examples: ['brain prime', 'brain prime --for "move the queue to Redis" --tokens 400'],
  },
  members: {
    for: about(
      'The current work, in plain words; without it the newest notes and the gravest of the newest flags are used',
      optional(text()),
    ),
    tokens: about(
      'How long it may be, one token for three bytes',
      optional(integer(100, maxTokens), defaultTokens),
    ),
  },
  output: () => z.object({ text: z.string(), shown: count(), omitted: count() }),
  route: { method: 'GET', path: '/v1/prime' },
  effect: 'read',
  tool: false,
  command: {},
  run: async (context, input) => {
    const {
      text: block,
      shown,
      omitted,
    } = await writeBlock(context, input.for ?? undefined, {
      tokens: input.tokens ?? defaultTokens,
    })
    return { text: block, shown, omitted }
  },
})

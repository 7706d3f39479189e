/** Duplicates: memories that say the same, and merging them. */
import * as z from 'zod/mini'
import { createTurns, yieldToEventLoop } from '../clock.ts'
import { addTo } from '../core/lists.ts'
import { type Memory, saidAt } from '../core/records.ts'
import { nearlyTheSame, plainForm, Sameness } from '../core/sameness.ts'
import type { Merging } from '../store/memory-life.ts'
import { type Context, defineOperation } from './operation.ts'
import { memoryRefusals, requireMemory } from './own-memory.ts'
import { repeats } from './related.ts'
import {
  about,
  count,
  flagged,
  id,
  integer,
  maxTags,
  optional,
  recordId,
  timestamp,
  toTimestamp,
} from './schemas.ts'

const defaultLimit = 20
/** Memories read at a time. */
const pageSize = 500
/** Versions listed per group; further ones are counted. */
const maxListed = 20
/** Pairs that the pair model reads in one call; each takes a few milliseconds. */
const maxRead = 2_000

/** By the last id of each. */
function newestFirst(groups: readonly number[][]): number[][] {
  const withLast = groups.map((ids) => ({ ids, last: ids.reduce((a, b) => Math.max(a, b)) }))
  return withLast.sort((a, b) => b.last - a.last).map(({ ids }) => ids)
}

/** The ids of all groups, the one with the newest memory first. */
async function findGroups(context: Context): Promise<number[][]> {
  const { store, project, onProgress } = context
  const sameness = new Sameness()
  const turn = createTurns()
  const total = await store.memories.count(project)
  let after = 0
  for (let done = 0; ; ) {
    const page = await store.memories.list(project, { after, limit: pageSize, now: context.now() })
    for (const { id, text, caution } of page) {
      sameness.add({ id, text, flag: caution > 0 })
      await turn()
    }
    const last = page.at(-1)
    if (last === undefined) break
    after = last.id
    done += page.length
    onProgress?.({ doing: 'reading', done, total })
    await yieldToEventLoop()
  }
  const steps = sameness.groups()
  for (;;) {
    const step = steps.next()
    if (step.done === true) return newestFirst(step.value)
    onProgress?.({ doing: 'comparing', ...step.value })
    await yieldToEventLoop()
  }
}

/** A memory with the older ones that say what it says. */
interface Group {
  readonly kept: Memory
  readonly older: readonly Memory[]
  /** What they become, or would. */
  readonly merging: Merging
}

/** Judges groups: applies the rule to each text and the newest, and, with a pair model, its judgement to those that differ. */
class Judge {
  readonly #context: Context
  readonly #turn = createTurns()
  #read = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** The part of a group that says what its newest memory says, and of the rest what is in the same words. */
  async groups(ids: readonly number[]): Promise<Group[]> {
    const { store, project } = this.#context
    const found = await store.memories.findMany(project, ids)
    const [kept, ...others] = found.sort((a, b) => saidAt(b) - saidAt(a) || b.id - a.id)
    if (kept === undefined) return []
    const alike = [kept]
    const byForm = new Map<string, Memory[]>()
    for (const memory of others) {
      if (await this.#agrees(memory, kept)) alike.push(memory)
      else addTo(byForm, plainForm(memory.text), memory)
    }
    return [alike, ...byForm.values()].flatMap(([newest, ...older]) =>
      newest === undefined || older.length === 0
        ? []
        : [{ kept: newest, older, merging: mergingOf([newest, ...older], this.#context.now()) }],
    )
  }

  async #agrees(older: Memory, kept: Memory): Promise<boolean> {
    await this.#turn()
    if (plainForm(older.text) === plainForm(kept.text)) return true
    if (this.#read >= maxRead || !nearlyTheSame(older.text, kept.text)) return false
    this.#read += 1
    await yieldToEventLoop()
    return repeats(this.#context, older.text, kept.text)
  }
}

/** The tags of several memories, as many as one may have. */
export const unitedTags = (all: readonly { readonly tags?: readonly string[] | undefined }[]): string[] =>
  [...new Set(all.flatMap(({ tags = [] }) => tags))].slice(0, maxTags)

const laterEnd = (one: number | null, { expiresAt }: Memory): number | null =>
  one === null || expiresAt === undefined ? null : Math.max(one, expiresAt)

/** What becomes of a memory that others are merged into: the first of them is kept. */
export function mergingOf(all: readonly [Memory, ...Memory[]], now: number): Merging {
  const caution = all.reduce((gravest, one) => Math.max(gravest, one.caution), 0)
  // Not the one that is kept: two who merge them into different ones are to agree.
  const madeLast = all.reduce((last, one) => (one.createdAt > last.createdAt ? one : last))
  return {
    now,
    // A warning is never made milder, nor shorter, by being said again.
    caution,
    expiresAt: caution > 0 ? all.reduce<number | null>(laterEnd, 0) : (madeLast.expiresAt ?? null),
    tags: unitedTags(all),
    pinnedAt: all.find(({ pinnedAt }) => pinnedAt !== undefined)?.pinnedAt ?? null,
  }
}

/** Merges the older memories into the newest as versions. Undefined where any of them has changed since. */
async function merge(
  { store, project, now }: Context,
  { kept, older, merging: before }: Group,
): Promise<Group | undefined> {
  const ids = { kept: kept.id, older: older.map(({ id }) => id) }
  let merging = before
  const done = await store.memories.merge(project, ids, (current, others) => {
    const all = [current, ...others] as const
    if (!all.every(({ text }, at) => text === [kept, ...older][at]?.text)) return undefined
    merging = mergingOf(all, now())
    return merging
  })
  return done ? { kept, older, merging } : undefined
}

const told = () => z.object({ id: recordId(), text: z.string(), created_at: timestamp() })
const tell = ({ id, text, createdAt }: Memory) => ({ id, text, created_at: toTimestamp(createdAt) })

export const duplicates = defineOperation({
  name: 'duplicates',
  summary: 'Find memories that say the same; merged, the older ones become versions of the newest.',
  help: {
    group: 'Memories',
    place: 12,
    examples: ['brain duplicates', 'brain duplicates --merge', 'brain duplicates --of 12 --merge'],
  },
  errors: { refused: memoryRefusals },
  members: {
    merge: about('Merge the older ones of every group into the newest', optional(flagged())),
    of: about('Only the group of this memory', optional(id())),
    limit: about('Maximum number of groups', optional(integer(1, 100), defaultLimit)),
  },
  output: () =>
    z.object({
      groups: z.array(
        z.object({
          kind: z.enum(['memory', 'flag']),
          newest: told(),
          /** The newest of them; all are counted. */
          older: z.array(told()),
          older_count: count(),
          /** When the memory that they are merged into ends, or would; absent where it has no end. */
          expires_at: z.optional(timestamp()),
        }),
      ),
      /** Whether there may be groups that were not reported. */
      more: z.boolean(),
      /** Memories that were merged into others. */
      merged: count(),
    }),
  route: { method: 'POST', path: '/v1/duplicates' },
  effect: 'write',
  tool: false,
  command: {},
  run: async (context, input) => {
    const limit = input.limit ?? defaultLimit
    const { of } = input
    if (of != null) await requireMemory(context, of)
    const groupsFound = await findGroups(context)
    const found = of == null ? groupsFound : groupsFound.filter((ids) => ids.includes(of))
    const judge = new Judge(context)
    const groups: Group[] = []
    let merged = 0
    let judged = 0
    let unlisted = 0
    for (const ids of found) {
      if (groups.length >= limit && input.merge !== true) break
      judged += 1
      const all = await judge.groups(ids)
      const judgedGroups =
        of == null ? all : all.filter(({ kept, older }) => [kept, ...older].some(({ id }) => id === of))
      if (judgedGroups.length === 0) continue
      context.onProgress?.({
        doing: input.merge === true ? 'merging' : 'judging',
        done: judged,
        total: found.length,
      })
      for (const group of judgedGroups) {
        const listed = input.merge === true ? await merge(context, group) : group
        if (listed === undefined) continue
        if (input.merge === true) merged += group.older.length
        if (groups.length < limit) groups.push(listed)
        else unlisted += 1
        await yieldToEventLoop()
      }
    }
    return {
      groups: groups.map(({ kept, older, merging: { expiresAt } }) => ({
        kind: kept.caution > 0 ? ('flag' as const) : ('memory' as const),
        newest: tell(kept),
        older: older.slice(0, maxListed).map(tell),
        older_count: older.length,
        ...(expiresAt !== null && { expires_at: toTimestamp(expiresAt) }),
      })),
      more: unlisted > 0 || judged < found.length,
      merged,
    }
  },
})

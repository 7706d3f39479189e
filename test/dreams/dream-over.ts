import { onTestFinished } from 'vitest'
import { type Brain, openBrain } from '../../src/brain.ts'
import { defaults } from '../../src/config/config.ts'
import type { Dream } from '../../src/core/records.ts'
import { dreamNight } from '../../src/dreams/night.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

export interface ArrivingNote {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly agent: string
  readonly text: string
  readonly caution: number
}

/** An empty brain with the model that ships, closed with the test. */
export async function openToDream(): Promise<Brain> {
  const brain = await openBrain({
    directory: temporaryDirectory(),
    config: { ...defaults, durability: 'normal' },
    as: 'worker',
    create: true,
    label: 'test',
    warn: () => {},
  })
  onTestFinished(() => brain.close())
  return brain
}

/** Everything a brain dreams over some nights, its notes arriving by their times, with the places of the sources. */
export async function dreamOver(
  notes: readonly ArrivingNote[],
  nights: number,
): Promise<{ night: number; dream: Dream; places: number[] }[]> {
  const brain = await openToDream()
  const context = brain.context({ project: 'default', agent: 'default' })
  const embedder = await context.embedders.current()
  const [first, last] = [notes[0], notes.at(-1)]
  if (first === undefined || last === undefined || embedder === undefined)
    throw new Error('nothing to dream of')
  const placeOf = new Map<number, number>()
  const told = []
  let from = 0
  for (let night = 1; night <= nights; night += 1) {
    const now = Math.round(first.at + ((last.at - first.at) * night) / nights) + 43_200_000
    const arrived = notes.slice(from).filter(({ at }) => at <= now)
    const passages = await embedder.embedTexts(arrived.map(({ text }) => text))
    const added = await context.store.memories.addMany(
      'default',
      arrived.map(({ text, caution, agent, at }, place) => ({
        text,
        caution,
        agent,
        createdAt: at,
        embedding: { model: embedder.identity, passages: passages[place] ?? [] },
      })),
    )
    for (const [place, { id }] of added.entries()) placeOf.set(id, from + place)
    from += arrived.length
    const kept = await dreamNight(context, { now, seed: night, timeZone: 'UTC', limit: 5 })
    for (const dream of kept)
      told.push({ night, dream, places: dream.sourceMemoryIds.flatMap((id) => placeOf.get(id) ?? []) })
  }
  return told
}

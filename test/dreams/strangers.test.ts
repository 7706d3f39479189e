import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dreamOver } from './dream-over.ts'

// By writers none of whose notes the reader has learnt from, nor any table: diaries with plain connections, hidden ones, and
// logs of one author.
const folders = {
  plain: ['s1a'],
  brains: ['videocalls', 'ticketshop'],
  alone: ['alone-pharmacy'],
}

interface Planted {
  readonly kind: string
  readonly memory_ids: readonly number[]
}

// Written by hand, of this one shape.
const keyOf = (folder: string) =>
  JSON.parse(readFileSync(`training/night/${folder}/answer-key.json`, 'utf8')) as Record<
    string,
    readonly Planted[]
  >

function readNotes(folder: string, name: string) {
  const lines = readFileSync(`training/night/${folder}/${name}.jsonl`, 'utf8').trim().split('\n')
  return lines.flatMap((line) => {
    const { id, text, caution, agent, created_at } = JSON.parse(line)
    return text === undefined ? [] : [{ id, text, caution, agent, at: Date.parse(created_at) }]
  })
}

describe('brains by writers who had not seen the code, dreamt over by meaning', () => {
  it.each([
    ['plain', 14, 1],
    ['brains', 13, 3],
    ['alone', 6, 3],
  ] as const)(
    'give up much of what was planted, little else, and nothing twice: %s',
    async (folder, most, least) => {
      let named = 0
      let beside = 0
      const key = keyOf(folder)
      for (const name of folders[folder]) {
        const notes = readNotes(folder, name)
        const told = (await dreamOver(notes, 14)).map(({ dream, places }) => ({
          kind: dream.kind,
          ids: places.map((place) => notes[place]?.id),
        }))
        const isOf = (ids: readonly number[], one: (typeof told)[number]): boolean =>
          one.ids.filter((id) => ids.includes(id)).length >= Math.min(2, one.ids.length)
        const things = key[name] ?? []
        named += things.filter(({ memory_ids }) => told.some((one) => isOf(memory_ids, one))).length
        beside += told.filter((one) => !things.some(({ memory_ids }) => isOf(memory_ids, one))).length
        const twice = told.filter(
          (one, at) =>
            told.findIndex(({ kind, ids }) => kind === one.kind && `${ids}` === `${one.ids}`) !== at,
        )
        expect(twice).toEqual([])
      }
      // A little under what was measured: a change that loses more has to say so.
      expect(named).toBeGreaterThanOrEqual(most)
      expect(beside).toBeLessThanOrEqual(least)
    },
  )
})

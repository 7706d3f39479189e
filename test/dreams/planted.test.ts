import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dreamOver } from './dream-over.ts'

interface PlantedNote {
  readonly at: string
  readonly agent: string
  readonly text: string
  readonly caution?: number
  readonly mark?: string
}

// Written by hand, of this one shape.
const shop = JSON.parse(readFileSync('test/dreams/bicycle-shop.json', 'utf8')) as {
  planted: Record<string, string>
  decoys: Record<string, string>
  notes: PlantedNote[]
}

const kindOf: Readonly<Record<string, string>> = {
  'reversal-value': 'reversal',
  'reversal-who': 'reversal',
  trend: 'trend',
  recurrence: 'recurrence',
  question: 'question',
  promise: 'promise',
  cause: 'cause',
  collision: 'collision',
  rule: 'rule',
  preference: 'preference',
}

/** Everything the shop dreams over ten nights, with the marks of the sources. */
async function dreamTheShop() {
  const notes = shop.notes.map(({ at, agent, text, caution = 0 }) => ({
    ...{ agent, text, caution },
    at: Date.parse(`${at}:00Z`),
  }))
  const told = await dreamOver(notes, 10)
  return told.map(({ night, dream, places }) => ({
    ...{ night, dream },
    marks: places.map((place) => shop.notes[place]?.mark),
  }))
}

describe('a brain of four months, dreamt over by meaning', () => {
  it('tells what was planted in it, no decoy, nothing twice and little else', async () => {
    const told = await dreamTheShop()
    const all = told.map(({ night, dream }) => `${night} ${dream.kind}: ${dream.thought}`).join('\n')
    for (const [mark, kind] of Object.entries(kindOf)) {
      const named = told.filter(
        ({ dream, marks }) =>
          dream.kind === kind && marks.filter((one) => one === mark).length * 2 >= marks.length,
      )
      expect(named.length, `${mark} in\n${all}`).toBe(1)
    }
    for (const decoy of Object.keys(shop.decoys)) {
      const fooled = told.filter(({ marks }) => marks.filter((mark) => mark === decoy).length >= 2)
      expect(fooled, `${decoy} in\n${all}`).toEqual([])
    }
    expect(told.length, all).toBeLessThanOrEqual(12)
  })
})

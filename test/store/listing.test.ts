/** What every store promises about records of all kinds in one list: one order, however it is cut into pages. */
import { expect, it } from 'vitest'
import { listedKinds } from '../../src/store/store.ts'
import { adapters } from './contract.ts'

it.each(adapters)(
  'in %s records of one moment come by kind and id, all at once or a page each',
  async (_, open) => {
    const { memories, beliefs, observations, records } = await open()
    const at = { createdAt: 1_000 }
    for (const [text, caution] of [
      ['one', 0],
      ['two', 0.5],
      ['three', 0],
    ] as const)
      await memories.add('mine', { text, caution, agent: 'a', ...at })
    for (const text of ['four', 'five']) await beliefs.add('mine', { text, confidence: 0.5, ...at })
    await observations.add('mine', {
      observerAgent: 'a',
      subjectAgent: 'b',
      observation: 'six',
      kind: null,
      ...at,
    })
    const query = { kinds: listedKinds, now: 2_000 }
    const placeOf = ({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`
    const whole = await records.list('mine', { ...query, limit: 10, skip: 0 })
    expect(whole.records.map(placeOf)).toEqual([
      'belief 2',
      'belief 1',
      'memory 3',
      'flag 2',
      'memory 1',
      'observation 1',
    ])
    const pages = await Promise.all(
      whole.records.map((__, skip) => records.list('mine', { ...query, limit: 1, skip })),
    )
    expect(pages.flatMap((page) => page.records)).toEqual(whole.records)
    const backwards = await records.list('mine', {
      ...query,
      kinds: listedKinds.toReversed(),
      limit: 10,
      skip: 0,
    })
    expect(backwards).toEqual(whole)
    // The first and the last moment that are asked for are among those that are meant.
    const within = async (since: number, until: number) =>
      (await records.list('mine', { ...query, since, until, limit: 10, skip: 0 })).total
    expect(await within(1_000, 1_000)).toBe(6)
    expect([await within(1_001, 2_000), await within(0, 999)]).toEqual([0, 0])
  },
)

/**
 * What every store promises about plans to which a flag does not apply: the latest of each flag count, whatever is said
 * of others.
 */
import { expect, it } from 'vitest'
import { maxExemptions } from '../../src/store/store.ts'
import { adapters } from './contract.ts'

it.each(adapters)(
  'in %s the latest exemptions of a flag count, however many others have',
  async (_, open) => {
    const { memories, exemptions } = await open()
    const flags = await memories.addMany(
      'mine',
      Array.from({ length: maxExemptions + 1 }, (_none, at) => ({
        text: `flag ${at}`,
        caution: 0.5,
        agent: 'a',
        createdAt: 1,
      })),
    )
    const ids = flags.map(({ id }) => id)
    for (const [now, flagId] of ids.entries()) await exemptions.add('mine', { flagId, topic: 'a plan', now })
    const latestFirst = ids.toReversed().map((flagId) => ({ flagId, topic: 'a plan' }))
    expect(await exemptions.list('mine', ids)).toEqual(latestFirst)
    expect(await exemptions.list('theirs', ids)).toEqual([])

    const [flagId = 0, ...others] = ids
    for (let at = 0; at < maxExemptions; at += 1)
      await exemptions.add('mine', { flagId, topic: `plan ${at}`, now: 100 })
    const plans = Array.from({ length: maxExemptions }, (_none, at) => ({ flagId, topic: `plan ${at}` }))
    expect(await exemptions.list('mine', [flagId])).toEqual(plans.toReversed())
    expect(await exemptions.list('mine', others)).toEqual(latestFirst.slice(0, -1))
  },
)

/** Which flags hold which words: flags alone, of one project, as they come and go. */
import { describe, expect, it } from 'vitest'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'
import { flagsOf } from './matching.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const memory = (text: string, caution: number) => ({ text, caution, agent: 'a', createdAt: 1 })

describe.each(adapters)('the words of flags in %s', (_, open) => {
  it('are found with the flags that hold them, ordinary memories and other projects left out', async () => {
    const store = await open()
    const { memories } = store
    const both = await memories.add('mine', memory('Dropping tables drops tables', 0.5))
    const one = await memories.add('mine', memory('drop everything', 0.01))
    await memories.add('mine', memory('drop the table', 0))
    await memories.add('theirs', memory('drop the table', 1))
    const { flags, held } = await flagsOf(store, { terms: ['drop', 'tabl', 'absent'] })
    expect(flags).toBe(2)
    expect(new Map(held)).toEqual(
      new Map([
        [both.id, ['drop', 'tabl']],
        [one.id, ['drop']],
      ]),
    )
    expect(await flagsOf(store, { project: 'nobody', terms: ['drop'] })).toEqual({
      flags: 0,
      held: new Map(),
    })
  })

  it('are gone with a flag that is forgotten', async () => {
    const store = await open()
    const { memories } = store
    const { id } = await memories.add('mine', memory('drop the table', 0.5))
    await forget(store, 'mine', id)
    expect(await flagsOf(store, { terms: ['drop', 'tabl'] })).toEqual({ flags: 0, held: new Map() })
  })

  it('stand beside the gravest where there are more, the older first among equals, wherever they lie', async () => {
    const { memories, index } = await open()
    const embedded = (caution: number) => ({ ...memory('x', caution), embedding: embed('x') })
    const [, grave, graver, equal] = await memories.addMany('mine', [0.1, 0.5, 0.9, 0.5].map(embedded))
    await memories.add('mine', embedded(0))
    await memories.add('theirs', embedded(1))
    const compared = async (gravest: number, project = 'mine') => {
      const nearest = { model, vector: vectorOf('y'), limit: 0 }
      const found = await index.flagCandidates(project, { terms: [], nearest, gravest, now: 0 })
      return found.passages.map(({ memoryId }) => memoryId).sort((a, b) => a - b)
    }
    expect(await compared(3)).toEqual([grave?.id, graver?.id, equal?.id])
    expect(await compared(1)).toEqual([graver?.id])
    expect(await compared(2)).toEqual([grave?.id, graver?.id])
    expect(await compared(3, 'nobody')).toEqual([])
  })
})

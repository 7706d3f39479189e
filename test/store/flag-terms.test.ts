/** Which flags hold which words: flags alone, of one project, as they come and go. */
import { describe, expect, it } from 'vitest'
import { forget } from './by-project.ts'
import { adapters } from './temporary-store.ts'

const memory = (text: string, caution: number) => ({ text, caution, agent: 'a', createdAt: 1 })

describe.each(adapters)('the words of flags in %s', (_, open) => {
  it('are found with the flags that hold them, ordinary memories and other projects left out', async () => {
    const { memories, index } = await open()
    const both = await memories.add('mine', memory('Dropping tables drops tables', 0.5))
    const one = await memories.add('mine', memory('drop everything', 0.01))
    await memories.add('mine', memory('drop the table', 0))
    await memories.add('theirs', memory('drop the table', 1))
    const { flags, held } = await index.flagTerms('mine', ['drop', 'tabl', 'absent', 'drop'])
    expect(flags).toBe(2)
    expect(new Map(held)).toEqual(
      new Map([
        [both.id, ['drop', 'tabl']],
        [one.id, ['drop']],
      ]),
    )
    expect(await index.flagTerms('nobody', ['drop'])).toEqual({ flags: 0, held: new Map() })
  })

  it('are gone with a flag that is forgotten', async () => {
    const { memories, index, removal } = await open()
    const { id } = await memories.add('mine', memory('drop the table', 0.5))
    await forget({ removal }, 'mine', id)
    expect(await index.flagTerms('mine', ['drop', 'tabl'])).toEqual({ flags: 0, held: new Map() })
  })

  it('stand beside a list of the gravest flags, the older first among equals', async () => {
    const { memories, index } = await open()
    const [mild, grave, graver, equal] = await memories.addMany(
      'mine',
      [0.1, 0.5, 0.9, 0.5].map((caution) => memory('x', caution)),
    )
    await memories.add('mine', memory('x', 0))
    await memories.add('theirs', memory('x', 1))
    expect(await index.gravestFlags('mine', 3)).toEqual([graver?.id, grave?.id, equal?.id])
    expect(await index.gravestFlags('mine', 9)).toContain(mild?.id)
    expect(await index.gravestFlags('nobody', 3)).toEqual([])
  })
})

/** What every store promises about observations. */
import { describe, expect, it } from 'vitest'
import { adapters } from './contract.ts'

const note = {
  observerAgent: 'reviewer',
  subjectAgent: 'planner',
  observation: 'plans before it reads',
  kind: 'pattern',
  createdAt: 1_000,
} as const

describe.each(adapters)('observations in %s', (_, open) => {
  it('come back as they were added, newest first', async () => {
    const { observations } = await open()
    const first = await observations.add('mine', note)
    const second = await observations.add('mine', { ...note, kind: null })
    expect(first).toEqual({ id: first.id, ...note })
    expect(await observations.list('mine', { limit: 10 })).toEqual([second, first])
    expect(await observations.list('mine', { limit: 1 })).toEqual([second])
  })

  it('that were made earlier and taken in later stand behind', async () => {
    const { observations } = await open()
    const today = await observations.add('mine', note)
    const imported = await observations.add('mine', { ...note, createdAt: note.createdAt - 1 })
    expect(await observations.list('mine', { limit: 10 })).toEqual([today, imported])
    expect(await observations.list('mine', { limit: 1, subjectAgent: note.subjectAgent })).toEqual([today])
  })

  it('are those about one subject when asked, and of one project always', async () => {
    const { observations } = await open()
    const planner = await observations.add('mine', note)
    const coder = await observations.add('mine', { ...note, subjectAgent: 'coder' })
    await observations.add('theirs', note)
    const about = async (subjectAgent: string) => observations.list('mine', { subjectAgent, limit: 10 })
    expect(await about('planner')).toEqual([planner])
    expect(await about('coder')).toEqual([coder])
    expect(await about('Planner')).toEqual([])
    expect(await observations.list('nobody', { limit: 10 })).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { KeptSamples } from '../../src/store/search/samples.ts'

const of = (projectId: number, memories = 1_000) => ({ projectId, modelId: 1, memories, size: 32 })

test('a sample holds while the project has about as many memories, a tenth more or less', () => {
  const samples = new KeptSamples<number>()
  expect(samples.find(of(1))).toBeUndefined()
  expect(samples.keep(of(1), [7, 8])).toEqual([7, 8])
  for (const memories of [900, 1_000, 1_100]) expect(samples.find(of(1, memories))).toEqual([7, 8])
  for (const memories of [899, 1_101]) expect(samples.find(of(1, memories))).toBeUndefined()
  expect(samples.find({ ...of(1), modelId: 2 })).toBeUndefined()
  expect(samples.find({ ...of(1), size: 31 })).toBeUndefined()
  samples.keep(of(1, 2_000), [9])
  expect(samples.find(of(1, 2_000))).toEqual([9])
})

test('of many projects only those asked for last are kept', () => {
  const samples = new KeptSamples<number>()
  for (let project = 1; project <= 256; project += 1) samples.keep(of(project), [project])
  samples.find(of(1))
  samples.keep(of(257), [257])
  expect(samples.find(of(2))).toBeUndefined()
  for (const project of [1, 3, 256, 257]) expect(samples.find(of(project))).toEqual([project])
})

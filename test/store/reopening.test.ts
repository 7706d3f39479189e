/** A store that is opened again once it was lost: for all who use it at once, and no oftener. */
import { expect, it } from 'vitest'
import { openAgain } from '../../src/store/sqlite/reopening.ts'
import { openInMemory } from './temporary-store.ts'

it('a store that was lost is opened again once, by whoever asks first, and stays open', async () => {
  let lose = (): void => {}
  let opened = 0
  const store = await openAgain(async (onLost) => {
    opened += 1
    lose = onLost
    return openInMemory()
  })
  const count = () => store.memories.count('mine')
  expect([await count(), opened]).toEqual([0, 1])
  lose()
  expect(await Promise.all([count(), count(), count()])).toEqual([0, 0, 0])
  expect(opened).toBe(2)
  expect([await count(), opened]).toEqual([0, 2])
  lose()
  expect([await count(), opened]).toEqual([0, 3])
  await store.close()
})

/** What is kept in memory of PostgreSQL's vectors: what was removed goes, and costs nothing afterwards. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ProjectVectors } from '../../src/store/postgres/project-vectors.ts'
import { toSnapshot } from '../../src/store/postgres/snapshot.ts'
import { RowWindow } from '../../src/store/search/row-window.ts'

const dimension = 4

const passage = (id: number) => ({
  id,
  memoryId: id,
  flag: false,
  tokens: new Uint16Array(1),
  vector: Int8Array.of(id % 100, 1, 0, 0),
})

describe('a passage that every transaction sees removed', () => {
  it('is gone, and the next question goes through none of the others for it', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const vectors = new ProjectVectors(new RowWindow(dimension), dimension)
    for (let id = 1; id <= 100; id += 1) vectors.add(passage(id))
    vectors.remove(7, 5n)
    vi.advanceTimersByTime(3_600_000)
    vectors.settle(toSnapshot('9:9:'))
    expect(vectors.has(7)).toBe(false)
    const asked = { vector: Float32Array.of(0, 1, 0, 0), limit: 100, kind: undefined, accepts: undefined }
    const found = vectors.nearest(toSnapshot('9:9:'), asked).map(({ memoryId }) => memoryId)
    expect(found).toHaveLength(99)
    expect(found).not.toContain(7)

    const walks = vi.spyOn(Map.prototype, Symbol.iterator)
    onTestFinished(() => walks.mockRestore())
    vectors.settle(toSnapshot('9:9:'))
    expect(
      Math.max(...walks.mock.contexts.map((walked) => (walked as Map<unknown, unknown>).size)),
    ).toBeLessThan(99)
  })
})

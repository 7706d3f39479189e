/** A connection that several parts of a process close at once. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { Connection } from '../../src/store/sqlite/connection.ts'
import { FileGuard } from '../../src/store/sqlite/file-guard.ts'
import { makeBrain } from './brain-file.ts'

test('a connection is closed once by two who close it while a write is queued', async () => {
  const file = await makeBrain()
  const guard = new FileGuard(file)
  const closed = vi.spyOn(guard, 'close')
  onTestFinished(() => closed.mockRestore())
  const connection = new Connection(loadDatabase(file), { file, holders: () => [], guard })
  const written = connection.write(() => connection.run("UPDATE memory SET text = 'another'").changes)
  await Promise.all([connection.close(), connection.close()])
  expect(await written).toBe(1)
  expect(closed).toHaveBeenCalledTimes(1)
  await connection.close()
  expect(closed).toHaveBeenCalledTimes(1)
})

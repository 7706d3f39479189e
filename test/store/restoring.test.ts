/** A backup in the place of a brain into which others write: nothing that was acknowledged is in neither. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { isBusy } from '../../src/store/sqlite/faults.ts'
import { restore } from '../../src/store/sqlite/restoring.ts'
import { makeBrain, options, temporaryDirectory, textsOf, withStore } from './brain-file.ts'

it('what another process writes until the brain is replaced is in the copy that is kept', async () => {
  const file = await makeBrain()
  const backup = await makeBrain(join(temporaryDirectory(), 'backup'))
  const inode = () => statSync(file, { bigint: true }).ino
  const old = inode()
  const other = loadDatabase(file, { timeout: 0 })
  const write = other.prepare('UPDATE memory SET agent = ?')
  let last = ''
  let refused = 0
  let done = false
  // At every turn of the event loop that the restoration leaves, until another file stands there.
  const writeOn = (): void => {
    if (done || inode() !== old) return
    try {
      const agent = `writer ${Number(last.split(' ')[1] ?? 0) + 1}`
      write.run(agent)
      last = agent
    } catch (error) {
      if (!isBusy(error)) throw error
      refused += 1
    }
    setImmediate(writeOn)
  }
  writeOn()
  const kept = await restore(file, backup, options)
  done = true
  other.close()
  const copy = loadDatabase(String(kept), { readonly: true })
  expect(copy.prepare('SELECT agent FROM memory').pluck().get()).toBe(last)
  copy.close()
  expect(refused).toBeGreaterThan(0)
  expect(await withStore(file, textsOf)).toEqual(['the cache is warm'])
})

/** What becomes of a database's log once another program has written to its file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { disarmLog, dropRemains } from '../../src/store/sqlite/orphaned-wal.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

function database({ log }: { log?: string }): string {
  const file = join(temporaryDirectory(), 'brain.db')
  writeFileSync(`${file}-shm`, '')
  if (log !== undefined) writeFileSync(`${file}-wal`, log)
  return file
}

describe('a log whose database was replaced', () => {
  it('is kept beside it and emptied, and then removed', () => {
    const file = database({ log: 'frames' })
    const copy = disarmLog(file)
    expect(readFileSync(copy ?? '', 'utf8')).toBe('frames')
    expect(readFileSync(`${file}-wal`, 'utf8')).toBe('')
    dropRemains(file)
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(existsSync(`${file}-shm`)).toBe(false)
  })

  it('is left alone with what others wrote into it since', () => {
    const file = database({ log: 'frames of another process' })
    dropRemains(file)
    expect(readFileSync(`${file}-wal`, 'utf8')).toBe('frames of another process')
    expect(existsSync(`${file}-shm`)).toBe(true)
  })

  it('is copied nowhere where there is none', () => {
    expect(disarmLog(database({}))).toBeUndefined()
    expect(disarmLog(database({ log: '' }))).toBeUndefined()
  })
})

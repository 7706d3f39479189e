/** Where daemons are found again: one directory may have the settings of several brains, each with a daemon of its own. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepLastRecall, lastScoreOf } from '../../src/cli/last-recall.ts'
import { findDaemon, noteDaemon } from '../../src/config/daemon-note.ts'
import { nameOfStore } from '../../src/core/store-address.ts'

const daemonAt = (url: string) => ({ url, pid: process.pid, version: '0', startedAt: 0 })

test('a daemon is found by the brain that it serves, in a file or in any of several databases', () => {
  const directory = mkdtempSync(join(tmpdir(), 'brain-notes-'))
  const places = [
    { directory },
    { directory, database: 'db:5432/one' },
    { directory, database: 'db:5432/two' },
  ]
  const takeBack = places.map((place, at) => noteDaemon(place, daemonAt(`http://127.0.0.1:${4800 + at}`)))
  expect(places.map((place) => findDaemon(place)?.url)).toEqual(
    [4800, 4801, 4802].map((port) => `http://127.0.0.1:${port}`),
  )
  expect(places.map((place) => noteDaemon(place, daemonAt('http://127.0.0.1:4900')))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  takeBack[1]?.()
  expect(places.map((place) => findDaemon(place)?.url)).toEqual([
    'http://127.0.0.1:4800',
    undefined,
    'http://127.0.0.1:4802',
  ])
})

test('a database is the same for whoever connects to it', () => {
  const names = ['postgres://anna:secret@db/notes', 'postgresql://ben@db:5432/notes?sslmode=require'].map(
    nameOfStore,
  )
  expect(new Set(names)).toEqual(new Set(['postgres:db:5432/notes']))
  expect(nameOfStore('postgres://db:5433/notes')).not.toBe(names[0])
})

test('a score of one brain’s recall is none of another’s that has its settings in the same directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'brain-scores-'))
  keepLastRecall(directory, { database: 'db:5432/one', project: 'default', scores: { 1: 0.9 } })
  expect(lastScoreOf(directory, { database: 'db:5432/one', project: 'default', id: 1 })).toBe(0.9)
  expect(lastScoreOf(directory, { database: 'db:5432/two', project: 'default', id: 1 })).toBeUndefined()
  expect(lastScoreOf(directory, { project: 'default', id: 1 })).toBeUndefined()
})

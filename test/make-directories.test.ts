/** Directories are made with what is above them, their owner's alone, and never without end. */
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectories } from '../src/make-directories.ts'
import { temporaryDirectory } from './models/temporary-directory.ts'

test('a directory is made with all that is missing above it, once', () => {
  const home = temporaryDirectory()
  expect(makeDirectories(join(home, 'a/b/c'))).toBe(true)
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(home, path)).mode & 0o777).toBe(0o700)
  expect(makeDirectories(join(home, 'a/b/c'))).toBe(false)
})

test('a link to a directory need not be made, a file in its place is a refusal', () => {
  const home = temporaryDirectory()
  mkdirSync(join(home, 'real'))
  symlinkSync(join(home, 'real'), join(home, 'link'))
  expect(makeDirectories(join(home, 'link'))).toBe(false)
  writeFileSync(join(home, 'file'), '')
  expect(() => makeDirectories(join(home, 'file'))).toThrow(/EEXIST/)
  expect(() => makeDirectories(join(home, 'file/in/it'))).toThrow(/ENOTDIR/)
})

test('where the system has the parent and makes nothing in it, there is an end', () => {
  // In procfs; elsewhere nobody may make a directory of that name.
  expect(() => makeDirectories('/proc/nobody/.cache/brain')).toThrow()
})

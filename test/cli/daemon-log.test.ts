/** The log of a daemon that runs long: it grows to a bound, and what it held is kept once. */
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTrim } from '../../src/cli/daemon-log.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

function open(file: string): number {
  const descriptor = openSync(file, 'a+')
  onTestFinished(() => closeSync(descriptor))
  return descriptor
}

test('what a log holds is moved aside once it is long, and the same file goes on', () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'daemon.log')
  const descriptor = open(file)
  const elsewhere = join(directory, 'elsewhere')
  writeFileSync(elsewhere, 'mine')
  symlinkSync(elsewhere, `${file}.1`)
  const trim = createTrim(directory, descriptor)
  const write = (line: string): void => {
    writeSync(descriptor, line)
    trim(line.length)
  }
  const long = `${'x'.repeat(600_000)}\n`
  write(long)
  write('first\n')
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('mine')
  write(long)
  expect(readFileSync(file, 'utf8')).toBe('')
  expect(readFileSync(`${file}.1`, 'utf8')).toBe(`${long}first\n${long}`)
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  write('second\n')
  appendFileSync(file, 'by another\n')
  expect(readFileSync(file, 'utf8')).toBe('second\nby another\n')
})

test('a log of other letters than Latin ones is long by its bytes', () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'daemon.log')
  const descriptor = open(file)
  const trim = createTrim(directory, descriptor)
  const line = `${'日'.repeat(200_000)}\n`
  for (const written of [line, line]) {
    writeSync(descriptor, written)
    trim(written.length)
  }
  expect(readFileSync(file, 'utf8')).toBe('')
  expect(readFileSync(`${file}.1`, 'utf8')).toBe(line + line)
})

test('what is written elsewhere than into the log is left alone', () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'elsewhere')
  const descriptor = open(file)
  const trim = createTrim(directory, descriptor)
  writeSync(descriptor, 'a line\n')
  trim(2_000_000)
  trim(2_000_000)
  expect(readFileSync(file, 'utf8')).toBe('a line\n')
})

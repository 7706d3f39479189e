/** Pipes that an import reads: how they are let go of when nobody wants more of them. */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSource } from '../../src/transfer/files.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const isWindows = process.platform === 'win32'

function makePipe(): string {
  const pipe = join(temporaryDirectory(), 'pipe')
  execFileSync('mkfifo', [pipe])
  return pipe
}

/** To write into; the system refuses it while nobody has the other end open. */
const openToWrite = (pipe: string): number => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)

test.skipIf(isWindows)('waiting for who writes into a pipe ends with the signal', async () => {
  const pipe = makePipe()
  const { source } = await openSource(pipe)
  const stopping = new AbortController()
  const first = source.open(stopping.signal)[Symbol.asyncIterator]().next()
  stopping.abort()
  await expect(first).rejects.toMatchObject({ name: 'AbortError' })
  expect(() => openToWrite(pipe)).toThrow('ENXIO')
})

test.skipIf(isWindows)('a pipe of which only the first piece was wanted is closed', async () => {
  const pipe = makePipe()
  const { source } = await openSource(pipe)
  const pieces = source.open(new AbortController().signal)[Symbol.asyncIterator]()
  const first = pieces.next()
  const writer = openToWrite(pipe)
  writeSync(writer, 'a note')
  expect(String((await first).value)).toBe('a note')
  await pieces.return?.()
  closeSync(writer)
  expect(() => openToWrite(pipe)).toThrow('ENXIO')
})

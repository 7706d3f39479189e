import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { inputOf, readUpTo, type Terminal } from '../../src/cli/terminal.ts'

const coded = (code: string): Error => Object.assign(new Error(code), { code })

/** A standard input that gives these pieces, or fails. */
function terminalOf(pieces: readonly (string | Error)[], stdin: Readable): Terminal {
  const left = [...pieces]
  const output = new PassThrough()
  return {
    stdin,
    stdout: output,
    stderr: output,
    environment: {},
    workingDirectory: '/',
    interactive: false,
    colour: false,
    give: (room) => {
      const piece = left.shift() ?? ''
      if (piece instanceof Error) throw piece
      return Buffer.from(piece).copy(room)
    },
  }
}

const readAll = async (terminal: Terminal) =>
  Buffer.from((await readUpTo(inputOf(terminal), 1_000)).bytes).toString()

describe('standard input', () => {
  const unread = Readable.from([Buffer.from('never asked for')])

  test('is read without its stream where it is piped', async () => {
    expect(await readAll(terminalOf(['one ', 'two'], unread))).toBe('one two')
  })

  test('that is empty for the moment is gone on with by its stream', async () => {
    const rest = Readable.from([Buffer.from('two')])
    expect(await readAll(terminalOf(['one ', coded('EAGAIN')], rest))).toBe('one two')
  })

  test('that Windows reports the end of as an error ends there', async () => {
    expect(await readAll(terminalOf(['one', coded('EOF')], unread))).toBe('one')
  })

  test('that cannot be read is an error', async () => {
    await expect(readAll(terminalOf([coded('EISDIR')], unread))).rejects.toThrow('EISDIR')
  })

  test('is read no further than to the limit', async () => {
    const { bytes, complete } = await readUpTo(inputOf(terminalOf(['12345', '67890'], unread)), 7)
    expect([Buffer.from(bytes).toString(), complete]).toEqual(['1234567', false])
  })
})

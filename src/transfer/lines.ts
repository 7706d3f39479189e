/** Splits a stream of bytes into lines. Knows line ends and the maximum length of a line, not its meaning. */
import { BrainError } from '../core/errors.ts'

/** Maximum line length in bytes: a flag and its exemptions, texts as long as can be and every character escaped, and the rest. */
const longestLine = 8_388_608

export interface Line {
  /** From 1. */
  readonly number: number
  /** Without its line end. */
  readonly bytes: Uint8Array
  /** The same with its line end, as it stands in the stream. */
  readonly raw: Uint8Array
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

const toLine = (number: number, raw: Uint8Array): Line => {
  let end = raw.length
  if (raw[end - 1] === lineFeed) end -= 1
  if (raw[end - 1] === carriageReturn) end -= 1
  return { number, raw, bytes: raw.subarray(0, end) }
}

/**
 * The lines of a stream, as many at a time as a chunk of it brings.
 * @throws BrainError `invalid` naming a line that is too long.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest: Uint8Array = new Uint8Array(0)
  let number = 0
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const lines: Line[] = []
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      number += 1
      lines.push(toLine(number, bytes.subarray(start, end + 1)))
      start = end + 1
    }
    rest = bytes.subarray(start)
    const long = lines.find(({ raw }) => raw.length > longestLine)
    if (long !== undefined || rest.length > longestLine) {
      const where = long?.number ?? number + 1
      throw new BrainError('invalid', `line ${where}: must be at most ${longestLine} bytes`)
    }
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0) yield [toLine(number + 1, rest)]
}

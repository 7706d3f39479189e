/**
 * Texts that are too long for one memory, cut into parts that are not: between paragraphs, else between lines, sentences or
 * words, and only where there are none of these between two characters. Nothing of a text is lost but the space at a cut.
 */
import { maxTextBytes } from '../core/limits.ts'

/** After which of them a part may end, the best first. */
const ends = ['\n\n', '\n', '. ', '! ', '? ', '; ', ' ']

/** How much of a text fits, and is no worse a place to end than need be: a part is at least half as long as it may be. */
function endOf(fitting: string): number {
  for (const end of ends) {
    const at = fitting.lastIndexOf(end)
    if (at > fitting.length / 2) return at + end.length
  }
  return fitting.length
}

/** The parts of a text, each of at most so many bytes; the text itself where it is short enough. */
export function partsOf(text: string, bytes = maxTextBytes): string[] {
  // Nearly every text: an import asks for each of its notes.
  if (Buffer.byteLength(text) <= bytes) return [text]
  const encoder = new TextEncoder()
  const room = new Uint8Array(bytes)
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    const rest = text.slice(from, from + bytes)
    const { read } = encoder.encodeInto(rest, room)
    const length = from + read === text.length ? read : endOf(rest.slice(0, read))
    parts.push(text.slice(from, from + length))
    from += length
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

import { describe, expect, it } from 'vitest'
import { cutText } from '../../src/models/passages.ts'

const words = (text: string): number => text.match(/\S+/g)?.length ?? 0
const textsOf = (text: string, size: number, overlap = 0): string[] =>
  cutText(text, { size, overlap }, words).map(({ start, end }) => text.slice(start, end))

describe('passages of a text', () => {
  it('are the text itself while it fits', () => {
    expect(textsOf('One two three. Four five.', 5)).toEqual(['One two three. Four five.'])
  })

  it('end with sentences and lines, and are of about one length', () => {
    const sentence = (at: number): string => `This is sentence number ${at} of them all.`
    const text = Array.from({ length: 12 }, (_, at) => sentence(at)).join(' ')
    const cut = textsOf(text, 40)
    expect(cut.map((part) => part.trim().endsWith('all.'))).toEqual([true, true, true])
    expect(cut.map(words)).toEqual([40, 40, 16])
    expect(textsOf('- one two\n- three four\n- five six\n', 6)).toEqual([
      '- one two\n- three four\n',
      '- five six\n',
    ])
  })

  it('repeat what fits into the overlap', () => {
    const [first = '', second = ''] = textsOf('Aa bb cc. Dd ee. Ff gg hh. Ii jj kk. Ll mm.', 8, 3)
    expect(
      first
        .trim()
        .split(/(?<=\.) /)
        .at(-1),
    ).toBe(second.trim().split(/(?<=\.) /)[0])
  })

  it('cut a sentence that is too long at white space, and leave nothing out', () => {
    const text = `${'word '.repeat(30)}end. Short one. ${'ä'.repeat(100)}`
    const spans = cutText(text, { size: 10, overlap: 0 }, words)
    expect(spans.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
    for (const { start, end } of spans) expect(words(text.slice(start, end))).toBeLessThanOrEqual(10)
  })

  it('of a text that is blanks for the most part are found at once', () => {
    for (const text of [`a note${' '.repeat(65_536)}`, `a note${'\n'.repeat(65_536)}end`]) {
      const begun = performance.now()
      expect(textsOf(text, 1).join('')).toBe(text)
      // It takes milliseconds; from each of the blanks it would take ten seconds.
      expect(performance.now() - begun).toBeLessThan(2_000)
    }
  })

  it('of a text without an end of sentence or of blanks alone are in order', () => {
    for (const text of ['\n\n\n'.repeat(50), '. '.repeat(300), 'a. b? c! '.repeat(100)]) {
      const spans = cutText(text, { size: 5, overlap: 1 }, (part) => part.length)
      expect(spans[0]?.start).toBe(0)
      expect(spans.at(-1)?.end).toBe(text.length)
    }
  })
})

import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WordPieceTokenizer } from '../../src/models/tokenizer.ts'
import { compactVocabulary, Vocabulary } from '../../src/models/vocabulary.ts'
import { pieces, tokenizerJson } from './tiny-vocabulary.ts'

interface Reference {
  encode(text: string): Promise<{ getIds(): number[] }>
}

// The tokenizer that fastembed brings: the Rust implementation of the same file.
const require = createRequire(createRequire(import.meta.url).resolve('fastembed'))
const { Tokenizer } = require('@anush008/tokenizers') as {
  Tokenizer: { fromString(json: string): Reference }
}
const reference = Tokenizer.fromString(tokenizerJson())

const vocabulary = new Vocabulary(compactVocabulary(tokenizerJson()))
const tokenizer = new WordPieceTokenizer(vocabulary)
const split = (text: string): string[] => [...tokenizer.tokenise(text)].map((id) => vocabulary.piece(id))

const agree = async (text: string): Promise<void> => {
  const ids = (await reference.encode(text)).getIds()
  expect([...tokenizer.tokenise(text)], JSON.stringify(text)).toEqual(ids)
}

describe('word pieces', () => {
  test('a word falls into its longest known pieces', () => {
    expect(split('Running deployed')).toEqual(['running', 'deploy', '##ed'])
  })

  test('punctuation stands alone', () => {
    expect(split('user.id_fk?')).toEqual(['user', '.', 'i', '##d', '_', 'f', '##k', '?'])
  })

  test('accents are stripped, composed or not', () => {
    expect(split('café cafe\u0301 NAÏVE')).toEqual(['cafe', 'cafe', 'naive'])
  })

  test('CJK characters stand alone', () => {
    expect(split('a中文b')).toEqual(['a', '中', '文', 'b'])
  })

  test('a word with a character that has no piece is unknown as a whole', () => {
    expect(split('run🎉 run')).toEqual(['[UNK]', 'run'])
  })

  test('a word of more than a hundred characters is unknown', () => {
    expect(split('a'.repeat(100))).toHaveLength(100)
    expect(split('a'.repeat(101))).toEqual(['[UNK]'])
  })

  test('control characters vanish inside a word', () => {
    expect(split('de\u200bp\u0000loy\u0085')).toEqual(['deploy'])
  })

  test('every ASCII character is what the reference takes it for', async () => {
    for (let point = 0; point < 128; point += 1) await agree(`run${String.fromCharCode(point)}deploy`)
  })

  test('a special token in a text is text', () => {
    expect(split('[PAD]')).toEqual(['[', 'p', '##a', '##d', ']'])
  })

  test('a text of nothing but space has no pieces', () => {
    expect(split(' \n\t\u3000\u200b')).toEqual([])
  })
})

describe('equality with the reference tokenizer', () => {
  test.each([
    'The Database connection TIMEOUT, at 10:42!',
    'ECONNRESET v1.8.3 /usr/local/bin user_id_fk',
    'Straße STRASSE ΟΔΟΣ İstanbul ŉ ǅ ﬁ',
    '中文 notes — “quoted” … €5 ½ ²',
    '한국어 カタカナ ひらがな العربية עברית हिन्दी ไทย',
    'tab\tnewline\ncarriage\rvertical\u000bform\u000cnbsp\u00a0ideographic\u3000line\u2028',
    '👩‍👩‍👧 🏳️‍🌈 ☕️ e\u0301\u0327 a\u0300b',
    '🎉'.repeat(150),
  ])('%j', agree)

  test('any text of common characters', async () => {
    const character = fc.oneof(
      fc.constantFrom(...'aAbBeEnrstuUzZ019 .,-_#[]\n\t'),
      fc.constantFrom(...pieces.slice(-20)),
      fc.integer({ min: 0x80, max: 0x5ff }).map((point) => String.fromCodePoint(point)),
      fc.integer({ min: 0x1e00, max: 0x24ff }).map((point) => String.fromCodePoint(point)),
    )
    const text = fc.array(character, { maxLength: 60 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(text, (sample) => (/\[(pad|unk)\]/i.test(sample) ? Promise.resolve() : agree(sample))),
      { numRuns: 1500, seed: 7 },
    )
  })

  // Blocks that have not changed since the reference's tables of marks and punctuation were made (Unicode 9).
  test.each([
    ['Latin to Armenian', 0x01, 0x5ff],
    ['Latin Extended Additional to symbols', 0x1e00, 0x2bff],
    ['CJK and Yi', 0x3000, 0xa63f],
    ['Hangul', 0xac00, 0xd7ff],
    ['compatibility forms and specials', 0xe000, 0xffff],
    ['CJK Extension B to F', 0x20000, 0x2fa1f],
  ])('every character inside a word: %s', async (_, first, last) => {
    let text = ''
    for (let point = first; point <= last; point += 1) {
      text += ` a${String.fromCodePoint(point)}b`
      if (point % 1024 === 1023 || point === last) {
        await agree(text)
        text = ''
      }
    }
  })
})

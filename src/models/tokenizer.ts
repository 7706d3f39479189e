/**
 * Text to word-piece ids, as BERT's lower-casing tokenizer does it: control characters dropped, accents
 * stripped, CJK characters and punctuation standing alone, each word cut into its longest known pieces.
 * Knows Unicode and a vocabulary; nothing of vectors. One deliberate difference: a text that spells a special
 * token such as `[PAD]` is text, three pieces of it, because what a user writes is never a command.
 */
import type { Vocabulary } from './vocabulary.ts'

const createClasses = () => ({
  other: /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/u,
  space: /\p{White_Space}/u,
  mark: /\p{Mn}/u,
  punctuation: /[\p{P}$+<=>^`|~]/u,
})

let classes: ReturnType<typeof createClasses> | undefined

// The blocks that BERT calls Chinese; the gap before 2B920 is BERT's own.
const ideographs = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0x2f800, 0x2fa1f],
] as const

/** What one character beyond ASCII becomes: lower-cased and stripped, spaces around what stands alone, '' when dropped. */
function spell(character: string, point: number): string {
  // Made when the first text asks for them: to read their properties takes V8 as long as a hundred comparisons.
  classes ??= createClasses()
  const { other, space, mark, punctuation } = classes
  if (other.test(character)) return ''
  if (space.test(character)) return ' '
  let spelled = ''
  for (const part of character.normalize('NFD')) {
    if (mark.test(part)) continue
    const lower = part.toLowerCase()
    spelled += punctuation.test(part) ? ` ${lower} ` : lower
  }
  return ideographs.some(([first, last]) => point >= first && point <= last) ? ` ${spelled} ` : spelled
}

const kind = { dropped: 0, space: 1, alone: 2, letter: 3 } as const
const asciiKinds = new Uint8Array(128)
const asciiLower = new Uint8Array(128)
for (let point = 0; point < 128; point += 1) {
  const character = String.fromCharCode(point)
  const lower = character.toLowerCase()
  asciiLower[point] = lower.charCodeAt(0)
  if (/[\t\n\r ]/.test(character)) asciiKinds[point] = kind.space
  else if (character < ' ' || character === '\x7f') asciiKinds[point] = kind.dropped
  else asciiKinds[point] = /[a-z0-9]/.test(lower) ? kind.letter : kind.alone
}

const spaceUnit = 0x20

export class WordPieceTokenizer {
  readonly vocabulary: Vocabulary
  readonly #word: Uint16Array
  #length = 0
  #characters = 0
  #ids = new Uint16Array(256)
  #end = 0
  // Bounded, so that a text of a hundred thousand different characters cannot fill the memory for good.
  readonly #spellings = new Map<number, string>()

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary
    this.#word = new Uint16Array(2 * vocabulary.longestWord + 2)
  }

  /** The ids of a text's pieces, in order; empty when nothing but spaces and control characters is in it. */
  tokenise(text: string): Uint16Array {
    this.#end = 0
    this.#length = 0
    this.#characters = 0
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit < 128) {
        const what = asciiKinds[unit]
        if (what === kind.letter) this.#add(asciiLower[unit] ?? 0)
        else if (what === kind.space) this.#finishWord()
        else if (what === kind.alone) {
          this.#finishWord()
          this.#add(unit)
          this.#finishWord()
        }
        continue
      }
      const point = text.codePointAt(index) ?? unit
      if (point > 0xffff) index += 1
      this.#addSpelling(this.#spelling(point))
    }
    this.#finishWord()
    return this.#ids.slice(0, this.#end)
  }

  #spelling(point: number): string {
    const known = this.#spellings.get(point)
    if (known !== undefined) return known
    if (this.#spellings.size >= 4096) this.#spellings.clear()
    const spelled = spell(String.fromCodePoint(point), point)
    this.#spellings.set(point, spelled)
    return spelled
  }

  #addSpelling(spelled: string): void {
    for (let index = 0; index < spelled.length; index += 1) {
      const unit = spelled.charCodeAt(index)
      if (unit === spaceUnit) this.#finishWord()
      else this.#add(unit)
    }
  }

  #add(unit: number): void {
    // The second half of a surrogate pair is not a character.
    if ((unit & 0xfc00) !== 0xdc00) this.#characters += 1
    if (this.#characters <= this.vocabulary.longestWord) this.#word[this.#length++] = unit
  }

  #finishWord(): void {
    if (this.#length === 0) return
    if (this.#end + this.#length > this.#ids.length) {
      const larger = new Uint16Array(2 * this.#ids.length + this.#length)
      larger.set(this.#ids)
      this.#ids = larger
    }
    if (this.#characters > this.vocabulary.longestWord) this.#ids[this.#end++] = this.vocabulary.unknown
    else this.#end = this.vocabulary.split(this.#word, this.#length, { ids: this.#ids, at: this.#end })
    this.#length = 0
    this.#characters = 0
  }
}

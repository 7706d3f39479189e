/**
 * The word pieces of a tokenizer.json, laid out so that a file of them is used as it is: a hash table over
 * UTF-16 code units, no string made, nothing parsed. Knows pieces and their ids; nothing of vectors.
 *
 * Layout, little-endian: nine 32-bit words (magic, version, pieces, slots, code units, id of the unknown
 * piece, longest word in characters, longest piece in code units, bytes of the tokenizer.json it was made of)
 * and that file's SHA-256 (eight words), then one offset a piece and a last one (32 bits), the slots (16 bits:
 * an id, or 0xffff when free), the code units (16 bits).
 */
import { BrainError } from '../core/errors.ts'
import { fnv, fnvBasis, fnvNext } from '../core/fnv.ts'
import { memberOf } from '../core/json.ts'
import { sha256 } from './hashes.ts'

const magic = 0x62766f63
const version = 2
const numberWords = 9
const headerWords = numberWords + 8
const free = 0xffff
const continuation = '##'
/** Far above the 100 of every published tokenizer: a buffer is made for it. */
const maxLongestWord = 65_535

const spread = (hash: number): number => hash ^ (hash >>> 15)
const basisInside = fnv(continuation)

interface Settings {
  readonly pieces: readonly string[]
  readonly unknown: string
  readonly longestWord: number
}

const unsuitable = (why: string, cause?: unknown): never => {
  throw new BrainError('failed', `the tokenizer cannot be used: ${why}`, { cause })
}

function readSettings(json: string): Settings {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (error) {
    unsuitable('tokenizer.json is not valid JSON', error)
  }
  const model = memberOf(parsed, 'model')
  const normalizer = memberOf(parsed, 'normalizer')
  const kinds = [
    memberOf(model, 'type'),
    memberOf(normalizer, 'type'),
    memberOf(memberOf(parsed, 'pre_tokenizer'), 'type'),
  ]
  if (
    kinds.join() !== 'WordPiece,BertNormalizer,BertPreTokenizer' ||
    memberOf(normalizer, 'lowercase') !== true
  ) {
    unsuitable('it is no lower-casing BERT WordPiece tokenizer')
  }
  if (memberOf(model, 'continuing_subword_prefix') !== continuation)
    unsuitable(`pieces do not continue with ${continuation}`)
  const entries = Object.entries(memberOf(model, 'vocab') ?? {})
  if (entries.length === 0 || entries.length >= free) unsuitable(`it has ${entries.length} pieces`)
  const pieces = new Array<string>(entries.length).fill('')
  for (const [piece, id] of entries) {
    if (piece === '' || !Number.isInteger(id) || pieces[id] !== '') unsuitable('its ids are not 0, 1, 2, …')
    pieces[id] = piece
  }
  const unknown = memberOf(model, 'unk_token')
  const longestWord = memberOf(model, 'max_input_chars_per_word') ?? 100
  if (typeof unknown !== 'string' || !pieces.includes(unknown)) return unsuitable('it has no unknown piece')
  if (typeof longestWord !== 'number' || !(longestWord > 0))
    return unsuitable('its longest word is no number')
  return { pieces, unknown, longestWord }
}

/** The vocabulary file of a tokenizer.json. @throws BrainError `failed` when the tokenizer is of another kind. */
export function compactVocabulary(tokenizerJson: string): Uint8Array {
  const { pieces, unknown, longestWord } = readSettings(tokenizerJson)
  let slotCount = 64
  while (slotCount < pieces.length * 2) slotCount *= 2
  const unitCount = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const bytes = new Uint8Array(4 * (headerWords + pieces.length + 1) + 2 * (slotCount + unitCount))
  const words = new Uint32Array(bytes.buffer, 0, headerWords + pieces.length + 1)
  const slots = new Uint16Array(bytes.buffer, words.byteLength, slotCount).fill(free)
  const units = new Uint16Array(bytes.buffer, words.byteLength + slots.byteLength)
  const longestPiece = Math.max(...pieces.map((piece) => piece.length))
  words.set([
    magic,
    version,
    pieces.length,
    slotCount,
    unitCount,
    pieces.indexOf(unknown),
    longestWord,
    longestPiece,
    Buffer.byteLength(tokenizerJson),
  ])
  bytes.set(sha256(tokenizerJson), 4 * numberWords)
  let place = 0
  for (const [id, piece] of pieces.entries()) {
    words[headerWords + id] = place
    let hash = fnvBasis
    for (let index = 0; index < piece.length; index += 1) {
      const unit = piece.charCodeAt(index)
      hash = fnvNext(hash, unit)
      units[place++] = unit
    }
    let slot = spread(hash) & (slotCount - 1)
    while (slots[slot] !== free) slot = (slot + 1) & (slotCount - 1)
    slots[slot] = id
  }
  words[headerWords + pieces.length] = place
  return bytes
}

export class Vocabulary {
  /** SHA-256 of the tokenizer.json that it was made of. */
  readonly digest: Uint8Array
  readonly size: number
  readonly unknown: number
  /** Characters; a longer word is unknown. */
  readonly longestWord: number
  /** Size of the tokenizer.json that it was made of: of another size, that file is another one. */
  readonly sourceBytes: number
  readonly #longestPiece: number
  readonly #offsets: Uint32Array
  readonly #slots: Uint16Array
  readonly #units: Uint16Array
  readonly #prefixes: Int32Array

  /** @throws BrainError `failed` when the bytes are no vocabulary file. */
  constructor(bytes: Uint8Array) {
    // Views of 32-bit words need an aligned start, which a slice of a pooled buffer may not have.
    const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
    const words = new Uint32Array(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / 4))
    const [
      mark,
      made,
      size = 0,
      slotCount = 0,
      unitCount = 0,
      unknown = 0,
      longestWord = 0,
      longest = 0,
      sourceBytes = 0,
    ] = words
    const expected = 4 * (headerWords + size + 1) + 2 * (slotCount + unitCount)
    if (
      mark !== magic ||
      made !== version ||
      expected !== bytes.length ||
      unknown >= size ||
      slotCount <= size ||
      longest > unitCount ||
      longestWord > maxLongestWord
    ) {
      unsuitable('the vocabulary file is damaged or of another version')
    }
    this.size = size
    this.unknown = unknown
    this.longestWord = longestWord
    this.sourceBytes = sourceBytes
    this.digest = aligned.subarray(4 * numberWords, 4 * headerWords)
    this.#longestPiece = longest
    this.#offsets = words.subarray(headerWords, headerWords + size + 1)
    const slotsAt = aligned.byteOffset + 4 * (headerWords + size + 1)
    this.#slots = new Uint16Array(aligned.buffer, slotsAt, slotCount)
    this.#units = new Uint16Array(aligned.buffer, slotsAt + 2 * slotCount, unitCount)
    this.#prefixes = new Int32Array(longest + 1)
  }

  /** The text of a piece, `##` included where it continues a word; empty for an id that does not exist. */
  piece(id: number): string {
    const start = this.#offsets[id]
    const end = this.#offsets[id + 1]
    return start === undefined || end === undefined
      ? ''
      : String.fromCharCode(...this.#units.subarray(start, end))
  }

  /** The id of a piece as it is written; undefined when it has none. */
  find(piece: string): number | undefined {
    const ids = new Uint16Array(piece.length)
    const end = this.split(
      Uint16Array.from(piece, (unit) => unit.charCodeAt(0)),
      piece.length,
      { ids, at: 0 },
    )
    const id = ids[0]
    return end === 1 && id !== undefined && this.piece(id) === piece ? id : undefined
  }

  /**
   * Splits a normalised word, `length` code units of `word`, into its longest pieces from left to right and
   * writes their ids to `out` from `at` on, or the unknown id alone when no pieces fit. Returns the new end.
   */
  split(word: Uint16Array, length: number, out: { ids: Uint16Array; at: number }): number {
    const { ids, at } = out
    let end = at
    let start = 0
    while (start < length) {
      const inside = start > 0
      const longest = Math.min(length - start, this.#longestPiece - (inside ? continuation.length : 0))
      let hash = inside ? basisInside : fnvBasis
      for (let size = 1; size <= longest; size += 1) {
        hash = fnvNext(hash, word[start + size - 1] ?? 0)
        this.#prefixes[size] = hash
      }
      let found = -1
      let size = longest
      for (; size > 0; size -= 1) {
        found = this.#find(word, start, size)
        if (found >= 0) break
      }
      if (found < 0) {
        ids[at] = this.unknown
        return at + 1
      }
      ids[end++] = found
      start += size
    }
    return end
  }

  #find(word: Uint16Array, start: number, size: number): number {
    const skipped = start > 0 ? continuation.length : 0
    const mask = this.#slots.length - 1
    const home = spread(this.#prefixes[size] ?? 0)
    for (let probe = 0; probe <= mask; probe += 1) {
      const id = this.#slots[(home + probe) & mask] ?? free
      if (id === free) return -1
      const from = this.#offsets[id] ?? 0
      if ((this.#offsets[id + 1] ?? 0) - from !== size + skipped) continue
      if (skipped > 0 && (this.#units[from] !== 35 || this.#units[from + 1] !== 35)) continue
      let same = 0
      while (same < size && this.#units[from + skipped + same] === word[start + same]) same += 1
      if (same === size) return id
    }
    return -1
  }
}

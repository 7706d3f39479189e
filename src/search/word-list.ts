/**
 * Known words of English and of this field, as a Bloom filter (`models/words.bin`, made by
 * `training/ranking/words.py`, which documents its layout). One unknown word in three hundred passes as known.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fnv } from '../core/fnv.ts'

const magic = 0x77726462
const headerBytes = 8

export interface WordList {
  /** Whether a word, in lower-case ASCII letters, is known. */
  has(word: string): boolean
}

/** The list in `bytes`; empty for a file of another kind. */
function createWordList(bytes: Uint8Array): WordList {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length > headerBytes && view.getUint32(0, true) === magic
  const hashes = whole ? view.getUint32(4, true) : 0
  const size = 8 * (bytes.length - headerBytes)
  return {
    has(word) {
      const first = fnv(word)
      const second = (fnv(word, 0x050c5d1f) | 1) >>> 0
      for (let turn = 0; turn < hashes; turn += 1) {
        const place = (first + turn * second) % size
        if (((bytes[headerBytes + (place >> 3)] ?? 0) & (1 << (place & 7))) === 0) return false
      }
      return hashes > 0
    },
  }
}

let kept: WordList | undefined

/** The list in the models' directory, read once; empty if the file is missing. */
export function readWordList(models: string): WordList {
  try {
    kept ??= createWordList(readFileSync(join(models, 'words.bin')))
  } catch {
    kept = createWordList(new Uint8Array())
  }
  return kept
}

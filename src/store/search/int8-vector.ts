/**
 * A vector as it is stored: int8 components, scaled by the largest, since a cosine needs only the direction. Knows how
 * such a row is made, measured and checked; nothing about where rows are stored.
 */

/** Largest component of a row. */
const largest = 127

/** Rounds a vector of finite components, not all 0, to int8. */
export function toRow(vector: Float32Array): Int8Array {
  let greatest = 0
  for (let at = 0; at < vector.length; at += 1) greatest = Math.max(greatest, Math.abs(vector[at] ?? 0))
  const factor = largest / greatest
  const row = new Int8Array(vector.length)
  for (let at = 0; at < vector.length; at += 1) row[at] = Math.round((vector[at] ?? 0) * factor)
  return row
}

/** Below it a float32 holds every integer, as it has to for a scan to find the check of a row. */
const exactIntegers = 2 ** 24

/**
 * The vector that a row is multiplied with for its check: fixed odd components of either sign, so that no byte can
 * change without changing the product, and checking the rows of a block is one more scan over it.
 */
export function createProbe(dimension: number): Int16Array {
  const most = Math.max(1, Math.min(127, Math.floor(exactIntegers / (largest * dimension))))
  const probe = new Int16Array(dimension)
  let state = dimension
  for (let at = 0; at < dimension; at += 1) {
    // A linear congruential generator (Numerical Recipes).
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const size = 1 + (((state >>> 8) % most) & ~1)
    probe[at] = state >>> 31 === 0 ? size : -size
  }
  return probe
}

/** A hash of some integers (FNV-1a, over words instead of bytes), 32 bits, unsigned. */
export function hashOf(words: Uint16Array | Uint32Array, seed = 0x811c9dc5): number {
  let hash = seed
  for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ (words[at] ?? 0), 0x01000193)
  return hash >>> 0
}

/** The checksum of a passage's vector and word pieces, as the passage keeps it. */
export const checksumOf = (check: number, tokens: Uint16Array): number =>
  (hashOf(tokens) % 2 ** 24) * 2 ** 26 + check + 2 ** 25

/** Whether such a checksum is of these word pieces; `hash` gives their `hashOf`. */
export const isOfTokens = (
  checksum: number,
  tokens: Uint16Array,
  hash: (tokens: Uint16Array) => number = hashOf,
): boolean => Math.floor(checksum / 2 ** 26) === hash(tokens) % 2 ** 24

/** The check of the vector in such a checksum. */
export const checkIn = (checksum: number): number => (checksum % 2 ** 26) - 2 ** 25

/** The unit vector that a row stands for. */
export function toUnitVector(row: Int8Array, factor: number): Float32Array {
  const vector = new Float32Array(row.length)
  for (let at = 0; at < row.length; at += 1) vector[at] = (row[at] ?? 0) * factor
  return vector
}

/** The cosine of a query (`writeQuery` gave it its scale) with a row, to the last digit as the scan of rows has it. */
export function cosineOf(
  query: Int16Array,
  scale: number,
  { row, factor }: { row: Int8Array; factor: number },
) {
  let product = 0
  for (let at = 0; at < row.length; at += 1) product += (query[at] ?? 0) * (row[at] ?? 0)
  return Math.fround(Math.fround(product) * factor) * scale
}

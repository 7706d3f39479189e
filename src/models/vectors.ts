/** Arithmetic on single vectors: unit length, and a substitute where a model yields nothing. */

/** Scales `vector` to unit length in place. False when that cannot be: it is zero or not finite. */
export function normalise(vector: Float32Array): boolean {
  let sum = 0
  for (const value of vector) sum += value * value
  if (!Number.isFinite(sum) || sum < 1e-30) return false
  const scale = 1 / Math.sqrt(sum)
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) * scale
  return true
}

// The finaliser of MurmurHash3, which spreads each bit of its input over all bits of the result.
function scramble(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/**
 * A unit vector for a text of which the model knows no piece (another script, only emoji): the sum of a random
 * direction for each of its characters and pairs of neighbours (random indexing). Texts that share characters
 * are alike, others close to orthogonal; it carries no meaning to texts that the model knows.
 */
export function spellingVector(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  let before = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (character.trim() === '') continue
    for (const feature of [point, scramble(before) ^ point]) {
      let bits = scramble(feature)
      for (let index = 0; index < dimension; index += 1) {
        if (index % 32 === 0) bits = scramble(bits + index + 1)
        vector[index] = (vector[index] ?? 0) + ((bits >>> (index % 32)) & 1 ? 1 : -1)
      }
    }
    before = point
  }
  if (!normalise(vector)) vector.fill(1 / Math.sqrt(dimension))
  return vector
}

/** Four vectors of int32 lanes summed at once, for kernels that compute four dot products together. */
import { type Code, get, set, v128 } from './assembler.ts'

export const four = [0, 1, 2, 3] as const

/** Lanes of two vectors: 0..3 of one, 4..7 of the other. */
const lanes = (...wanted: readonly number[]): Code =>
  v128.shuffle(wanted.flatMap((lane) => four.map((byte) => 4 * lane + byte)))

/** Leaves one vector whose lanes are the sums of the lanes of the four locals, of which the first and third change. */
export function sumLanes(vectors: readonly number[]): Code {
  const [a = 0, b = 0, c = 0, d = 0] = vectors
  const addPair = (first: number, second: number): Code => [
    [get(first), get(second), lanes(0, 4, 1, 5), get(first), get(second), lanes(2, 6, 3, 7), v128.addInts],
  ]
  return [
    [addPair(a, b), set(a), addPair(c, d), set(c)],
    [get(a), get(c), lanes(0, 1, 4, 5), get(a), get(c), lanes(2, 3, 6, 7), v128.addInts],
  ]
}

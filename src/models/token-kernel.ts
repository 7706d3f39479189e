/**
 * The inner loop of matching word by word, in WebAssembly SIMD: how like a query's pieces are to a text's, each
 * pair computed once. Knows where things lie in one memory; rows by their numbers, ids and addresses only.
 */
import { instantiate } from '../core/kernel.ts'
import { program } from './token-program.ts'

export interface TokenKernel {
  /** 1 over the length of an int8 row; 0 for a row without meaning. */
  inverse(row: number, dimension: number): number
  /** Puts the numbers of their rows in the place of `ids` ids at hand; returns how many rows are not here. */
  number(ids: number): number
  /**
   * Takes the rows of `rows` ids, from the address `list` on, out of the window, which begins with the row of the id
   * `first`, and gives them the numbers from `next` on.
   */
  take(list: number, rows: number, first: number, next: number, dimension: number): void
  /** Writes a row from `to` on as the matched piece that stands there. */
  place(row: number, to: number, dimension: number): void
  /** Address of the cosines of a row with the matched pieces, which take `stride` bytes, 16 for every four. */
  find(row: number, stride: number, dimension: number): number
  /** Raises the best cosines at `out` by those of the first `rows` rows at hand. */
  best(rows: number, stride: number, dimension: number): void
  /** Puts the sum of the first `rows` rows at hand at `vector`. */
  sum(rows: number, dimension: number): void
  /** Cosine of the unit vector at `vector` with the sum of the first `rows` rows at hand; NaN when that is 0. */
  cosine(rows: number, dimension: number): number
}

/** The kernel over a memory laid out as `token-layout.ts` has it. */
export const createTokenKernel = (memory: WebAssembly.Memory): TokenKernel =>
  // The program's functions are the interface's.
  instantiate(program, memory) as unknown as TokenKernel

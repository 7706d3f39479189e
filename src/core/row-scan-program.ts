/** The instructions of `row-scan.ts`, and what its callers must know of them; see `dot-products-program.ts`. */
import {
  assemble,
  block,
  branch,
  branchIf,
  type Code,
  f32,
  get,
  i32,
  type KernelFunction,
  loop,
  set,
  tee,
  v128,
  when,
} from './assembler.ts'
import { four, sumLanes } from './lane-sums.ts'

/** Components that one step takes. */
export const scanStep = 16

/** Largest component of a query: finer than a row's, and the products' sum still fits an int32. */
export const largestQuery = 4095

/** Bytes of one written match. */
export const matchBytes = 8

const [query, rows, count, dimension, scales, threshold, out] = [0, 1, 2, 3, 4, 5, 6]
const [at, end, place, first, mask] = [7, 8, 9, 10, 11]
const places = [12, 13, 14, 15]
const sums = [16, 17, 18, 19]
const [part, similarities, thresholds] = [20, 21, 22]

/** Components that fill a vector as int16. */
const vectorStep = 8

/** Adds up the products of some of four rows side by side, so that each part of the query is loaded once for them. */
const addUp = (wanted: readonly number[]): Code => [
  wanted.map((row) => [
    [get(rows), Array.from({ length: row }, () => [get(dimension), i32.add]), set(places[row] ?? 0)],
  ]),
  [get(query), tee(at), get(dimension), get(dimension), i32.add, i32.add, set(end)],
  loop(
    [0, vectorStep].map((offset) => [
      [get(at), v128.load(2 * offset), set(part)],
      wanted.map((row) => [
        [get(places[row] ?? 0), v128.loadWidened(offset), get(part), v128.dotShorts],
        [get(sums[row] ?? 0), v128.addInts, set(sums[row] ?? 0)],
      ]),
    ]),
    wanted.map((row) => [get(places[row] ?? 0), i32.constant(scanStep), i32.add, set(places[row] ?? 0)]),
    [get(at), i32.constant(2 * scanStep), i32.add, tee(at), get(end), i32.less, branchIf(0)],
  ),
]

/** Two at a time: four would read memory at too many places for the processor to see what comes next. */
const pairs = [
  [0, 1],
  [2, 3],
]

/** Leaves the products of four rows, of which those of `wanted` are computed. */
const multiply = (wanted: readonly (readonly number[])[]): Code => [
  sums.map((sum) => [v128.zero, set(sum)]),
  wanted.map(addUp),
  [sumLanes(sums), v128.floats],
]

const write = (row: number): Code => [
  [get(out), get(place), i32.constant(row), i32.add, i32.store()],
  [get(out), get(similarities), v128.floatLane(row), f32.store(4)],
  [get(out), i32.constant(matchBytes), i32.add, set(out)],
]

const onward = (taken: number): Code => [
  [get(rows), Array.from({ length: taken }, () => [get(dimension), i32.add]), set(rows)],
  [get(scales), i32.constant(4 * taken), i32.add, set(scales)],
  [get(place), i32.constant(taken), i32.add, set(place)],
]

const functions: readonly KernelFunction[] = [
  {
    name: 'scan',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'i32'],
    result: 'i32',
    locals: [
      ...(['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'] as const),
      ...(['v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'] as const),
    ],
    body: [
      [get(out), set(first), get(threshold), v128.spreadFloat, set(thresholds)],
      // Four rows at a time, as long as there are four.
      block(
        loop(
          [get(count), get(place), i32.constant(four.length), i32.add, i32.less, branchIf(1)],
          [multiply(pairs), get(scales), v128.load(), v128.multiplyFloats, set(similarities)],
          [get(similarities), get(thresholds), v128.greaterFloats, v128.intMask, tee(mask)],
          when(four.map((row) => [[get(mask), i32.constant(1 << row), i32.and], when(write(row))])),
          onward(four.length),
          branch(0),
        ),
      ),
      block(
        loop(
          [get(place), get(count), i32.less, i32.isZero, branchIf(1)],
          [
            multiply([[0]]),
            get(scales),
            f32.load(),
            v128.spreadFloat,
            v128.multiplyFloats,
            set(similarities),
          ],
          [get(similarities), v128.floatLane(0), get(threshold), f32.greater],
          when(write(0)),
          onward(1),
          branch(0),
        ),
      ),
      [get(out), get(first), i32.subtract, i32.constant(3), i32.shiftRight],
    ],
  },
]

export const programs = { own: assemble(functions), shared: assemble(functions, 'shared') }

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
  loop,
  set,
  tee,
  v128,
  when,
} from './assembler.ts'

/** Components that one step takes. */
export const scanStep = 16

/** Largest component of a query: finer than a row's, and the products' sum still fits an int32. */
export const largestQuery = 4095

/** Bytes of one written match. */
export const matchBytes = 8

const [query, rows, count, dimension, scales, threshold, out] = [0, 1, 2, 3, 4, 5, 6]
const [at, end, place, first, similarity, sums, more] = [7, 8, 9, 10, 11, 12, 13]

/** Adds eight components' products to `sum`: of the row at `rows` and the query at `at`, each plus so many. */
const addProducts = (sum: number, components: number): Code => [
  [get(rows), v128.loadWidened(components), get(at), v128.load(2 * components)],
  [v128.dotShorts, get(sum), v128.addInts, set(sum)],
]

export const program = assemble([
  {
    name: 'scan',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'i32'],
    result: 'i32',
    locals: ['i32', 'i32', 'i32', 'i32', 'f32', 'v128', 'v128'],
    body: [
      [get(out), set(first)],
      block(
        loop(
          [get(place), get(count), i32.less, i32.isZero, branchIf(1)],
          [v128.zero, set(sums), v128.zero, set(more)],
          [get(query), tee(at), get(dimension), get(dimension), i32.add, i32.add, set(end)],
          loop(
            [addProducts(sums, 0), addProducts(more, 8)],
            [get(rows), i32.constant(scanStep), i32.add, set(rows)],
            [get(at), i32.constant(2 * scanStep), i32.add, tee(at), get(end), i32.less, branchIf(0)],
          ),
          [get(sums), get(more), v128.addInts, set(sums)],
          [get(sums), v128.intLane(0), get(sums), v128.intLane(1), i32.add],
          [get(sums), v128.intLane(2), i32.add, get(sums), v128.intLane(3), i32.add],
          [f32.fromInt, get(scales), f32.load(), f32.multiply, tee(similarity)],
          [get(threshold), f32.greater],
          when(
            [get(out), get(place), i32.store(), get(out), get(similarity), f32.store(4)],
            [get(out), i32.constant(matchBytes), i32.add, set(out)],
          ),
          [get(scales), i32.constant(4), i32.add, set(scales)],
          [get(place), i32.constant(1), i32.add, set(place)],
          branch(0),
        ),
      ),
      [get(out), get(first), i32.subtract, i32.constant(3), i32.shiftRight],
    ],
  },
])

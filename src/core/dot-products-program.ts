/**
 * The instructions of `dot-products.ts`, and what its callers must know of them. The build puts the bytes in the place of
 * their making.
 */
import { assemble, block, branch, branchIf, type Code, get, i32, loop, set, tee, v128 } from './assembler.ts'

/** Components that one step takes: the dimension must be a multiple of it. */
export const dotProductStep = 16

/** Locals of one dot product: the operands' places, which move on, the first one's end, and three vectors. */
export interface DotLocals {
  readonly a: number
  readonly b: number
  readonly end: number
  readonly sums: number
  readonly left: number
  readonly right: number
}

/** Leaves on the stack the int32 dot product of the int8 vectors at `a` (up to `end`) and `b`. */
export const dotProduct = ({ a, b, end, sums, left, right }: DotLocals): Code => [
  [v128.zero, set(sums)],
  loop(
    get(sums),
    [get(a), v128.load(), tee(left), v128.widenLowBytes],
    [get(b), v128.load(), tee(right), v128.widenLowBytes],
    [v128.dotShorts, v128.addInts],
    [get(left), v128.widenHighBytes, get(right), v128.widenHighBytes],
    [v128.dotShorts, v128.addInts, set(sums)],
    [get(b), i32.constant(dotProductStep), i32.add, set(b)],
    [get(a), i32.constant(dotProductStep), i32.add, tee(a), get(end), i32.less, branchIf(0)],
  ),
  [get(sums), v128.intLane(0), get(sums), v128.intLane(1), i32.add],
  [get(sums), v128.intLane(2), i32.add, get(sums), v128.intLane(3), i32.add],
]

const [row, rows, count, dimension, out, place, end] = [0, 1, 2, 3, 4, 5, 6]
const [sums, left, right] = [7, 8, 9]

export const program = assemble([
  {
    name: 'dots',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'v128', 'v128', 'v128'],
    body: block(
      loop(
        [get(count), i32.isZero, branchIf(1)],
        [get(row), tee(place), get(dimension), i32.add, set(end)],
        get(out),
        // `rows` itself moves on, so that the next row begins where this one ends.
        dotProduct({ a: place, b: rows, end, sums, left, right }),
        i32.store(),
        [get(out), i32.constant(4), i32.add, set(out)],
        [get(count), i32.constant(1), i32.subtract, set(count)],
        branch(0),
      ),
    ),
  },
])

/** The instructions of `quantisation.ts`; see `dot-products-program.ts`. */
import {
  assemble,
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
} from './assembler.ts'

/** Components that one step takes. */
const step = 16
const floatBytes = 4
/** Largest int8. */
const largestByte = 127

const [from, to, dimension, at, end, largest, peaks, factors] = [0, 1, 2, 3, 4, 5, 6, 7]

const quarters = [0, 1, 2, 3]
const start = [get(from), set(at)]
const onward: Code = [
  get(at),
  i32.constant(step * floatBytes),
  i32.add,
  tee(at),
  get(end),
  i32.less,
  branchIf(0),
]
const part = (quarter: number): Code => [get(at), v128.load(quarter * 4 * floatBytes)]
const scaled = (quarter: number): Code => [
  [part(quarter), get(factors), v128.multiplyFloats],
  [v128.nearestFloats, v128.truncateFloats],
]

const functions: readonly KernelFunction[] = [
  {
    name: 'quantise',
    parameters: ['i32', 'i32', 'i32'],
    result: 'f32',
    locals: ['i32', 'i32', 'f32', 'v128', 'v128'],
    body: [
      [get(from), get(dimension), i32.constant(floatBytes), i32.multiply, i32.add, set(end)],
      [start, v128.zero, set(peaks)],
      loop(
        quarters.map((quarter) => [
          get(peaks),
          part(quarter),
          v128.absoluteFloats,
          v128.mostFloats,
          set(peaks),
        ]),
        onward,
      ),
      [get(peaks), v128.floatLane(0), get(peaks), v128.floatLane(1), f32.most],
      [get(peaks), v128.floatLane(2), f32.most, get(peaks), v128.floatLane(3), f32.most, set(largest)],
      // Of zeros alone this is infinite, and what is no number then becomes 0 again.
      [f32.constant(largestByte), get(largest), f32.divide, v128.spreadFloat, set(factors), start],
      loop(
        get(to),
        [scaled(0), scaled(1), v128.narrowInts, scaled(2), scaled(3), v128.narrowInts, v128.narrowShorts],
        v128.store(),
        [get(to), i32.constant(step), i32.add, set(to)],
        onward,
      ),
      [get(largest), f32.constant(largestByte), f32.divide],
    ],
  },
]

export const programs = { own: assemble(functions), shared: assemble(functions, 'shared') }

/** The instructions of `token-kernel.ts`. The build puts their bytes in the place of their making. */
import {
  assemble,
  block,
  branch,
  branchIf,
  type Code,
  call,
  f32,
  get,
  i32,
  type KernelFunction,
  loop,
  set,
  tee,
  v128,
  when,
} from '../core/assembler.ts'
import { dotProduct } from '../core/dot-products-program.ts'
import { four, sumLanes } from '../core/lane-sums.ts'
import {
  atHand,
  fileScales,
  findStep,
  free,
  inverses,
  lastPlace,
  lengths,
  matched,
  numbers,
  out,
  places,
  scales,
  table,
  vector,
  window,
} from './token-layout.ts'

const floatBytes = 4

/** Leaves the address of a row, by its number. */
const rowOf = (number: number, dimension: number): Code => [
  [get(number), get(dimension), i32.multiply],
  [i32.constant(table), i32.add],
]

const inverseFunction = (): KernelFunction => {
  const [number, dimension, a, b, end, squared, sums, left, right] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const own = [get(number), i32.constant(floatBytes), i32.multiply]
  return {
    name: 'inverse',
    parameters: ['i32', 'i32'],
    result: 'f32',
    locals: ['i32', 'i32', 'i32', 'f32', 'v128', 'v128', 'v128'],
    body: [
      [own, f32.load(lengths), f32.constant(0), f32.isEqual],
      when(
        [rowOf(number, dimension), tee(a), tee(b), get(dimension), i32.add, set(end)],
        [dotProduct({ a, b, end, sums, left, right }), f32.fromInt, set(squared)],
        // Without a scale the row's numbers mean nothing.
        [own, f32.load(scales), f32.constant(0), f32.isEqual],
        when(f32.constant(0), set(squared)),
        [get(squared), f32.constant(0), f32.isEqual],
        when(f32.constant(Number.POSITIVE_INFINITY), set(squared)),
        [own, f32.constant(1), get(squared), f32.root, f32.divide, f32.store(lengths)],
      ),
      [own, f32.load(lengths)],
    ],
  }
}

/** Does `work` for each of the first `left` of what is at hand; `at` is its address. */
const eachAtHand = ({ left, at }: { left: number; at: number }, ...work: Code[]): Code => [
  [i32.constant(atHand), set(at)],
  block(
    loop(
      [get(left), i32.isZero, branchIf(1)],
      work,
      [get(at), i32.constant(2), i32.add, set(at)],
      [get(left), i32.constant(1), i32.subtract, set(left)],
      branch(0),
    ),
  ),
]

const numberFunction = (): KernelFunction => {
  const [left, at, number, missing] = [0, 1, 2, 3]
  return {
    name: 'number',
    parameters: ['i32'],
    result: 'i32',
    locals: ['i32', 'i32', 'i32'],
    body: [
      eachAtHand(
        { left, at },
        [get(at), get(at), i32.load16(), i32.constant(2), i32.multiply, i32.load16(numbers)],
        [tee(number), i32.store16()],
        [get(missing), get(number), i32.isZero, i32.add, set(missing)],
      ),
      get(missing),
    ],
  }
}

const takeFunction = (): KernelFunction => {
  const [list, left, first, next, dimension, id, from, to, end] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const step = 16
  return {
    name: 'take',
    parameters: ['i32', 'i32', 'i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'i32', 'i32'],
    body: block(
      loop(
        [get(left), i32.isZero, branchIf(1)],
        [get(list), i32.load16(), tee(id), get(first), i32.subtract, get(dimension), i32.multiply],
        [i32.constant(window), i32.add, set(from)],
        [rowOf(next, dimension), tee(to), get(dimension), i32.add, set(end)],
        loop(
          [get(to), get(from), v128.load(), v128.store()],
          [get(from), i32.constant(step), i32.add, set(from)],
          [get(to), i32.constant(step), i32.add, tee(to), get(end), i32.less, branchIf(0)],
        ),
        [get(next), i32.constant(floatBytes), i32.multiply],
        [get(id), i32.constant(floatBytes), i32.multiply, f32.load(fileScales), f32.store(scales)],
        [get(id), i32.constant(2), i32.multiply, get(next), i32.store16(numbers)],
        [get(next), i32.constant(1), i32.add, set(next)],
        [get(list), i32.constant(2), i32.add, set(list)],
        [get(left), i32.constant(1), i32.subtract, set(left)],
        branch(0),
      ),
    ),
  }
}

const placeFunction = (): KernelFunction => {
  const [number, to, dimension, at, end] = [0, 1, 2, 3, 4]
  return {
    name: 'place',
    parameters: ['i32', 'i32', 'i32'],
    locals: ['i32', 'i32'],
    body: [
      [rowOf(number, dimension), tee(at), get(dimension), i32.add, set(end)],
      loop(
        [get(to), get(at), v128.loadWidened(), v128.store()],
        [get(to), i32.constant(four.length * findStep * 2), i32.add, set(to)],
        [get(at), i32.constant(findStep), i32.add, tee(at), get(end), i32.less, branchIf(0)],
      ),
    ],
  }
}

const findFunction = (inverseIndex: number): KernelFunction => {
  const [number, stride, dimension, place, offset, a, b, end, inverse, row] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  const sums = [10, 11, 12, 13]
  const slot = [get(number), i32.constant(4), i32.multiply]
  return {
    name: 'find',
    parameters: ['i32', 'i32', 'i32'],
    result: 'i32',
    locals: ['i32', 'i32', 'i32', 'i32', 'i32', 'f32', 'v128', 'v128', 'v128', 'v128', 'v128'],
    body: [
      [slot, i32.load(places), tee(place), i32.isZero],
      when(
        [i32.constant(free), i32.load(), set(place)],
        [get(number), get(dimension), call(inverseIndex), set(inverse)],
        [i32.constant(matched), set(b), i32.constant(0), set(offset)],
        // Four pieces at a time, so that each part of the row is widened once for all of them.
        loop(
          sums.map((sum) => [v128.zero, set(sum)]),
          [rowOf(number, dimension), tee(a), get(dimension), i32.add, set(end)],
          loop(
            [get(a), v128.loadWidened(), set(row)],
            sums.map((sum, piece) => [
              [get(sum), get(row), get(b), v128.load(piece * findStep * 2), v128.dotShorts],
              [v128.addInts, set(sum)],
            ]),
            [get(b), i32.constant(four.length * findStep * 2), i32.add, set(b)],
            [get(a), i32.constant(findStep), i32.add, tee(a), get(end), i32.less, branchIf(0)],
          ),
          [get(place), get(offset), i32.add],
          [sumLanes(sums), v128.floats],
          [get(offset), v128.load(inverses), v128.multiplyFloats],
          [get(inverse), v128.spreadFloat, v128.multiplyFloats],
          // Rounding may leave a row a hair more like itself than 1.
          [f32.constant(1), v128.spreadFloat, v128.leastFloats, v128.store()],
          [get(offset), i32.constant(16), i32.add, tee(offset), get(stride), i32.less, branchIf(0)],
        ),
        [get(place), i32.constant(lastPlace), i32.less],
        when(
          [slot, get(place), i32.store(places)],
          [i32.constant(free), get(place), get(stride), i32.add, i32.store()],
        ),
      ),
      get(place),
    ],
  }
}

const bestFunction = (findIndex: number): KernelFunction => {
  const [left, stride, dimension, at, place, offset] = [0, 1, 2, 3, 4, 5]
  return {
    name: 'best',
    parameters: ['i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'i32'],
    body: [
      eachAtHand(
        { left, at },
        [get(at), i32.load16(), get(stride), get(dimension), call(findIndex), set(place)],
        [i32.constant(0), set(offset)],
        loop(
          get(offset),
          [get(offset), v128.load(out), get(place), get(offset), i32.add, v128.load()],
          [v128.mostFloats, v128.store(out)],
          [get(offset), i32.constant(16), i32.add, tee(offset), get(stride), i32.less, branchIf(0)],
        ),
      ),
    ],
  }
}

/** Components of a sum that are made at a time. */
const sumStep = 8

/** The locals of a sum: how many rows, and the components that are made at a time. */
const [count, dimension, column, at, end, number, low, high, row, scale] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const sumLocals = ['i32', 'i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128'] as const

/** For every `sumStep` components their sums over the first `count` rows at hand, in `low` and `high`. */
function eachSum(use: Code): Code {
  const isScaled = (widen: Code): Code => [get(row), widen, v128.floats, get(scale), v128.multiplyFloats]
  return [
    [get(count), i32.constant(2), i32.multiply, i32.constant(atHand), i32.add, set(end)],
    loop(
      [v128.zero, set(low), v128.zero, set(high), i32.constant(atHand), set(at)],
      block(
        loop(
          [get(at), get(end), i32.less, i32.isZero, branchIf(1)],
          [get(at), i32.load16(), set(number), rowOf(number, dimension), get(column), i32.add],
          [v128.loadWidened(), set(row)],
          [
            get(number),
            i32.constant(floatBytes),
            i32.multiply,
            f32.load(scales),
            v128.spreadFloat,
            set(scale),
          ],
          [get(low), isScaled(v128.widenLowShorts), v128.addFloats, set(low)],
          [get(high), isScaled(v128.widenHighShorts), v128.addFloats, set(high)],
          [get(at), i32.constant(2), i32.add, set(at)],
          branch(0),
        ),
      ),
      use,
      [get(column), i32.constant(sumStep), i32.add, tee(column)],
      [get(dimension), i32.less, branchIf(0)],
    ),
  ]
}

const sumFunction = (): KernelFunction => {
  const place = [get(column), i32.constant(floatBytes), i32.multiply]
  return {
    name: 'sum',
    parameters: ['i32', 'i32'],
    locals: sumLocals,
    body: eachSum([
      [place, get(low), v128.store(vector)],
      [place, get(high), v128.store(vector + 4 * floatBytes)],
    ]),
  }
}

const cosineFunction = (): KernelFunction => {
  const [dots, squares] = [10, 11]
  const addLanes = (sums: number): Code => [
    [get(sums), v128.floatLane(0), get(sums), v128.floatLane(1), f32.add],
    [get(sums), v128.floatLane(2), f32.add, get(sums), v128.floatLane(3), f32.add],
  ]
  const account = (sum: number, offset: number): Code => [
    [get(dots), get(sum), get(column), i32.constant(floatBytes), i32.multiply],
    v128.load(vector + offset),
    [v128.multiplyFloats, v128.addFloats, set(dots)],
    [get(squares), get(sum), get(sum), v128.multiplyFloats, v128.addFloats, set(squares)],
  ]
  return {
    name: 'cosine',
    parameters: ['i32', 'i32'],
    result: 'f32',
    locals: [...sumLocals, 'v128', 'v128'],
    body: [
      eachSum([account(low, 0), account(high, 4 * floatBytes)]),
      [addLanes(dots), addLanes(squares), f32.root, f32.divide],
    ],
  }
}

export const program = assemble([
  inverseFunction(),
  findFunction(0),
  bestFunction(1),
  sumFunction(),
  cosineFunction(),
  placeFunction(),
  numberFunction(),
  takeFunction(),
])

/**
 * Matching word by word: how like the rows of a query's pieces are to those of a text, without the mean of all rows;
 * each pair is computed once. Of rows s·q (a scale and int8 components) without the mean m the cosine is (s1·s2·(q1·q2)
 * - s1·(q1·m) - s2·(q2·m) + m·m) / (|s1·q1 - m| · |s2·q2 - m|).
 */
import { sumIntLanes } from './lanes'
import {
  atHand,
  fileScales,
  findStep,
  free,
  lastPlace,
  lengths,
  matched,
  matchedLengths,
  matchedScales,
  matchedShares,
  mean,
  meanSquare,
  numbers,
  out,
  places,
  scales,
  shares,
  table,
  window,
} from './match-layout'

// Below it nothing is left of a row without the mean but rounding.
const minSquare: f32 = 1e-9

@inline
function addLanes(sums: v128): f32 {
  return (
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3))
  )
}

/**
 * Sets what a row needs before it is compared, its product with the mean and 1 over its length, and returns the latter;
 * 0 for a row without meaning.
 */
export function measure(number: i32, dimension: i32): f32 {
  const known = load<f32>(lengths + 4 * number)
  if (known != 0) return known == f32.POSITIVE_INFINITY ? 0 : known
  const scale = load<f32>(scales + 4 * number)
  let products = f32x4.splat(0)
  let squares = i32x4.splat(0)
  let row = table + number * dimension
  const end = row + dimension
  let at = mean
  for (; row < end; row += 8) {
    const shorts = v128.load_ext<i8>(row)
    squares = i32x4.add(squares, i32x4.dot_i16x8_s(shorts, shorts))
    const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(shorts))
    const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(shorts))
    products = f32x4.add(products, f32x4.mul(low, v128.load(at)))
    products = f32x4.add(products, f32x4.mul(high, v128.load(at, 16)))
    at += 32
  }
  const share = scale * addLanes(products)
  const own = <f32>(
    (i32x4.extract_lane(squares, 0) +
      i32x4.extract_lane(squares, 1) +
      i32x4.extract_lane(squares, 2) +
      i32x4.extract_lane(squares, 3))
  )
  const square = scale * scale * own - 2 * share + load<f32>(meanSquare)
  store<f32>(shares + 4 * number, share)
  // Without a scale the row's numbers mean nothing.
  const inverse: f32 = scale == 0 || square < minSquare ? 0 : 1 / sqrt<f32>(square)
  store<f32>(lengths + 4 * number, inverse == 0 ? f32.POSITIVE_INFINITY : inverse)
  return inverse
}

/** Puts the numbers of their rows in the place of `count` ids at hand; returns how many rows are not here. */
export function number(count: i32): i32 {
  let missing = 0
  const end = atHand + 2 * count
  for (let at = atHand; at < end; at += 2) {
    const row = load<u16>(numbers + 2 * <i32>load<u16>(at))
    store<u16>(at, row)
    missing += i32(row == 0)
  }
  return missing
}

/**
 * Takes the rows of `count` ids, from the address `list` on, out of the window, which begins with the row of the id
 * `first`, and gives them the numbers from `next` on.
 */
export function take(list: i32, count: i32, first: i32, next: i32, dimension: i32): void {
  const end = list + 2 * count
  for (; list < end; list += 2) {
    const id = <i32>load<u16>(list)
    const from = window + (id - first) * dimension
    const to = table + next * dimension
    for (let at = 0; at < dimension; at += 16) v128.store(to + at, v128.load(from + at))
    store<f32>(scales + 4 * next, load<f32>(fileScales + 4 * id))
    store<u16>(numbers + 2 * id, <u16>next)
    next++
  }
}

/** Writes a row as the matched piece with that index. */
export function place(number: i32, index: i32, dimension: i32): void {
  store<f32>(matchedLengths + 4 * index, measure(number, dimension))
  store<f32>(matchedScales + 4 * index, load<f32>(scales + 4 * number))
  store<f32>(matchedShares + 4 * index, load<f32>(shares + 4 * number))
  let to = matched + 2 * ((index >> 2) * 4 * dimension + (index & 3) * findStep)
  const row = table + number * dimension
  for (let at = row; at < row + dimension; at += findStep) {
    v128.store(to, v128.load_ext<i8>(at))
    to += 4 * findStep * 2
  }
}

/** Address of the cosines of a row with the matched pieces, which take `stride` bytes, 16 for every four. */
export function find(number: i32, stride: i32, dimension: i32): i32 {
  let found = load<i32>(places + 4 * number)
  if (found != 0) return found
  found = load<i32>(free)
  const inverse = f32x4.splat(measure(number, dimension))
  const scale = f32x4.splat(load<f32>(scales + 4 * number))
  const share = f32x4.splat(load<f32>(shares + 4 * number) - load<f32>(meanSquare))
  const row = table + number * dimension
  const end = row + dimension
  let other = matched
  // Four pieces at a time, so that each part of the row is widened once for all of them.
  for (let offset = 0; offset < stride; offset += 16) {
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    for (let at = row; at < end; at += findStep) {
      const part = v128.load_ext<i8>(at)
      a = i32x4.add(a, i32x4.dot_i16x8_s(part, v128.load(other)))
      b = i32x4.add(b, i32x4.dot_i16x8_s(part, v128.load(other, 16)))
      c = i32x4.add(c, i32x4.dot_i16x8_s(part, v128.load(other, 32)))
      d = i32x4.add(d, i32x4.dot_i16x8_s(part, v128.load(other, 48)))
      other += 64
    }
    const dots = f32x4.convert_i32x4_s(sumIntLanes(a, b, c, d))
    const products = f32x4.mul(dots, f32x4.mul(scale, v128.load(matchedScales + offset)))
    const apart = f32x4.sub(products, f32x4.add(share, v128.load(matchedShares + offset)))
    const cosine = f32x4.mul(apart, f32x4.mul(inverse, v128.load(matchedLengths + offset)))
    // Rounding may leave a row a hair more like itself than 1.
    v128.store(found + offset, f32x4.min(cosine, f32x4.splat(1)))
  }
  if (found < lastPlace) {
    store<i32>(places + 4 * number, found)
    store<i32>(free, found + stride)
  }
  return found
}

/** Raises the best cosines at `out` by those of the first `count` rows at hand. */
export function best(count: i32, stride: i32, dimension: i32): void {
  for (let at = atHand; at < atHand + 2 * count; at += 2) {
    const found = find(<i32>load<u16>(at), stride, dimension)
    for (let offset = 0; offset < stride; offset += 16) {
      v128.store(out + offset, f32x4.max(v128.load(out + offset), v128.load(found + offset)))
    }
  }
}

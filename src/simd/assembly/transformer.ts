/**
 * The steps of a BERT layer. Numbers of a text lie in blocks of four rows, a row a word piece: block, then component, then
 * the four rows' float32 side by side, so that whatever is done to all rows needs no sums across lanes. Weights are int8 with a
 * scale an output; activations become int16 of twelve bits with a scale a row, whose products' sum fits an int32 up to
 * 1,536 components (127 · 2,047 · 1,536 < 2^31). All addresses are bytes, multiples of 16. Knows numbers, not words.
 */
import { blockBytes, width } from './blocks'
import { exponential, rounding } from './exponential'
import { sumIntLanes } from './lanes'

export { attend } from './attention'

const largestActivation: f32 = 2047

/**
 * Writes the blocks of `rows` word rows (int8 at `words`, a float32 scale each at `scales`), each with its position's
 * (int8 and a scale as well) and its type's vector (float32) added: of `types` the first up to the row `boundary`, then
 * the second. Rows that fill up a block are 0.
 */
export function gather(
  words: usize,
  scales: usize,
  positions: usize,
  positionScales: usize,
  types: usize,
  boundary: usize,
  rows: usize,
  out: usize,
): void {
  memory.fill(out, 0, ((rows + 3) >> 2) * blockBytes)
  for (let row: usize = 0; row < rows; row++) {
    const scale = load<f32>(scales + 4 * row)
    const positionScale = load<f32>(positionScales + 4 * row)
    const type = row < boundary ? types : types + 4 * width
    let to = out + (row >> 2) * blockBytes + 4 * (row & 3)
    for (let at: usize = 0; at < width; at++) {
      const word = <f32>load<i8>(words + at) * scale
      const position = <f32>load<i8>(positions + at) * positionScale
      store<f32>(to, word + position + load<f32>(type + 4 * at))
      to += 16
    }
    words += width
    positions += width
  }
}

/** Layer norm in place of `blocks` blocks: mean 0 and variance 1 (plus 1e-12) over the components, times `gamma`, plus `beta`. */
export function normalise(x: usize, blocks: usize, gamma: usize, beta: usize): void {
  for (let block: usize = 0; block < blocks; block++) {
    let sum = f32x4.splat(0)
    for (let at: usize = 0; at < blockBytes; at += 16) sum = f32x4.add(sum, v128.load(x + at))
    const mean = f32x4.mul(sum, f32x4.splat(1.0 / 384))
    let squares = f32x4.splat(0)
    for (let at: usize = 0; at < blockBytes; at += 16) {
      const apart = f32x4.sub(v128.load(x + at), mean)
      squares = f32x4.add(squares, f32x4.mul(apart, apart))
    }
    const variance = f32x4.add(f32x4.mul(squares, f32x4.splat(1.0 / 384)), f32x4.splat(1e-12))
    const factor = f32x4.div(f32x4.splat(1), f32x4.sqrt(variance))
    for (let at: usize = 0; at < blockBytes; at += 16) {
      const unit = f32x4.mul(f32x4.sub(v128.load(x + at), mean), factor)
      const scaled = f32x4.mul(unit, v128.load32_splat(gamma + (at >> 2)))
      v128.store(x + at, f32x4.add(scaled, v128.load32_splat(beta + (at >> 2))))
    }
    x += blockBytes
  }
}

/** A component of four rows in units of their scales: the low half of each lane is its int16. */
@inline
function shorten(component: v128, factors: v128): v128 {
  return f32x4.add(f32x4.mul(component, factors), f32x4.splat(rounding))
}

/** Two components of four rows, as int16 side by side. */
@inline
function pair(x: usize, factors: v128): v128 {
  const next = i32x4.shl(shorten(v128.load(x, 16), factors), 16)
  return v128.shuffle<i16>(shorten(v128.load(x), factors), next, 0, 9, 2, 11, 4, 13, 6, 15)
}

/**
 * Writes `blocks` blocks of `components` components (a multiple of 8) as int16 to `out`, eight components of each of
 * the four rows at a time, and what each row's int16 are to be multiplied by (float32) to `scales`.
 */
export function quantise(x: usize, blocks: usize, components: usize, out: usize, scales: usize): void {
  for (let block: usize = 0; block < blocks; block++) {
    const end = x + components * 16
    let at = x
    // Sizes compare as their bits do, NaN above all.
    let largest = f32x4.splat(1e-30)
    do {
      largest = i32x4.max_s(largest, v128.and(v128.load(at), i32x4.splat(0x7fffffff)))
      at += 16
    } while (at < end)
    const factors = f32x4.div(f32x4.splat(largestActivation), largest)
    v128.store(scales, f32x4.div(largest, f32x4.splat(largestActivation)))
    do {
      // A transposition: components of four rows become four rows of components.
      const a = pair(x, factors)
      const b = pair(x + 32, factors)
      const c = pair(x + 64, factors)
      const d = pair(x + 96, factors)
      const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5)
      const cd = v128.shuffle<i32>(c, d, 0, 4, 1, 5)
      const above = v128.shuffle<i32>(a, b, 2, 6, 3, 7)
      const below = v128.shuffle<i32>(c, d, 2, 6, 3, 7)
      v128.store(out, v128.shuffle<i64>(ab, cd, 0, 2))
      v128.store(out, v128.shuffle<i64>(ab, cd, 1, 3), 16)
      v128.store(out, v128.shuffle<i64>(above, below, 0, 2), 32)
      v128.store(out, v128.shuffle<i64>(above, below, 1, 3), 48)
      out += 64
      x += 128
    } while (x < end)
    scales += 16
  }
}

/** One output of four rows from the sums of their products. */
@inline
function finish(sums: v128, rowScales: v128, scale: usize, bias: usize): v128 {
  const products = f32x4.mul(f32x4.convert_i32x4_s(sums), f32x4.mul(rowScales, v128.load32_splat(scale)))
  return f32x4.add(products, v128.load32_splat(bias))
}

/** Two outputs of one block of four rows: eight sums in registers, so that each loaded number is used twice or four times. */
function multiplyTile(
  rows: usize,
  rowScales: v128,
  components: usize,
  weights: usize,
  scale: usize,
  bias: usize,
  out: usize,
  add: bool,
): void {
  let a0 = i32x4.splat(0)
  let a1 = i32x4.splat(0)
  let a2 = i32x4.splat(0)
  let a3 = i32x4.splat(0)
  let b0 = i32x4.splat(0)
  let b1 = i32x4.splat(0)
  let b2 = i32x4.splat(0)
  let b3 = i32x4.splat(0)
  let second = weights + components
  const end = rows + 8 * components
  do {
    let wa = v128.load_ext<i8>(weights)
    let wb = v128.load_ext<i8>(second)
    let x = v128.load(rows)
    a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, wa))
    b0 = i32x4.add(b0, i32x4.dot_i16x8_s(x, wb))
    x = v128.load(rows, 16)
    a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, wa))
    b1 = i32x4.add(b1, i32x4.dot_i16x8_s(x, wb))
    x = v128.load(rows, 32)
    a2 = i32x4.add(a2, i32x4.dot_i16x8_s(x, wa))
    b2 = i32x4.add(b2, i32x4.dot_i16x8_s(x, wb))
    x = v128.load(rows, 48)
    a3 = i32x4.add(a3, i32x4.dot_i16x8_s(x, wa))
    b3 = i32x4.add(b3, i32x4.dot_i16x8_s(x, wb))
    rows += 64
    weights += 8
    second += 8
  } while (rows < end)
  let first = finish(sumIntLanes(a0, a1, a2, a3), rowScales, scale, bias)
  let next = finish(sumIntLanes(b0, b1, b2, b3), rowScales, scale + 4, bias + 4)
  if (add) {
    first = f32x4.add(first, v128.load(out))
    next = f32x4.add(next, v128.load(out, 16))
  }
  v128.store(out, first)
  v128.store(out, next, 16)
}

/**
 * Multiplies `blocks` blocks of quantised rows of `components` components with `outputs` rows of weights (an even
 * number), each with its float32 scale and bias; writes blocks of `outputs` components to `out`, or adds them to what
 * is there.
 */
export function multiply(
  rows: usize,
  rowScales: usize,
  blocks: usize,
  components: usize,
  weights: usize,
  scales: usize,
  biases: usize,
  outputs: usize,
  out: usize,
  add: bool,
): void {
  // Weights outside, rows inside: two outputs' weights stay in the nearest cache while all rows pass.
  for (let output: usize = 0; output < outputs; output += 2) {
    let from = rows
    let to = out + output * 16
    for (let block: usize = 0; block < blocks; block++) {
      multiplyTile(
        from,
        v128.load(rowScales + 16 * block),
        components,
        weights + output * components,
        scales + 4 * output,
        biases + 4 * output,
        to,
        add,
      )
      from += 8 * components
      to += outputs * 16
    }
  }
}

/** x · Φ(x). Φ by the error function of Abramowitz and Stegun, 7.1.26: absolute error below 2e-7. */
@inline
function activate(value: v128): v128 {
  const size = f32x4.abs(value)
  const z = f32x4.mul(size, f32x4.splat(0.7071067811865476))
  const t = f32x4.div(f32x4.splat(1), f32x4.add(f32x4.mul(z, f32x4.splat(0.3275911)), f32x4.splat(1)))
  let p = f32x4.add(f32x4.mul(t, f32x4.splat(1.061405429)), f32x4.splat(-1.453152027))
  p = f32x4.add(f32x4.mul(p, t), f32x4.splat(1.421413741))
  p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.284496736))
  p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.254829592))
  const tail = f32x4.mul(f32x4.mul(p, t), exponential(f32x4.mul(z, z)))
  const less = f32x4.mul(f32x4.mul(size, f32x4.splat(0.5)), tail)
  return f32x4.sub(f32x4.pmax(f32x4.splat(0), value), less)
}

/** The same in place, for `count` float32, a multiple of 8. Two at a time: each waits for its own steps. */
export function gelu(x: usize, count: usize): void {
  const end = x + 4 * count
  do {
    const a = v128.load(x)
    const b = v128.load(x, 16)
    v128.store(x, activate(a))
    v128.store(x, activate(b), 16)
    x += 32
  } while (x < end)
}

/** The mean of `rows` rows, one float32 a component, to `out`. */
export function mean(x: usize, rows: usize, out: usize): void {
  const factor: f32 = 1 / <f32>rows
  for (let at: usize = 0; at < width; at++) {
    let sum: f32 = 0
    for (let row: usize = 0; row < rows; row++) {
      sum += load<f32>(x + (row >> 2) * blockBytes + 16 * at + 4 * (row & 3))
    }
    store<f32>(out + 4 * at, sum * factor)
  }
}

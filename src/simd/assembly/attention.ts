/**
 * Attention of a BERT layer over blocks of four rows, as `transformer` has them: twelve heads of 32 components.
 * Addresses are bytes, multiples of 16.
 */
import { blockBytes } from './blocks'
import { exponential } from './exponential'
import { sumFloatLanes } from './lanes'

/** Of a block's components those of one of the twelve heads. */
const headBytes: usize = 32 * 16
/** Scores of four queries with a block of four rows. */
const scoreBytes: usize = 64

/** Which lanes of the last block of `rows` rows are rows. */
@inline
function lanesOf(rows: usize): v128 {
  const filled = rows & 3
  return filled == 0 ? i32x4.splat(-1) : i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(<i32>filled))
}

/** Puts scores that nothing comes from where a block has no rows. */
@inline
function hide(block: usize, real: v128): void {
  v128.store(block, v128.bitselect(v128.load(block), f32x4.splat(-1e30), real))
}

/**
 * Turns the scores of one query from the block `at` to the block `last` into e^(score - largest), those that fill up
 * the last one into 0; returns their sums, added to `sums`.
 */
function raise(at: usize, last: usize, real: v128, largest: v128, sums: v128): v128 {
  do {
    let power = exponential(f32x4.sub(largest, v128.load(at)))
    if (at == last) power = v128.and(power, real)
    v128.store(at, power)
    sums = f32x4.add(sums, power)
    at += scoreBytes
  } while (at <= last)
  return sums
}

/** The same for the scores of `before` rows and of `rows` rows after them, each in whole blocks; returns 1 over their sum. */
function soften(scores: usize, before: usize, rows: usize): f32 {
  const boundary = scores + scoreBytes * ((before + 3) >> 2)
  const last = boundary + scoreBytes * ((rows - 1) >> 2)
  const real = lanesOf(rows)
  hide(last, real)
  if (before > 0) hide(boundary - scoreBytes, lanesOf(before))
  let at = scores
  let largest = v128.load(at)
  do {
    largest = f32x4.pmax(largest, v128.load(at))
    at += scoreBytes
  } while (at <= last)
  largest = f32x4.pmax(largest, v128.shuffle<f32>(largest, largest, 2, 3, 0, 1))
  largest = f32x4.pmax(largest, v128.shuffle<f32>(largest, largest, 1, 0, 3, 2))
  let sums = f32x4.splat(0)
  if (before > 0) sums = raise(scores, boundary - scoreBytes, lanesOf(before), largest, sums)
  sums = raise(boundary, last, real, largest, sums)
  const pairs = f32x4.add(sums, v128.shuffle<f32>(sums, sums, 2, 3, 0, 1))
  return 1 / (f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1))
}

/** Scores of a block of four queries with two blocks of four keys, of one head. */
function scoreTile(query: usize, key: usize, out: usize): void {
  let a0 = f32x4.splat(0)
  let a1 = f32x4.splat(0)
  let a2 = f32x4.splat(0)
  let a3 = f32x4.splat(0)
  let b0 = f32x4.splat(0)
  let b1 = f32x4.splat(0)
  let b2 = f32x4.splat(0)
  let b3 = f32x4.splat(0)
  const end = key + headBytes
  do {
    const ka = v128.load(key)
    const kb = v128.load(key, headBytes)
    let q = v128.load32_splat(query)
    a0 = f32x4.add(a0, f32x4.mul(ka, q))
    b0 = f32x4.add(b0, f32x4.mul(kb, q))
    q = v128.load32_splat(query, 4)
    a1 = f32x4.add(a1, f32x4.mul(ka, q))
    b1 = f32x4.add(b1, f32x4.mul(kb, q))
    q = v128.load32_splat(query, 8)
    a2 = f32x4.add(a2, f32x4.mul(ka, q))
    b2 = f32x4.add(b2, f32x4.mul(kb, q))
    q = v128.load32_splat(query, 12)
    a3 = f32x4.add(a3, f32x4.mul(ka, q))
    b3 = f32x4.add(b3, f32x4.mul(kb, q))
    query += 16
    key += 16
  } while (key < end)
  // One over the root of the head's width.
  const factor = f32x4.splat(0.17677669529663687)
  v128.store(out, f32x4.mul(a0, factor))
  v128.store(out, f32x4.mul(a1, factor), 16)
  v128.store(out, f32x4.mul(a2, factor), 32)
  v128.store(out, f32x4.mul(a3, factor), 48)
  v128.store(out, f32x4.mul(b0, factor), 64)
  v128.store(out, f32x4.mul(b1, factor), 80)
  v128.store(out, f32x4.mul(b2, factor), 96)
  v128.store(out, f32x4.mul(b3, factor), 112)
}

/** Two components of what four queries take from all values: sums weighted by their scores, which end at `end`. */
function mixTile(scores: usize, end: usize, values: usize, factors: v128, out: usize): void {
  let a0 = f32x4.splat(0)
  let a1 = f32x4.splat(0)
  let a2 = f32x4.splat(0)
  let a3 = f32x4.splat(0)
  let b0 = f32x4.splat(0)
  let b1 = f32x4.splat(0)
  let b2 = f32x4.splat(0)
  let b3 = f32x4.splat(0)
  do {
    const va = v128.load(values)
    const vb = v128.load(values, 16)
    let p = v128.load(scores)
    a0 = f32x4.add(a0, f32x4.mul(p, va))
    b0 = f32x4.add(b0, f32x4.mul(p, vb))
    p = v128.load(scores, 16)
    a1 = f32x4.add(a1, f32x4.mul(p, va))
    b1 = f32x4.add(b1, f32x4.mul(p, vb))
    p = v128.load(scores, 32)
    a2 = f32x4.add(a2, f32x4.mul(p, va))
    b2 = f32x4.add(b2, f32x4.mul(p, vb))
    p = v128.load(scores, 48)
    a3 = f32x4.add(a3, f32x4.mul(p, va))
    b3 = f32x4.add(b3, f32x4.mul(p, vb))
    values += headBytes
    scores += scoreBytes
  } while (scores < end)
  v128.store(out, f32x4.mul(sumFloatLanes(a0, a1, a2, a3), factors))
  v128.store(out, f32x4.mul(sumFloatLanes(b0, b1, b2, b3), factors), 16)
}

/** Copies one head of `blocks` blocks, whose parts lie far apart, to where they lie side by side; returns the end of that. */
function collect(from: usize, blocks: usize, to: usize): usize {
  for (let block: usize = 0; block < blocks; block++) {
    memory.copy(to, from, headBytes)
    from += blockBytes
    to += headBytes
  }
  return to
}

/**
 * Attention of all heads: each row's query with every row's key, and what it takes of the values, as blocks to `out`.
 * The keys and values of
 * `before` rows, 0 or more, come first, from addresses of their own. `scratch` has room for four rows of scores and for one head's keys and values,
 * `room` blocks of each.
 */
export function attend(
  queries: usize,
  firstKeys: usize,
  firstValues: usize,
  before: usize,
  keys: usize,
  values: usize,
  rows: usize,
  out: usize,
  scratch: usize,
  room: usize,
): void {
  const blocks = (rows + 3) >> 2
  const firstBlocks = (before + 3) >> 2
  const end = scratch + scoreBytes * (firstBlocks + blocks)
  const ownKeys = scratch + scoreBytes * room
  const ownValues = ownKeys + headBytes * room
  for (let at: usize = 0; at < blockBytes; at += headBytes) {
    // Blocks lie so far apart that they would have a few places of the nearest cache to share.
    collect(keys + at, blocks, collect(firstKeys + at, firstBlocks, ownKeys))
    collect(values + at, blocks, collect(firstValues + at, firstBlocks, ownValues))
    for (let block: usize = 0; block < blocks; block++) {
      const query = queries + block * blockBytes + at
      let key = ownKeys
      // Where their number is odd, the last two are one of them and whatever lies behind it.
      for (let score = scratch; score < end; score += 2 * scoreBytes) {
        scoreTile(query, key, score)
        key += 2 * headBytes
      }
      let factors = f32x4.splat(soften(scratch, before, rows))
      factors = f32x4.replace_lane(factors, 1, soften(scratch + 16, before, rows))
      factors = f32x4.replace_lane(factors, 2, soften(scratch + 32, before, rows))
      factors = f32x4.replace_lane(factors, 3, soften(scratch + 48, before, rows))
      const to = out + block * blockBytes + at
      for (let part: usize = 0; part < headBytes; part += 32) {
        mixTile(scratch, end, ownValues + part, factors, to + part)
      }
    }
  }
}

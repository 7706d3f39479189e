/**
 * Which of many int8 rows are nearest to a vector: sixteen components a step, at the speed of memory. One row after the
 * other: rows side by side are read at places too many for the processor to see what comes next.
 */
import { sumIntLanes } from './lanes'

/** The products of a row with the query, not yet summed across lanes. */
@inline
function multiply(query: usize, row: usize, dimension: usize): v128 {
  let a = i32x4.splat(0)
  let b = i32x4.splat(0)
  const end = row + dimension
  do {
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load_ext<i8>(row), v128.load(query)))
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load_ext<i8>(row, 8), v128.load(query, 16)))
    row += 16
    query += 32
  } while (row < end)
  return i32x4.add(a, b)
}

@inline
function write(out: usize, place: usize, similarity: f32): void {
  store<u32>(out, <u32>place)
  store<f32>(out, similarity, 4)
}

export function scan(
  query: usize,
  rows: usize,
  count: usize,
  dimension: usize,
  scales: usize,
  threshold: f32,
  out: usize,
): usize {
  const first = out
  const thresholds = f32x4.splat(threshold)
  let place: usize = 0
  for (; place + 4 <= count; place += 4) {
    const a = multiply(query, rows, dimension)
    const b = multiply(query, rows + dimension, dimension)
    const c = multiply(query, rows + 2 * dimension, dimension)
    const d = multiply(query, rows + 3 * dimension, dimension)
    const products = f32x4.convert_i32x4_s(sumIntLanes(a, b, c, d))
    const similarities = f32x4.mul(products, v128.load(scales))
    const mask = i32x4.bitmask(f32x4.gt(similarities, thresholds))
    if (mask != 0) {
      if (mask & 1) {
        write(out, place, f32x4.extract_lane(similarities, 0))
        out += 8
      }
      if (mask & 2) {
        write(out, place + 1, f32x4.extract_lane(similarities, 1))
        out += 8
      }
      if (mask & 4) {
        write(out, place + 2, f32x4.extract_lane(similarities, 2))
        out += 8
      }
      if (mask & 8) {
        write(out, place + 3, f32x4.extract_lane(similarities, 3))
        out += 8
      }
    }
    rows += 4 * dimension
    scales += 16
  }
  for (; place < count; place++) {
    const sums = multiply(query, rows, dimension)
    const zero = i32x4.splat(0)
    const product = f32x4.extract_lane(f32x4.convert_i32x4_s(sumIntLanes(sums, zero, zero, zero)), 0)
    const similarity = product * load<f32>(scales)
    if (similarity > threshold) {
      write(out, place, similarity)
      out += 8
    }
    rows += dimension
    scales += 4
  }
  return (out - first) >> 3
}

/** The signs of a row's components, one bit each, sixteen at a time, to `out`. */
export function takeSigns(row: usize, dimension: usize, out: usize): void {
  const end = row + dimension
  for (; row < end; row += 16) {
    store<u16>(out, <u16>i8x16.bitmask(v128.load(row)))
    out += 2
  }
}

/** How many bits of two rows differ. One number after the other: a processor counts the bits of 64 in one step, of 128 in ten. */
@inline
function differ(query: usize, row: usize, bytes: usize): u32 {
  let count: u64 = 0
  const end = row + bytes
  do {
    count += popcnt(load<u64>(query) ^ load<u64>(row)) + popcnt(load<u64>(query, 8) ^ load<u64>(row, 8))
    query += 16
    row += 16
  } while (row < end)
  return <u32>count
}

/**
 * How many signs of each of `count` adjacent rows, a multiple of 4, differ from the query's, as uint16 to `out`. Of every fourth
 * row the uint32 in that place from `tally` on counts one more.
 */
export function countDifferent(query: usize, rows: usize, count: usize, bytes: usize, out: usize, tally: usize): void {
  const end = rows + count * bytes
  while (rows < end) {
    const first = differ(query, rows, bytes)
    store<u16>(out, first)
    store<u16>(out, differ(query, rows + bytes, bytes), 2)
    store<u16>(out, differ(query, rows + 2 * bytes, bytes), 4)
    store<u16>(out, differ(query, rows + 3 * bytes, bytes), 6)
    const place = tally + (<usize>first << 2)
    store<u32>(place, load<u32>(place) + 1)
    rows += 4 * bytes
    out += 8
  }
}

/**
 * Writes the numbers, `first` for the first, of those of `count` rows, a multiple of 8, for which at most `most` stands
 * at `different`, as uint32 to `out`.
 */
export function listNear(different: usize, count: usize, most: u32, first: u32, out: usize): usize {
  const start = out
  const limits = i16x8.splat(<i16>most)
  for (let place: usize = 0; place < count; place += 8) {
    let near = i16x8.bitmask(i16x8.le_u(v128.load(different + 2 * place), limits))
    for (; near != 0; near &= near - 1) {
      store<u32>(out, first + <u32>place + <u32>ctz(near))
      out += 4
    }
  }
  return (out - start) >> 2
}

/**
 * The similarities of `count` rows, as float32 to `out`: their addresses and those of their scales are from `rows` and
 * `scales` on, up to a multiple of 4. Four at once, since the memory is slow to bring a row that lies by itself.
 */
export function compareListed(query: usize, rows: usize, scales: usize, count: usize, dimension: usize, out: usize): void {
  for (; <isize>count > 0; count -= 4) {
    let a: usize = load<u32>(rows)
    let b: usize = load<u32>(rows, 4)
    let c: usize = load<u32>(rows, 8)
    let d: usize = load<u32>(rows, 12)
    let sumA = i32x4.splat(0)
    let sumB = i32x4.splat(0)
    let sumC = i32x4.splat(0)
    let sumD = i32x4.splat(0)
    const end = query + 2 * dimension
    for (let at = query; at < end; at += 16) {
      const asked = v128.load(at)
      sumA = i32x4.add(sumA, i32x4.dot_i16x8_s(v128.load_ext<i8>(a), asked))
      sumB = i32x4.add(sumB, i32x4.dot_i16x8_s(v128.load_ext<i8>(b), asked))
      sumC = i32x4.add(sumC, i32x4.dot_i16x8_s(v128.load_ext<i8>(c), asked))
      sumD = i32x4.add(sumD, i32x4.dot_i16x8_s(v128.load_ext<i8>(d), asked))
      a += 8
      b += 8
      c += 8
      d += 8
    }
    let factors = v128.load32_splat(load<u32>(scales))
    factors = f32x4.replace_lane(factors, 1, load<f32>(load<u32>(scales, 4)))
    factors = f32x4.replace_lane(factors, 2, load<f32>(load<u32>(scales, 8)))
    factors = f32x4.replace_lane(factors, 3, load<f32>(load<u32>(scales, 12)))
    const products = f32x4.convert_i32x4_s(sumIntLanes(sumA, sumB, sumC, sumD))
    v128.store(out, f32x4.mul(products, factors))
    rows += 16
    scales += 16
    out += 16
  }
}

/** The products of an int8 row with itself and with the int16 `probe`, as two int32, to `out`. */
export function measure(row: usize, probe: usize, dimension: usize, out: usize): void {
  let square = i32x4.splat(0)
  let check = i32x4.splat(0)
  const end = row + dimension
  do {
    const components = v128.load_ext<i8>(row)
    square = i32x4.add(square, i32x4.dot_i16x8_s(components, components))
    check = i32x4.add(check, i32x4.dot_i16x8_s(components, v128.load(probe)))
    row += 8
    probe += 16
  } while (row < end)
  const zero = i32x4.splat(0)
  store<i64>(out, i64x2.extract_lane(sumIntLanes(square, check, zero, zero), 0))
}

/** Whether the product of every row with the int16 `probe` is the one among `checks`: float32, as a scan would give it. */
export function areSound(probe: usize, rows: usize, count: usize, dimension: usize, checks: usize): bool {
  for (; count >= 4; count -= 4) {
    const a = multiply(probe, rows, dimension)
    const b = multiply(probe, rows + dimension, dimension)
    const c = multiply(probe, rows + 2 * dimension, dimension)
    const d = multiply(probe, rows + 3 * dimension, dimension)
    const products = f32x4.convert_i32x4_s(sumIntLanes(a, b, c, d))
    if (v128.any_true(f32x4.ne(products, v128.load(checks)))) return false
    rows += 4 * dimension
    checks += 16
  }
  const zero = i32x4.splat(0)
  for (; count > 0; count--) {
    const sums = sumIntLanes(multiply(probe, rows, dimension), zero, zero, zero)
    if (f32x4.extract_lane(f32x4.convert_i32x4_s(sums), 0) != load<f32>(checks)) return false
    rows += dimension
    checks += 4
  }
  return true
}

/** The products of `count` adjacent float32 vectors with another, each summed up in its order, as float64, to `out`. */
export function multiplyFloats(vectors: usize, count: usize, vector: usize, dimension: usize, out: usize): void {
  for (; count > 0; count--) {
    const end = vectors + 4 * dimension
    let sum: f64 = 0
    for (let at = vector; vectors < end; at += 4) {
      sum += <f64>load<f32>(vectors) * <f64>load<f32>(at)
      vectors += 4
    }
    store<f64>(out, sum)
    out += 8
  }
}

/** FNV-1a over `count` 32-bit words, instead of bytes. */
export function hash(words: usize, count: usize): u32 {
  let hash: u32 = 0x811c9dc5
  const end = words + 4 * count
  for (; words < end; words += 4) hash = (hash ^ load<u32>(words)) * 0x01000193
  return hash
}

/** The same over 16-bit words. */
export function hashShort(words: usize, count: usize): u32 {
  let hash: u32 = 0x811c9dc5
  const end = words + 2 * count
  for (; words < end; words += 2) hash = (hash ^ <u32>load<u16>(words)) * 0x01000193
  return hash
}

/** Many dot products of int8 vectors at once: sixteen components per step, limited by memory bandwidth. */

export function dots(row: usize, rows: usize, count: usize, dimension: usize, out: usize): void {
  const end = out + 4 * count
  for (; out < end; out += 4) {
    let sums = i32x4.splat(0)
    for (let at: usize = 0; at < dimension; at += 16) {
      const left = v128.load(row + at)
      const right = v128.load(rows + at)
      const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(left), i16x8.extend_low_i8x16_s(right))
      const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(left), i16x8.extend_high_i8x16_s(right))
      sums = i32x4.add(sums, i32x4.add(low, high))
    }
    store<i32>(
      out,
      i32x4.extract_lane(sums, 0) +
        i32x4.extract_lane(sums, 1) +
        i32x4.extract_lane(sums, 2) +
        i32x4.extract_lane(sums, 3),
    )
    rows += dimension
  }
}

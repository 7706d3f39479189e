/** Turns float32 vectors into int8 rows, scaled by their largest component, so that little of a cosine is lost. */

const largestByte: f32 = 127

@inline
function scaled(at: usize, factors: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(at), factors)))
}

export function quantise(from: usize, to: usize, dimension: usize): f32 {
  const end = from + 4 * dimension
  let peaks = f32x4.splat(0)
  for (let at = from; at < end; at += 16) peaks = f32x4.max(peaks, f32x4.abs(v128.load(at)))
  peaks = f32x4.max(peaks, v128.shuffle<f32>(peaks, peaks, 2, 3, 0, 1))
  peaks = f32x4.max(peaks, v128.shuffle<f32>(peaks, peaks, 1, 0, 3, 2))
  const largest = f32x4.extract_lane(peaks, 0)
  // Of zeros alone this is infinite, and what is no number then becomes 0 again.
  const factors = f32x4.splat(largestByte / largest)
  for (let at = from; at < end; at += 64) {
    const low = i16x8.narrow_i32x4_s(scaled(at, factors), scaled(at + 16, factors))
    const high = i16x8.narrow_i32x4_s(scaled(at + 32, factors), scaled(at + 48, factors))
    v128.store(to, i8x16.narrow_i16x8_s(low, high))
    to += 16
  }
  return largest / largestByte
}

/** e to the power of four numbers at once: the same bits on every machine, since only basic arithmetic is used. */

/**
 * For numbers up to 0; what is below -87 counts as -87. Relative error below 3e-7: 2^n times a Taylor polynomial of degree six
 * of the rest, which is within ±ln(2)/2. ln(2) is taken off in two parts, the first exact in its products (Cody and Waite).
 */
@inline
export function exponential(power: v128): v128 {
  const x = f32x4.max(power, f32x4.splat(-87))
  const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(1.44269504088896)))
  const r = f32x4.sub(
    f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375))),
    f32x4.mul(n, f32x4.splat(-2.12194440e-4)),
  )
  let p = f32x4.add(f32x4.mul(r, f32x4.splat(1.0 / 720)), f32x4.splat(1.0 / 120))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 24))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.0 / 6))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.5))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1))
  // 2^n by its exponent's bits.
  const scale = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23)
  return f32x4.mul(p, scale)
}

/** FNV-1a (Fowler, Noll and Vo) over the UTF-16 code units of a text: 32 bits, for what nobody forges. */

export const fnvBasis = 0x811c9dc5

/** The hash of a text that goes on with one more code unit; the first goes on from a basis. Signed. */
export const fnvNext = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** The hash of a text, 0..2^32-1; of another basis another one. */
export function fnv(text: string, basis = fnvBasis): number {
  let hash = basis
  for (let at = 0; at < text.length; at += 1) hash = fnvNext(hash, text.charCodeAt(at))
  return hash >>> 0
}

/** Vectors and word pieces as bytes and back: how databases take and give them. Knows nothing of tables. */

/** A vector, word pieces or other numbers as databases and files take them. */
export const bytesOf = ({
  buffer,
  byteOffset,
  byteLength,
}: Float32Array | Float64Array | Uint16Array | Uint32Array | Int8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The bytes where they lie if they may be read so, else a copy: a database's buffers need not be aligned. */
const aligned = (bytes: Uint8Array, unit: number): Uint8Array =>
  bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes)

/** Vectors one after the other, as vec0 keeps them. */
export function toVectors(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = aligned(bytes, 4)
  return new Float32Array(buffer, byteOffset, byteLength / 4)
}

/** Word pieces, as passages keep them. */
export function toTokens(bytes: Uint8Array): Uint16Array {
  const { buffer, byteOffset, byteLength } = aligned(bytes, 2)
  return new Uint16Array(buffer, byteOffset, byteLength / 2)
}

/** A vector as int8 components, where it lies. */
export const toInt8s = ({ buffer, byteOffset, byteLength }: Uint8Array): Int8Array =>
  new Int8Array(buffer, byteOffset, byteLength)

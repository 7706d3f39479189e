/** Hashes: SHA-256 by Node's crypto, and a cheap fingerprint for what nobody forges. */
import { createHash } from 'node:crypto'
import { fnv, fnvBasis } from '../core/fnv.ts'

/** The digest of some bytes or texts, one after the other. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const lanes = 8

/** 32 bytes that identify a text in a cache, where nobody tries to make collisions: FNV-1a in eight lanes. */
export function fingerprint(text: string): Buffer {
  const bytes = Buffer.alloc(lanes * 4)
  for (let lane = 0; lane < lanes; lane += 1) {
    bytes.writeUInt32LE(fnv(text, fnvBasis ^ Math.imul(lane, 0x9e3779b9)), lane * 4)
  }
  return bytes
}

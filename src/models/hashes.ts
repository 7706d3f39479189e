/** Hashes: SHA-256 by Node's crypto, and a cheap fingerprint for what nobody forges. */
import { createHash } from 'node:crypto'

/** The digest of some bytes or texts, one after the other. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const lanes = 8
const basis = 0x811c9dc5
const prime = 0x01000193

/** 32 bytes that identify a text in a cache, where nobody tries to make collisions: FNV-1a in eight lanes. */
export function fingerprint(text: string): Buffer {
  const bytes = Buffer.alloc(lanes * 4)
  for (let lane = 0; lane < lanes; lane += 1) {
    let hash = basis ^ Math.imul(lane, 0x9e3779b9)
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
    bytes.writeUInt32LE(hash >>> 0, lane * 4)
  }
  return bytes
}

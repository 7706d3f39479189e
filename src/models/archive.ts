/**
 * Takes named files out of a gzipped tar archive. Only plain files whose base name is wanted are written, into
 * one directory: paths, links and everything else in an archive are ignored. Knows the tar format; nothing of models.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { BrainError, reasonOf } from '../core/errors.ts'

const blockBytes = 512
const octal = (field: Buffer): number =>
  Number.parseInt(field.toString('latin1').replaceAll('\0', ' ').trim() || '0', 8)

interface Entry {
  readonly name: string
  readonly plain: boolean
  readonly size: number
}

function readHeader(block: Buffer): Entry {
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  if (sum !== octal(block.subarray(148, 156))) throw new Error('a header does not add up')
  const path = block.subarray(0, 100).toString('utf8').replace(/\0.*$/s, '')
  const kind = block[156]
  const sizeField = block.subarray(124, 136)
  // Sizes beyond eight gigabytes are stored in base 256, marked by the top bit.
  const large = ((sizeField[0] ?? 0) & 0x80) !== 0
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    plain: kind === 0 || kind === 0x30,
    size: large ? Number(sizeField.readBigUInt64BE(4)) : octal(sizeField),
  }
}

/**
 * Writes the wanted files of an archive into `directory`; returns the names that were found.
 * @throws BrainError `failed` when the archive is truncated or none.
 */
export async function extractArchive(
  archive: string,
  directory: string,
  wanted: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>()
  let pending = Buffer.alloc(0)
  let left = 0
  let padding = 0
  let handle: FileHandle | undefined
  try {
    const source = createReadStream(archive, { highWaterMark: 1 << 20 }).on('error', (error) =>
      gunzip.destroy(error),
    )
    const gunzip = createGunzip({ chunkSize: 1 << 18 })
    for await (const chunk of source.pipe(gunzip)) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      while (pending.length > 0) {
        if (left > 0) {
          const part = pending.subarray(0, left)
          await handle?.writeFile(part)
          left -= part.length
          pending = pending.subarray(part.length)
          continue
        }
        if (padding > 0) {
          const skipped = Math.min(padding, pending.length)
          padding -= skipped
          pending = pending.subarray(skipped)
          continue
        }
        if (handle) {
          await handle.sync()
          await handle.close()
          handle = undefined
        }
        if (pending.length < blockBytes) break
        const block = pending.subarray(0, blockBytes)
        pending = pending.subarray(blockBytes)
        if (block.every((byte) => byte === 0)) continue
        const entry = readHeader(block)
        left = entry.size
        padding = (blockBytes - (entry.size % blockBytes)) % blockBytes
        if (entry.plain && wanted.has(entry.name)) {
          found.add(entry.name)
          handle = await open(join(directory, entry.name), 'w', 0o600)
        }
      }
    }
    if (left > 0) throw new Error('it ends too early')
    return found
  } catch (error) {
    const reason = reasonOf(error)
    throw new BrainError('failed', `the archive cannot be read: ${reason}; download it again`, {
      cause: error,
    })
  } finally {
    await handle?.close()
  }
}

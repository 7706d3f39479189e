/** Writes tar archives, those that should not exist included. */

export interface TarEntry {
  readonly name: string
  readonly content?: string | Buffer
  /** '0' file, '2' symbolic link, '5' directory. */
  readonly type?: string
  readonly link?: string
}

function writeEntry({ name, content = '', type = '0', link = '' }: TarEntry): Buffer {
  const bytes = Buffer.from(content)
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write(link, 157, 100)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** The archive's bytes, two empty blocks at its end. */
export const writeTar = (entries: readonly TarEntry[]): Buffer =>
  Buffer.concat([...entries.map(writeEntry), Buffer.alloc(1024)])

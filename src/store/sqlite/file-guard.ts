/**
 * Detects whether another program wrote to a brain's file or its log while they are open here: a backup copied over
 * it, an in-place synchronisation, a truncation. Knows SQLite's header, its log and the shared pages about it
 * (sqlite.org/fileformat.html, walformat.html); reads them through descriptors that SQLite itself has open, since
 * closing another descriptor would drop SQLite's locks.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'

interface Shared {
  /** The frames that some checkpoint set out to copy into the file, and those that one has copied. */
  readonly attempted: number
  readonly copied: number
  readonly salts: string
  /** Frames in the log. */
  readonly frames: number
}

interface Seen extends Shared {
  readonly modified: bigint
  /** How often the file's first page was written. */
  readonly changes: number
}

/** Looks at what other processes change all the time before one is given up until the next write. */
const maxLooks = 5

/** Bytes of a log's header, and of a frame's. */
const logHeader = 32
const frameHeader = 24

const identityOf = (descriptor: number): string => {
  const { dev, ino } = fstatSync(descriptor, { bigint: true })
  return `${dev}:${ino}`
}

/** A descriptor that this process has open on the file at `path`. */
function findDescriptor(path: string): number | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stats === undefined || process.platform === 'win32') return undefined
  try {
    const names = readdirSync(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd')
    const found = names.find((name) => {
      try {
        return identityOf(Number(name)) === `${stats.dev}:${stats.ino}`
      } catch {
        // Closed by now.
        return false
      }
    })
    return found === undefined ? undefined : Number(found)
  } catch {
    return undefined
  }
}

/** Whether a checkpoint can have made of a file seen before what is seen now: nothing else of ours writes into it. */
function mayFollow(before: Seen, now: Seen): boolean {
  const underWay = before.copied < before.attempted
  const since =
    before.attempted !== now.attempted || before.copied !== now.copied || before.salts !== now.salts
  return (underWay || since) && now.changes >= before.changes
}

/** Reads from a file that SQLite has open, through whichever descriptor it has. */
class OpenFile {
  readonly #path: string
  #descriptor: number | undefined
  #identity = ''

  constructor(path: string) {
    this.#path = path
  }

  /** When it was last written, nanoseconds; undefined where that cannot be had. */
  modified(): bigint | undefined {
    if (this.read(0) === undefined || this.#descriptor === undefined) return undefined
    return fstatSync(this.#descriptor, { bigint: true }).mtimeNs
  }

  /** The first `length` bytes; undefined where they cannot be had. */
  read(length: number): Buffer | undefined {
    try {
      if (this.#descriptor === undefined || identityOf(this.#descriptor) !== this.#identity) {
        this.#descriptor = findDescriptor(this.#path)
        if (this.#descriptor === undefined) return undefined
        const identity = identityOf(this.#descriptor)
        // Whoever took its place is another's to watch.
        this.#identity ||= identity
        if (identity !== this.#identity) return undefined
      }
      const bytes = Buffer.alloc(length)
      return readSync(this.#descriptor, bytes, 0, length, 0) === length ? bytes : undefined
    } catch {
      this.#descriptor = undefined
      return undefined
    }
  }
}

export class FileGuard {
  readonly #file: string
  readonly #database: OpenFile
  readonly #shared: OpenFile
  #log: number | undefined
  #seen: Seen | undefined
  #rewritten: 'file' | 'log' | undefined

  constructor(file: string) {
    this.#file = file
    this.#database = new OpenFile(file)
    this.#shared = new OpenFile(`${file}-shm`)
  }

  #readShared(): Shared | undefined {
    // Numbers there are in the machine's own order, which is this for every platform that Node runs on.
    const bytes = this.#shared.read(132)
    if (bytes === undefined) return undefined
    return {
      attempted: bytes.readUInt32LE(128),
      copied: bytes.readUInt32LE(96),
      salts: bytes.toString('hex', 32, 40),
      frames: bytes.readUInt32LE(16),
    }
  }

  /** One moment of file and shared pages; undefined where they cannot be had, or never stood still. */
  #look(): Seen | undefined {
    for (let tries = 0; tries < maxLooks; tries += 1) {
      const before = this.#readShared()
      const modified = this.#database.modified()
      const header = this.#database.read(100)
      const after = this.#readShared()
      if (before === undefined || after === undefined) return undefined
      if (modified === undefined || header === undefined) return undefined
      // A checkpoint says that it has copied when it has: what was read while it ended would tell of writes after that.
      const still =
        before.attempted === after.attempted && before.copied === after.copied && before.salts === after.salts
      if (still) return { ...after, modified, changes: header.readUInt32BE(24) }
    }
    return undefined
  }

  /** Whether the log begins as the pages shared about it say, and is as long. */
  #isOurLog({ frames, salts }: Shared): boolean {
    if (frames === 0) return true
    const header = Buffer.alloc(logHeader)
    this.#log ??= openSync(`${this.#file}-wal`, 'r')
    readSync(this.#log, header, 0, logHeader, 0)
    if (header.toString('hex', 16, 24) !== salts) return false
    // Its last byte, and not its size: who asks for a file's times makes its next sync write new ones.
    const end = logHeader + frames * (frameHeader + header.readUInt32BE(8))
    return readSync(this.#log, header, 0, 1, end - 1) === 1
  }

  /**
   * What was written into by another program since the last look; undefined while all is as SQLite left it, or where that
   * cannot be told. The log can be looked at only while this process holds the write lock, and it stands still.
   */
  findRewritten(locked: boolean): 'file' | 'log' | undefined {
    if (this.#rewritten !== undefined) return this.#rewritten
    const now = this.#look()
    if (now === undefined) return undefined
    const before = this.#seen
    this.#seen = now
    if (before !== undefined && before.modified !== now.modified && !mayFollow(before, now))
      this.#rewritten = 'file'
    else if (locked && !this.#isOurLog(now)) this.#rewritten = 'log'
    return this.#rewritten
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log)
    this.#log = undefined
  }
}

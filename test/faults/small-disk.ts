/**
 * A disk that fills up, and has room again: a small tmpfs where the tests may mount one, else a limit on how
 * large this process's files may grow (which SQLite meets as a failing disk, not a full one).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  readonly directory: string
  /** What a write is answered with when there is no room. */
  readonly sentence: RegExp
  /** Leaves room for about so many bytes. */
  fill(room: number): void
  /** Makes room again. */
  free(): void
  remove(): void
}

function createMounted(directory: string, megabytes = 32): SmallDisk | undefined {
  const options = `size=${megabytes}m,mode=700`
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', directory])
  if (mounted.status !== 0) return undefined
  const ballast = join(directory, 'ballast')
  return {
    directory,
    sentence: /the disk is full: nothing was written/,
    fill: (room) => {
      const { bavail, bsize } = statfsSync(directory)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - room)))
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['-l', directory])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function createLimited(directory: string): SmallDisk {
  // The hard limit stays, so that the soft one can be raised again.
  const limit = (bytes: string): void => {
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
  }
  return {
    directory,
    sentence: /the disk reported an error: nothing was written/,
    fill: (room) => limit(String(room)),
    free: () => limit('unlimited'),
    remove: () => {
      limit('unlimited')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const makeDirectory = (): string => mkdtempSync(join(tmpdir(), 'brain-disk-'))

/** One that other processes meet, too; undefined where none may be mounted. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = makeDirectory()
  const disk = createMounted(directory, megabytes)
  if (disk === undefined) rmSync(directory, { recursive: true })
  return disk
}

export function createSmallDisk(): SmallDisk {
  const directory = makeDirectory()
  return createMounted(directory) ?? createLimited(directory)
}

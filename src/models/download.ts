/**
 * One file from a host that may be slow, broken or wrong: resumed where it stopped, or restarted; checked
 * against a digest; in its place only when it is complete. Knows HTTP and files; not what is in them.
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { pause } from '../clock.ts'
import { BrainError, reasonOf } from '../core/errors.ts'
import { memberOf } from '../core/json.ts'
import type { Digest } from './catalogue.ts'

export interface DownloadOptions {
  readonly url: URL
  /** Where the complete file goes. Until then it grows in the same directory, as `FILE.part`. */
  readonly file: string
  readonly digest?: Digest | undefined
  /** Bytes so far and in total; the total is undefined until the host reports it. */
  readonly progress?: ((done: number, total: number | undefined) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds without a byte after which the connection is given up. */
  readonly stallLimit?: number | undefined
  /** Milliseconds before the second try; doubled before each later one. */
  readonly firstPause?: number | undefined
}

const attempts = 5
/** Bytes after which a broken connection counts as progress: the attempts are counted from 0 again. */
const enoughProgress = 1 << 20

/** The connection failed in a way that another try may mend. */
class Interruption extends Error {}

interface Part {
  readonly size: number
  /** ETag or date of the file that the part belongs to; a part without one is worth nothing. */
  readonly validator: string | undefined
}

/** Beside the part: which version of which file it is a part of. */
const noteOf = (file: string): string => `${file}.part.json`
const partOf = (file: string): string => `${file}.part`

async function readPart({ file, url }: DownloadOptions): Promise<Part> {
  try {
    const note: unknown = JSON.parse(await readFile(noteOf(file), 'utf8'))
    const { size } = await stat(partOf(file))
    const validator = memberOf(note, 'validator')
    if (memberOf(note, 'url') === url.href && typeof validator === 'string') return { size, validator }
  } catch {
    // No part, or one that nothing is known of: both mean a fresh start.
  }
  return { size: 0, validator: undefined }
}

async function dropPart(file: string): Promise<void> {
  await rm(partOf(file), { force: true })
  await rm(noteOf(file), { force: true })
}

/** The host's own digest of the content, as Google's storage sends it. */
function hostDigest(headers: Headers): Digest | undefined {
  const md5 = /(?:^|[,\s])md5=([A-Za-z0-9+/=]+)/.exec(headers.get('x-goog-hash') ?? '')?.[1]
  return md5 ? { algorithm: 'md5', hex: Buffer.from(md5, 'base64').toString('hex') } : undefined
}

interface Answer {
  readonly response: Response
  readonly start: number
  readonly total: number | undefined
}

/** @throws Interruption where another try may help, BrainError where none will. */
function judge(response: Response, part: Part, url: URL): Answer | 'complete' | 'restart' {
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
  if (response.status === 206) {
    return range && Number(range[1]) === part.size
      ? { response, start: part.size, total: Number(range[2]) }
      : 'restart'
  }
  if (response.status === 416 && part.size > 0)
    return range && Number(range[2]) === part.size ? 'complete' : 'restart'
  if (response.status === 200) {
    const length = response.headers.get('content-length')
    return { response, start: 0, total: length === null ? undefined : Number(length) }
  }
  const status = `${url.host} answered ${response.status} for ${url.pathname}`
  if (response.status >= 500 || response.status === 429) throw new Interruption(status)
  throw new BrainError('failed', `${status}; check the model's name and the mirror`)
}

async function* readBody(response: Response, watch: { restart(): void }): AsyncGenerator<Uint8Array> {
  for await (const chunk of response.body ?? []) {
    watch.restart()
    yield chunk
  }
}

/** Aborts when nothing was heard for so long. */
function createWatch(limit: number, controller: AbortController) {
  const expire = () => controller.abort(new Interruption(`no data for ${limit} ms`))
  let timer = setTimeout(expire, limit)
  return {
    restart() {
      clearTimeout(timer)
      timer = setTimeout(expire, limit)
    },
    stop() {
      clearTimeout(timer)
    },
  }
}

async function pour(
  answer: Answer,
  handle: FileHandle,
  watch: { restart(): void },
  options: DownloadOptions,
) {
  let done = answer.start
  await handle.truncate(done)
  for await (const chunk of readBody(answer.response, watch)) {
    await handle.write(chunk, 0, chunk.length, done)
    done += chunk.length
    if (answer.total !== undefined && done > answer.total) break
    options.progress?.(done, answer.total)
  }
  await handle.sync()
  if (answer.total !== undefined && done < answer.total)
    throw new Interruption(`it ended after ${done} bytes`)
  if (answer.total !== undefined && done > answer.total)
    throw new Interruption('it sent more than it announced')
}

/** One attempt. Returns the host's description of the file, and whether the part was continued. */
async function attempt(options: DownloadOptions): Promise<{ digest: Digest | undefined; resumed: boolean }> {
  const { url, file, signal } = options
  const part = await readPart(options)
  const controller = new AbortController()
  const watch = createWatch(options.stallLimit ?? 30_000, controller)
  try {
    const response = await (options.fetch ?? fetch)(url, {
      headers: {
        'accept-encoding': 'identity',
        ...(part.size > 0 && part.validator
          ? { range: `bytes=${part.size}-`, 'if-range': part.validator }
          : {}),
      },
      signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
    })
    const answer = judge(response, part, url)
    const digest = hostDigest(response.headers)
    if (answer === 'complete') {
      await response.body?.cancel()
      return { digest, resumed: true }
    }
    if (answer === 'restart') {
      await response.body?.cancel()
      await dropPart(file)
      throw new Interruption('it cannot continue where it stopped')
    }
    if (answer.start === 0) await dropPart(file)
    const handle = await open(partOf(file), answer.start === 0 ? 'w' : 'r+', 0o600)
    try {
      const validator = strongValidator(response.headers)
      if (answer.start === 0) await writeFile(noteOf(file), JSON.stringify({ url: url.href, validator }))
      await pour(answer, handle, watch, options)
    } finally {
      await handle.close()
    }
    return { digest, resumed: answer.start > 0 }
  } catch (error) {
    if (error instanceof BrainError || error instanceof Interruption || isLocal(error)) throw error
    signal?.throwIfAborted()
    if (controller.signal.aborted) throw controller.signal.reason
    throw new Interruption(`the connection to ${url.host} failed`, { cause: error })
  } finally {
    watch.stop()
    controller.abort()
  }
}

/** Weak ETags promise no equal bytes, so they cannot continue a file. */
function strongValidator(headers: Headers): string | undefined {
  const tag = headers.get('etag')
  return tag && !tag.startsWith('W/') ? tag : (headers.get('last-modified') ?? undefined)
}

/** Errors of the disk: no other try mends them. */
const isLocal = (error: unknown): boolean =>
  error instanceof Error &&
  'syscall' in error &&
  ['open', 'write', 'ftruncate', 'fsync'].includes(String(error.syscall))

/** Lower-case hex digest of a file. */
export async function hashFile(file: string, algorithm: Digest['algorithm']): Promise<string> {
  const hash: Hash = createHash(algorithm)
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * Fetches `url` into `file`, continuing what an earlier call left. @throws BrainError `failed`: not there,
 * interrupted too often (the part stays for the next call), or does not match the digest (nothing stays).
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { file, url, signal } = options
  let failure: unknown
  let held = 0
  for (let round = 0; round < attempts; round += 1) {
    if (round > 0) await pause((options.firstPause ?? 1000) * 2 ** (round - 1), signal)
    try {
      const { digest: announced, resumed } = await attempt(options)
      const digest = options.digest ?? announced
      if (digest && (await hashFile(partOf(file), digest.algorithm)) !== digest.hex) {
        await dropPart(file)
        // Two halves of different files look like this, too: worth one fresh start.
        if (resumed) throw new Interruption('its parts do not fit together')
        throw new BrainError(
          'failed',
          `what ${url.host} sent for ${url.pathname} is not the expected file (${digest.algorithm} differs); nothing was kept. Run the same command again; if that does not help, name another host with --mirror, or a directory that holds the unpacked model with --from`,
        )
      }
      await rename(partOf(file), file)
      await rm(noteOf(file), { force: true })
      return
    } catch (error) {
      if (!(error instanceof Interruption)) throw error
      failure = error
      const { size } = await readPart(options)
      if (size > held + enoughProgress) round = 0
      held = size
    }
  }
  const reason = reasonOf(failure)
  throw new BrainError(
    'failed',
    `the download of ${url.href} was interrupted ${attempts} times (${reason}); run the same command again to continue it`,
    { cause: failure },
  )
}

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { extractArchive } from '../../src/models/archive.ts'
import { type DownloadOptions, download } from '../../src/models/download.ts'
import { archiveUrl, findInstalled, getModel } from '../../src/models/installed-models.ts'
import { modelsDirectory } from '../../src/models/models-directory.ts'
import { useModel } from '../../src/models/providers/fastembed.ts'
import { type TarEntry, writeTar } from './tar-writer.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installTransformer } from './tiny-transformer.ts'

type Manner = (request: IncomingMessage, response: ServerResponse, count: number) => void

interface Host {
  readonly url: URL
  /** The Range header of each request, '' where it had none. */
  readonly ranges: string[]
}

/** A host that serves as told. */
async function serve(manner: Manner, path = '/models/file.tar.gz'): Promise<Host> {
  const ranges: string[] = []
  const server = createServer((request, response) => {
    ranges.push(request.headers.range ?? '')
    manner(request, response, ranges.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on a port')
  return { url: new URL(path, `http://127.0.0.1:${address.port}`), ranges }
}

const random = drawFrom(42)
const content = Buffer.from(Uint8Array.from({ length: 300_000 }, () => Math.floor(random() * 256)))
const hexOf = (bytes: Buffer, algorithm: string): string => createHash(algorithm).update(bytes).digest('hex')
const sha256 = { algorithm: 'sha256', hex: hexOf(content, 'sha256') } as const

interface Serving {
  readonly body?: Buffer
  readonly etag?: string | undefined
  readonly headers?: Record<string, string>
  /** Bytes after which the connection is cut. */
  readonly cutAfter?: number
}

/** As a good host does: whole, or from where it is asked while the version is the same. */
function serveFile(request: IncomingMessage, response: ServerResponse, serving: Serving = {}): void {
  const { body = content, etag = '"one"', headers = {}, cutAfter = Number.POSITIVE_INFINITY } = serving
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
  const from = asked && request.headers['if-range'] === etag ? Number(asked[1]) : 0
  if (from >= body.length) {
    response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
    return
  }
  const part = body.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, {
    ...(etag ? { etag } : {}),
    'content-length': part.length,
    ...(from > 0 ? { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` } : {}),
    ...headers,
  })
  if (part.length <= cutAfter) response.end(part)
  else response.write(part.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20))
}

function into(url: URL, options: Partial<DownloadOptions> = {}): DownloadOptions {
  return { url, file: join(temporaryDirectory(), 'file'), digest: sha256, firstPause: 1, ...options }
}

const leftovers = ({ file }: DownloadOptions): string[] => readdirSync(join(file, '..'))

describe('a download', () => {
  test('arrives whole, with its progress told, and leaves nothing beside it', async () => {
    const { url } = await serve((request, response) => serveFile(request, response))
    const steps: [number, number | undefined][] = []
    const options = into(url, { progress: (done, total) => steps.push([done, total]) })
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
    expect(steps.at(-1)).toEqual([content.length, content.length])
    expect(leftovers(options)).toEqual(['file'])
  })

  test('from a slow host arrives as long as bytes keep coming', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': content.length })
      let sent = 0
      const drip = () => {
        response.write(content.subarray(sent, sent + 30_000))
        sent += 30_000
        if (sent < content.length) setTimeout(drip, 30)
        else response.end()
      }
      drip()
    })
    const options = into(url, { stallLimit: 2000 })
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test('that is interrupted goes on where it stopped', async () => {
    const { url, ranges } = await serve((request, response, count) =>
      serveFile(request, response, count < 3 ? { cutAfter: 100_000 } : {}),
    )
    const options = into(url)
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
    expect(ranges[0]).toBe('')
    expect(ranges[1]).toMatch(/^bytes=\d+-$/)
    expect(ranges).toHaveLength(3)
  })

  test('that stalls is given up and continued', async () => {
    const { url, ranges } = await serve((request, response, count) => {
      if (count > 1) return serveFile(request, response)
      response.writeHead(200, { 'content-length': content.length, etag: '"one"' })
      response.write(content.subarray(0, 50_000))
    })
    const options = into(url, { stallLimit: 150 })
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
    expect(ranges[1]).toMatch(/^bytes=\d+-$/)
  })

  test('that is interrupted too often says so, keeps its part, and the next call continues it', async () => {
    let broken = true
    const { url, ranges } = await serve((request, response) =>
      broken ? serveFile(request, response, { cutAfter: 20_000 }) : serveFile(request, response),
    )
    const options = into(url)
    await expect(download(options)).rejects.toThrow(/interrupted 5 times.*run the same command again/)
    expect(existsSync(options.file)).toBe(false)
    broken = false
    await download(options)
    expect(ranges.at(-1)).not.toBe('')
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test('begins anew when the file on the host has changed meanwhile', async () => {
    const { url } = await serve((request, response, count) =>
      count === 1
        ? serveFile(request, response, { body: Buffer.alloc(300_000, 1), etag: '"old"', cutAfter: 100_000 })
        : serveFile(request, response),
    )
    const options = into(url)
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test('begins anew when the host gives no version or cannot continue', async () => {
    const { url, ranges } = await serve((_, response, count) => {
      response.writeHead(200, { 'content-length': content.length })
      if (count > 1) response.end(content)
      else response.write(content.subarray(0, 1000), () => setTimeout(() => response.destroy(), 20))
    })
    const options = into(url)
    await download(options)
    expect(ranges).toEqual(['', ''])
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test('does not trust a part that someone has altered', async () => {
    let broken = true
    const { url } = await serve((request, response) =>
      serveFile(request, response, broken ? { cutAfter: 20_000 } : {}),
    )
    const options = into(url)
    await expect(download(options)).rejects.toThrow(/interrupted/)
    broken = false
    writeFileSync(`${options.file}.part`, Buffer.alloc(statSync(`${options.file}.part`).size, 7))
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test('whose part is already whole is only checked', async () => {
    const { url, ranges } = await serve((request, response) => serveFile(request, response))
    const options = into(url)
    writeFileSync(`${options.file}.part`, content)
    writeFileSync(`${options.file}.part.json`, JSON.stringify({ url: url.href, validator: '"one"' }))
    await download(options)
    expect(ranges).toEqual([`bytes=${content.length}-`])
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test.each([
    ['the expected digest', { digest: { algorithm: 'sha256', hex: '0'.repeat(64) } } as const, {}],
    [
      'what the host says of it',
      { digest: undefined },
      { 'x-goog-hash': 'crc32c=AAAAAA==, md5=AAAAAAAAAAAAAAAAAAAAAA==' },
    ],
  ])('that differs from %s is refused and thrown away', async (_, options, headers) => {
    const { url } = await serve((request, response) => serveFile(request, response, { headers }))
    const full = into(url, options)
    await expect(download(full)).rejects.toThrow(/not the expected file.*--mirror.*--from/)
    expect(leftovers(full)).toEqual([])
  })

  test('that the host vouches for is accepted', async () => {
    const md5 = createHash('md5').update(content).digest('base64')
    const headers = { 'x-goog-hash': `crc32c=AAAAAA==,md5=${md5}` }
    const { url } = await serve((request, response) => serveFile(request, response, { headers }))
    const options = into(url, { digest: undefined })
    await download(options)
    expect(readFileSync(options.file).equals(content)).toBe(true)
  })

  test.each([403, 404, 410])('that the host answers with %i is not tried again', async (status) => {
    const { url, ranges } = await serve((_, response) => response.writeHead(status).end())
    await expect(download(into(url))).rejects.toThrow(new RegExp(`answered ${status}.*mirror`))
    expect(ranges).toHaveLength(1)
  })

  test('from a host that is out of order for a moment is tried again', async () => {
    const { url } = await serve((request, response, count) =>
      count < 3 ? response.writeHead(503).end() : serveFile(request, response),
    )
    const options = into(url)
    await download(options)
    expect(existsSync(options.file)).toBe(true)
  })

  test('from nowhere fails in words', async () => {
    await expect(download(into(new URL('http://127.0.0.1:1/x')))).rejects.toThrow(
      /connection to 127.0.0.1:1 failed/,
    )
  })

  test('can be cancelled, and its part stays', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': content.length, etag: '"one"' })
      response.write(content.subarray(0, 1000))
    })
    const controller = new AbortController()
    const options = into(url, {
      signal: controller.signal,
      progress: () => controller.abort(new Error('interrupted by the user')),
    })
    await expect(download(options)).rejects.toThrow('interrupted by the user')
    expect(leftovers(options)).toContain('file.part')
  })
})

describe('an archive', () => {
  const extract = async (entries: TarEntry[], wanted: string[]) => {
    const directory = temporaryDirectory()
    const file = join(temporaryDirectory(), 'a.tar.gz')
    writeFileSync(file, gzipSync(writeTar(entries)))
    const found = await extractArchive(file, directory, new Set(wanted))
    return { directory, found: [...found].sort(), files: readdirSync(directory).sort() }
  }

  test('gives up the wanted files by their base names and no others', async () => {
    const { directory, files } = await extract(
      [
        { name: 'model/', type: '5' },
        { name: 'model/one.json', content: '{"one":1}' },
        { name: 'model/._one.json', content: 'resource fork' },
        { name: 'model/big.bin', content },
        { name: 'model/secret', content: 'x' },
      ],
      ['one.json', 'big.bin'],
    )
    expect(files).toEqual(['big.bin', 'one.json'])
    expect(readFileSync(join(directory, 'big.bin')).equals(content)).toBe(true)
    expect(readFileSync(join(directory, 'one.json'), 'utf8')).toBe('{"one":1}')
  })

  test('cannot write outside its directory, by path or by link', async () => {
    const { directory, files } = await extract(
      [
        { name: '../../escaped', content: 'x' },
        { name: 'link', type: '2', link: '/etc/passwd' },
        { name: '/etc/absolute', content: 'x' },
      ],
      ['escaped', 'link', 'absolute'],
    )
    expect(files).toEqual(['absolute', 'escaped'])
    expect(existsSync(join(directory, '..', '..', 'escaped'))).toBe(false)
  })

  test('an empty file is a file', async () => {
    const { files } = await extract(
      [
        { name: 'empty', content: '' },
        { name: 'after', content: 'x' },
      ],
      ['empty', 'after'],
    )
    expect(files).toEqual(['after', 'empty'])
  })

  test.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['garbage', () => Buffer.from('<html>not found</html>')],
    ['gzipped garbage', () => gzipSync(Buffer.alloc(2048, 'x'))],
  ])('%s is refused', async (_, damage) => {
    const file = join(temporaryDirectory(), 'a.tar.gz')
    writeFileSync(file, damage(gzipSync(writeTar([{ name: 'big.bin', content }]))))
    await expect(extractArchive(file, temporaryDirectory(), new Set(['big.bin']))).rejects.toThrow(
      /cannot be read/,
    )
  })
})

describe('a model from its host', () => {
  const entry = getModel('all-MiniLM-L6-v2')

  function archive(): Buffer {
    const directory = temporaryDirectory()
    installTransformer(directory, { modelFile: entry.modelFile })
    const files = readdirSync(directory).map((name) => ({
      name: `fast-all-MiniLM-L6-v2/${name}`,
      content: readFileSync(join(directory, name)),
    }))
    return gzipSync(writeTar(files))
  }

  // The tests' archive is not the one whose digest the catalogue knows: an entry without a digest stands in.
  const unsigned = getModel('bge-small-en')

  test('is downloaded from a mirror, unpacked, tried and kept', async () => {
    const directory = temporaryDirectory()
    installTransformer(directory, { modelFile: unsigned.modelFile })
    const files = readdirSync(directory).map((name) => ({
      name,
      content: readFileSync(join(directory, name)),
    }))
    const body = gzipSync(writeTar(files))
    const paths: string[] = []
    const { url } = await serve((request, response) => {
      paths.push(request.url ?? '')
      serveFile(request, response, { body })
    })
    const models = join(temporaryDirectory(), 'new', 'models')
    const installed = await useModel('fastembed:bge-small-en', { models, mirror: new URL('.', url).href })
    expect(paths).toEqual(['/models/fast-bge-small-en.tar.gz'])
    expect(installed.dimension).toBe(32)
    expect(readdirSync(models)).toEqual(['bge-small-en'])
    expect(await useModel('bge-small-en', { models, mirror: 'http://127.0.0.1:1' })).toEqual(installed)
  })

  test('whose archive is not the one that the catalogue knows is refused and leaves nothing', async () => {
    const body = archive()
    const { url } = await serve((request, response) => serveFile(request, response, { body }))
    const models = temporaryDirectory()
    const result = useModel(entry.name, { models, mirror: new URL('.', url).href })
    await expect(result).rejects.toThrow(/not the expected file \(md5 differs\)/)
    expect(readdirSync(models)).toEqual([])
    expect(findInstalled(entry, models)).toBeUndefined()
  })

  test('is installed by one process at a time, and a dead one holds nobody up', async () => {
    const models = temporaryDirectory()
    const from = temporaryDirectory()
    installTransformer(from, { modelFile: entry.modelFile })
    const lock = join(models, `${entry.name}.lock`)
    writeFileSync(lock, String(process.ppid))
    await expect(useModel(entry.name, { models, from })).rejects.toThrow(/is installing this model already/)
    writeFileSync(lock, '999999999')
    expect((await useModel(entry.name, { models, from })).entry).toBe(entry)
    expect(readdirSync(models)).toEqual([entry.name])
  })

  test('comes from the address of its host unless a mirror is named', () => {
    expect(archiveUrl(entry, undefined).href).toBe(
      'https://storage.googleapis.com/qdrant-fastembed/sentence-transformers-all-MiniLM-L6-v2.tar.gz',
    )
    expect(archiveUrl(entry, 'https://mirror.example/a/b').href).toBe(
      'https://mirror.example/a/b/sentence-transformers-all-MiniLM-L6-v2.tar.gz',
    )
    expect(() => archiveUrl(entry, 'file:///etc')).toThrow(/http or https/)
  })

  test('an interrupted unpacking leaves no model behind', async () => {
    const models = temporaryDirectory()
    const from = temporaryDirectory()
    installTransformer(from, { modelFile: entry.modelFile })
    truncateSync(join(from, 'tokenizer.json'), 100)
    await expect(useModel(entry.name, { models, from })).rejects.toThrow(/does not run/)
    expect(readdirSync(models)).toEqual([])
  })

  test('models are kept in the cache directory of the user', () => {
    expect(modelsDirectory({ XDG_CACHE_HOME: '/cache' })).toBe(join('/cache', 'brain', 'models'))
    expect(modelsDirectory({ XDG_CACHE_HOME: 'relative' })).toMatch(/\.cache.brain.models$/)
  })
})

/** Connections that are to be secure, to servers that say so much of PostgreSQL's protocol: what went wrong, and the remedy. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { resolveConfig } from '../../src/config/config.ts'
import { forDriver } from '../../src/core/store-address.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/** A server that answers the question for TLS with one letter and goes on with `secure`. */
async function listen(letter: '' | 'N' | 'S', secure: (socket: Socket) => void = () => {}): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      if (letter !== '') socket.write(letter)
      secure(socket)
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : expect.unreachable()
}

const opening = (url: string) => openPostgresStore(url, { label: 'test', connections: 1, warn: () => {} })

/** A certificate of nobody's, for a name, as of now or long over. */
function makeCertificate(name: string) {
  const directory = temporaryDirectory()
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', `/CN=${name}`]
  execFileSync('openssl', [...words, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert), file: cert }
}

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.each(['verify-full', 'require'])('a server without TLS is no place for sslmode=%s', async (mode) => {
  const port = await listen('N')
  await expect(opening(`postgres://brain@127.0.0.1:${port}/brain?sslmode=${mode}`)).rejects.toMatchObject({
    kind: 'storage',
    message: expect.stringMatching(
      /offers no secure connection: let it \(ssl = on\), or say sslmode=disable/,
    ),
  })
})

test.skipIf(!hasOpenssl)(
  'a certificate of nobody known, or for another name, is refused with the remedy',
  async () => {
    const { key, cert, file } = makeCertificate('elsewhere.example')
    const secureContext = createSecureContext({ key, cert })
    const port = await listen('S', (socket) => {
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {})
    })
    const address = `postgres://brain@127.0.0.1:${port}/brain?sslmode=verify-full`
    await expect(opening(address)).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('sslrootcert=FILE'),
    })
    await expect(opening(`${address}&sslrootcert=${file}`)).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('for another name'),
    })
  },
)

test('a server that takes connections and does not answer is asked once, not four times', async () => {
  let asked = 0
  const port = await listen('', () => {
    asked += 1
  })
  const url = `postgres://brain@127.0.0.1:${port}/brain`
  const timeouts = { connection: 200 }
  await expect(
    openPostgresStore(url, { label: 'test', connections: 1, warn: () => {}, timeouts }),
  ).rejects.toMatchObject({ kind: 'storage', message: expect.stringContaining('cannot be reached') })
  expect(asked).toBe(1)
})

test('a file that the address names and that is not there is named', async () => {
  await expect(
    opening('postgres://brain@127.0.0.1:9/brain?sslmode=verify-full&sslrootcert=/nowhere/ca.crt'),
  ).rejects.toMatchObject({
    kind: 'storage',
    message: expect.stringMatching(/^cannot read \/nowhere\/ca\.crt, which/),
  })
})

test.each([
  ['sslmod=verify-full', /no parameter sslmod: it may have/],
  ['sslmode=verify_full', /must have sslmode disable, verify-full or/],
  ['sslmode=allow', /must have sslmode disable, verify-full or/],
])('an address with %s is refused before anything is sent', (parameter, rule) => {
  const values = { 'store.url': `postgres://brain@127.0.0.1/brain?${parameter}` }
  expect(() => resolveConfig([{ name: 'the test', values }])).toThrow(rule)
})

test('weaker words for a verified connection are the strong one to the driver', () => {
  expect(forDriver('postgres://a@b/c?sslmode=require', 'p w')).toBe(
    'postgres://a:p%20w@b/c?sslmode=verify-full',
  )
  expect(forDriver('postgres://a@b/c?sslmode=disable', undefined)).toBe('postgres://a@b/c?sslmode=disable')
  const own = 'postgres://a@b/c?sslmode=require&uselibpqcompat=true'
  expect(forDriver(own, undefined)).toBe(own)
})

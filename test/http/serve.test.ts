import { readFileSync } from 'node:fs'
import { request as secureRequest } from 'node:https'
import { expect, test } from 'vitest'
import { startTestDaemon } from './daemon.ts'

const pem = (name: string): string => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8')

const tls = { cert: pem('cert'), key: pem('key') }

test('an address other machines can reach is refused without TLS, unless that is accepted', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.test']) {
    await expect(startTestDaemon({ host })).rejects.toThrow(
      'give --tls-cert and --tls-key, or --insecure-http',
    )
  }
  const accepted = await startTestDaemon({ host: '0.0.0.0', insecure: true })
  expect(accepted.log()).toContain('in clear')
  const encrypted = await startTestDaemon({ host: '0.0.0.0', tls })
  expect(encrypted.url).toMatch(/^https:\/\/0\.0\.0\.0:\d+$/)
  expect(encrypted.log()).not.toContain('in clear')
})

test('every spelling of loopback is served without more ado', async () => {
  for (const host of ['127.0.0.1', 'localhost', '::1', '127.8.8.8']) {
    const daemon = await startTestDaemon({ host })
    expect(daemon.url).toContain(host)
    await daemon.stop()
  }
})

test('with a certificate the daemon speaks HTTPS, and answers by the same rules', async () => {
  const daemon = await startTestDaemon({ tls })
  const get = (headers: Record<string, string>): Promise<[number | undefined, unknown]> =>
    new Promise((resolve, reject) => {
      const options = {
        ca: tls.cert,
        host: '127.0.0.1',
        servername: 'localhost',
        port: daemon.port,
        path: '/health',
        headers,
      }
      secureRequest(options, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve([response.statusCode, JSON.parse(text)]))
      })
        .on('error', reject)
        .end()
    })
  expect(daemon.url).toBe(`https://127.0.0.1:${daemon.port}`)
  expect(await get({})).toEqual([200, { status: 'ok', version: '0.0.0-test' }])
  expect(await get({ host: 'evil.example' })).toEqual([403, { error: 'host not allowed' }])
})

test('a certificate without its key, or no certificate at all, is refused', async () => {
  await expect(startTestDaemon({ tls: { cert: tls.cert, key: 'nonsense' } })).rejects.toThrow(
    'tls-cert and tls-key must be a certificate and its key in PEM form',
  )
})

test('a port that is taken is told, and no key is made for nobody to see', async () => {
  const { port } = await startTestDaemon()
  await expect(startTestDaemon({ port })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port}: another program listens there; name another with --port`,
  )
})

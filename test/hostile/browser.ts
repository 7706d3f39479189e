/** A real browser, where one is installed, and a web site for it to visit. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { ownPort } from '../http/own-port.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { browser } from './installed-browser.ts'

/** Opens an address in a browser for which every name under `.example` is this machine. */
export function visit(url: string): void {
  const child = spawn(
    browser ?? 'no browser',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--no-first-run',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      `--user-data-dir=${temporaryDirectory()}`,
      url,
    ],
    // A process group of its own: what the browser started must end with it, or it goes on writing.
    { stdio: 'ignore', detached: true },
  )
  onTestFinished(async () => {
    const closed = new Promise((resolve) => child.once('close', resolve))
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await closed
  })
}

export interface Site {
  readonly port: number
  /** What the page said at the end of its script. */
  readonly reported: Promise<Record<string, string>>
  /** Resolves once the page has been fetched. */
  readonly visited: Promise<void>
  /** Gives the port up. */
  close(): Promise<void>
}

/** A site whose every page is `page`, and which takes one report from anywhere. */
export async function openSite(page: string): Promise<Site> {
  let report: (value: Record<string, string>) => void
  let visit: () => void
  const reported = new Promise<Record<string, string>>((resolve) => {
    report = resolve
  })
  const visited = new Promise<void>((resolve) => {
    visit = resolve
  })
  const server = createServer((incoming, outgoing) => {
    outgoing.setHeader('Access-Control-Allow-Origin', '*')
    if (incoming.method !== 'POST') {
      outgoing
        .setHeader('Content-Type', 'text/html')
        .end(`<!doctype html><body><script type=module>${page}</script>`)
      outgoing.once('finish', () => visit())
      return
    }
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      outgoing.end()
      report(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    })
  })
  const port = await ownPort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  return { port, reported, visited, close }
}

/**
 * Serves the page: its files as built, its security headers, and the sign-in. Knows files and sessions; the content is
 * `src/page`'s, and its requests are operations.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { TLSSocket } from 'node:tls'
import type { Brain } from '../brain.ts'
import { nameOfStore } from '../core/store-address.ts'
import { parseInput } from '../operations/call.ts'
import { text, toTimestamp } from '../operations/schemas.ts'
import { readJson, requireNoBody } from './body.ts'
import { type Answer, type Call, json, type KeyEndpoint, type OpenEndpoint } from './exchange.ts'
import { codeLifetime, cookieName, type Sessions, sessionLifetime } from './sessions.ts'

/** One file of the page. */
export interface PageFile {
  readonly name: string
  readonly text: string
}

type Named = Pick<Brain, 'directory' | 'config'>

const start = 'index.html'

/** The page's files, from the nearest `dist/page` upwards; none where it was not built. */
export function readPageFiles(from: string = import.meta.dirname): PageFile[] {
  for (let here = from; ; here = dirname(here)) {
    const directory = join(here, 'dist', 'page')
    try {
      // Maps are for stacks of bug reports, not for browsers.
      const names = readdirSync(directory).filter((name) => !name.endsWith('.map'))
      return names.map((name) => ({
        name,
        text: readFileSync(join(directory, name), 'utf8'),
      }))
    } catch {
      if (here === dirname(here)) return []
    }
  }
}

/** Content security policy: nothing from other origins, no inline code, no framing. */
const fence = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

function fileEndpoint({ name, text }: PageFile): OpenEndpoint {
  const answer: Answer = {
    status: 200,
    body: text,
    headers: {
      'Content-Type': types[extname(name)] ?? 'text/plain; charset=utf-8',
      ...fence,
      // The name of every other file changes with what is in it.
      ...(name !== start && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
    },
  }
  return {
    method: 'GET',
    path: name === start ? '/' : `/page/${name}`,
    access: 'anyone',
    answer: async ({ incoming }) => {
      requireNoBody(incoming)
      return answer
    },
  }
}

const signIn = { members: { code: text() } }

function cookieFor({ incoming }: Call, value: string, seconds: number): Readonly<Record<string, string>> {
  const secure = incoming.socket instanceof TLSSocket ? '; Secure' : ''
  const name = cookieName(incoming.socket.localPort)
  return {
    'Set-Cookie': `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`,
  }
}

/** What tells a brain from others for people: its database, or the directory that it is in. */
const nameOf = ({ directory, config: { 'store.url': address } }: Named): string =>
  basename(address === null ? dirname(directory) : nameOfStore(address))

/** The page's files and its sign-in; nothing where there are no files. */
export function pageEndpoints(
  files: readonly PageFile[],
  sessions: Sessions,
  brain: Named,
): (OpenEndpoint | KeyEndpoint)[] {
  if (files.length === 0) return []
  return [
    ...files.map(fileEndpoint),
    {
      method: 'POST',
      path: '/session/code',
      access: 'key',
      answer: async ({ incoming, proceed }, caller) => {
        parseInput({ members: {} }, await readJson(incoming, proceed))
        return json({ code: sessions.issueCode(caller), seconds: codeLifetime / 1_000 })
      },
    },
    {
      method: 'POST',
      path: '/session',
      access: 'page',
      answer: async (call) => {
        const { code } = parseInput(signIn, await readJson(call.incoming, call.proceed))
        const { cookie, csrfToken, caller, endsAt } = await sessions.open(code)
        const told = {
          csrf_token: csrfToken,
          brain: nameOf(brain),
          project: caller.project,
          agent: caller.agent,
          ends_at: toTimestamp(endsAt),
        }
        return { ...json(told), headers: cookieFor(call, cookie, sessionLifetime / 1_000) }
      },
    },
    {
      method: 'POST',
      path: '/session/end',
      access: 'page',
      answer: async (call) => {
        parseInput({ members: {} }, await readJson(call.incoming, call.proceed))
        sessions.close(call.incoming.rawHeaders, call.incoming.socket.localPort)
        return { ...json({ ended: true }), headers: cookieFor(call, '', 0) }
      },
    },
  ]
}

import { readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { standardTools } from '../mcp/standard-tools.ts'
import { createReader, type Reader, readBlocks, steady } from './readme.ts'

const blocks = readBlocks('README.md')
const install = 'npm ci && npm run build && '
const only = (section: string): string => {
  const [first, ...others] = blocks.filter((block) => block.section === section)
  if (first === undefined || others.length > 0) throw new Error(`README's ${section} is not one block`)
  return first.text
}

let reader: Reader

beforeAll(async () => {
  reader = await createReader()
})

afterAll(() => reader.leave())

test('the quick start is one line that installs, builds, remembers and prints what it recalls', async () => {
  const line = only('Quick start')
  expect(line).not.toContain('\n')
  expect(line.startsWith(install)).toBe(true)
  const own = await createReader()
  try {
    symlinkSync(resolve('bin'), join(own.directory, 'bin'))
    const { code, stdout } = await own.run(line.slice(install.length))
    expect(code).toBe(0)
    expect(stdout).toContain('remembered 1')
    expect(stdout.trimEnd().split('\n').at(-1)).toContain('The staging database moved to port 5433')
  } finally {
    await own.leave()
  }
})

test('continuous integration runs the one command under Test', () => {
  const command = only('Test')
  expect(command).toBe('npm ci && npm test')
  expect(readFileSync('.ci/run', 'utf8')).toContain(`(${command}) </dev/null`)
})

const shell = blocks.filter(
  ({ section, language }) => language === 'sh' && !/^(Quick start|Test)$/.test(section),
)

describe.sequential('every command on the page does what it says', () => {
  test.for(shell.map((block) => [`${block.section}: ${block.text.split('\n', 1)[0]}`, block] as const))(
    '%s',
    async ([, block]) => {
      const { code, stdout, stderr } = await reader.run(block.text)
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
      if (block.output === undefined) return
      const [shown, said] = [steady(stdout), steady(block.output)]
      expect(shown.words).toBe(said.words)
      // A score may move with the model, not so far that the page misleads.
      for (const [at, score] of shown.figures.entries()) {
        const distance = Math.abs(score - (said.figures[at] ?? Number.NaN))
        expect(distance, `${score} in place of ${said.figures[at]}`).toBeLessThanOrEqual(0.05)
      }
    },
  )

  test('the hook lets a harmless push pass and stops a dangerous one', async () => {
    const hook = shell.find(({ text }) => text.includes('pre-push'))
    const prepared = await reader.run(`git init --quiet --bare ../far
      git init --quiet near && cd near
      git remote add origin ../../far
      ${hook?.text}
      git commit --quiet --allow-empty --message 'Explain the retry in the readme'
      git push --quiet origin HEAD:main`)
    expect(prepared.code, prepared.stderr).toBe(0)
    const refused = await reader.run(`cd near
      git commit --quiet --allow-empty --message 'Drop the users table'
      git push --quiet origin HEAD:main`)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('danger')
  })

  test.for(blocks.filter(({ language }) => language === 'json').map((block, at) => [at, block] as const))(
    'the MCP configuration %i gives a client the tools of the specification',
    async ([, block]) => {
      const client = new Client({ name: 'reader', version: '1' })
      await client.connect(await transportOf(block.text))
      try {
        expect((await client.listTools()).tools).toHaveLength(standardTools)
      } finally {
        await client.close()
      }
    },
  )
})

const serverOf = z.union([
  z.object({ command: z.string(), args: z.array(z.string()) }),
  z.object({ type: z.literal('http'), url: z.string(), headers: z.record(z.string(), z.string()) }),
])

/** What a client would do with its configuration, its own variables and the example's names filled in. */
async function transportOf(
  configuration: string,
): Promise<StdioClientTransport | StreamableHTTPClientTransport> {
  const { stdout } = await reader.run('brain key create')
  const filled = reader
    .localise(configuration)
    .replaceAll(/\$\{workspaceFolder\}|\/home\/me\/notes/g, reader.directory)
    .replace('brain_YOUR_KEY', stdout.trim())
  const [servers] = Object.values(
    z.record(z.string(), z.record(z.string(), serverOf)).parse(JSON.parse(filled)),
  )
  const server = servers?.brain
  if (server === undefined) throw new Error('the configuration names no server called brain')
  if ('url' in server) {
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: server.headers },
    })
  }
  return new StdioClientTransport({
    ...server,
    cwd: reader.directory,
    env: Object.fromEntries(Object.entries(reader.environment).map(([name, value]) => [name, String(value)])),
  })
}

/** The fenced blocks of a Markdown page, and a place to run them in as its reader would. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownPort } from '../http/own-port.ts'

export interface Block {
  readonly section: string
  readonly language: string
  readonly text: string
  /** What the page says the block prints, if it says so. */
  readonly output: string | undefined
}

/** The blocks of a page in order; a block of `text` belongs to the one before it. */
export function readBlocks(page: string): Block[] {
  const blocks: Block[] = []
  let section = ''
  for (const [, heading, language, text = ''] of readFileSync(page, 'utf8').matchAll(
    /^(?:## (.+)|```(\w+)\n([\s\S]*?)\n```)$/gm,
  )) {
    if (heading !== undefined) section = heading
    else if (language === 'text') blocks.push({ ...(blocks.pop() as Block), output: text })
    else blocks.push({ section, language: language ?? '', text, output: undefined })
  }
  return blocks
}

const figure = /\d+\.\d+/g

/** What stays the same between two runs, times and versions aside, and the figures in it, which do nearly. */
export function steady(output: string): { words: string; figures: number[] } {
  const timeless = output
    .replace(/\d{4}-\d{2}-\d{2}(T[\d:.]+\+00:00)?/g, 'DATE')
    .replace(/\d+\.\d+\.\d+/g, 'VERSION')
  return {
    words: timeless.replace(figure, 'N').replace(/\s+/g, ' ').trim(),
    figures: [...timeless.matchAll(figure)].map(([number]) => Number(number)),
  }
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Reader {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** The page's text with the daemon's port made this reader's own. */
  localise(text: string): string
  run(script: string): Promise<Ran>
  leave(): Promise<void>
}

/** Signals a block's processes. False when nothing of it runs any more. */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name)
  } catch {
    return false
  }
}

/** A reader of the page: a repository of one commit, an empty home and `brain` on the path. */
export async function createReader(): Promise<Reader> {
  const root = mkdtempSync(join(tmpdir(), 'brain-reader-'))
  const directory = join(root, 'project')
  for (const name of ['project', 'home', 'bin']) mkdirSync(join(root, name))
  symlinkSync(resolve('bin/brain.js'), join(root, 'bin', 'brain'))
  const port = await ownPort()
  const inherited = Object.entries(process.env).filter(([name]) => !/^(BRAIN_|XDG_|GIT_|npm_)/.test(name))
  const author = { NAME: 'Reader', EMAIL: 'reader@example.com' }
  const environment = {
    ...Object.fromEntries(inherited),
    HOME: join(root, 'home'),
    PATH: `${join(root, 'bin')}:${process.env.PATH}`,
    BRAIN_SERVE_PORT: String(port),
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) =>
        Object.entries(author).map(([what, value]) => [`GIT_${who}_${what}`, value]),
      ),
    ),
  }
  const localise = (text: string): string => text.replaceAll('127.0.0.1:4747', `127.0.0.1:${port}`)
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: directory, env: environment })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'Start the project')
  const groups: number[] = []
  let blocks = 0
  return {
    directory,
    environment,
    localise,
    run: (script) =>
      new Promise((done, fail) => {
        blocks += 1
        // Files, not pipes: a daemon the block leaves running would hold a pipe open.
        const files = ['stdout', 'stderr'].map((name) => join(root, `${blocks}.${name}`))
        const [out = 0, err = 0] = files.map((file) => openSync(file, 'w'))
        const child = spawn('bash', ['-euo', 'pipefail', '-c', localise(script)], {
          cwd: directory,
          env: environment,
          stdio: ['ignore', out, err],
          detached: true,
        })
        if (child.pid !== undefined) groups.push(child.pid)
        child.on('error', fail)
        child.on('exit', (code) => {
          for (const descriptor of [out, err]) closeSync(descriptor)
          const [stdout = '', stderr = ''] = files.map((file) => readFileSync(file, 'utf8'))
          done({ code, stdout, stderr })
        })
      }),
    leave: async () => {
      for (const group of groups) signal(group, 'SIGTERM')
      // What still ends may write once more, and a directory that is written to cannot be removed.
      for (let looks = 0; looks < 100 && groups.some((group) => signal(group, 0)); looks += 1) await sleep(50)
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/**
 * Asks git about a directory: branch, commits, changed files. Knows how to ask a repository that is not trusted: nothing
 * that its configuration names is run, and a slow answer is no answer.
 */
import { execFile, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type Checkout, findReference, isHash, readCheckout } from '../config/checkout.ts'
import { BrainError } from '../core/errors.ts'
import { excerptOf } from '../core/excerpt.ts'

export interface Commit {
  readonly hash: string
  readonly subject: string
  readonly body: string
  readonly paths: readonly string[]
}

/** The repository's own programs stay out: monitors, hooks, pagers, credential helpers, signature checks. */
const quiet = [
  '--no-optional-locks',
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'credential.helper=',
    'log.showSignature=false',
    // A repository can bring another one, bare, as plain files, with settings of its own.
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
]

const maxOutput = 256 * 1024

const placeOf = (directory: string) => ({
  cwd: directory,
  windowsHide: true,
  env: {
    ...process.env,
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    // What a partial clone lacks is not fetched: its configuration names the program, or the host.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  },
})

/** What git prints, without its last line end; undefined where there is no git, no repository, or no answer in time. */
async function ask(
  directory: string,
  words: readonly string[],
  milliseconds: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { ...placeOf(directory), timeout: milliseconds, maxBuffer: maxOutput }
    execFile('git', [...quiet, ...words], options, (error, output) => {
      resolve(error === null ? output.trimEnd() : undefined)
    })
  })
}

/** What begins an entry of a long answer; a format asks git to print it. */
const entryMark = 0x01
/** Of an entry no more is held, in bytes: a commit may have any message and name any number of files. */
const maxEntryBytes = 2 ** 20
/** How long git may be silent in a long answer, in milliseconds. */
const idleTimeout = 60_000

/** The pieces of a stream; undefined once it has been silent for so many milliseconds. */
async function* piecesOf(stream: Readable, silence: number): AsyncGenerator<Buffer | undefined> {
  const pieces = stream[Symbol.asyncIterator]()
  for (;;) {
    let alarm: NodeJS.Timeout | undefined
    const timeout = new Promise<undefined>((settle) => {
      alarm = setTimeout(settle, silence, undefined)
    })
    const next = await Promise.race([pieces.next(), timeout]).finally(() => clearTimeout(alarm))
    if (next === undefined) yield undefined
    if (next === undefined || next.done === true) return
    yield next.value
  }
}

/**
 * The entries of a long answer, one by one as they are asked for, the beginning alone of those above `maxEntryBytes`;
 * none where git has no answer. @throws BrainError `invalid` where it breaks off, or is silent for `silence` milliseconds.
 */
async function* askEntries(
  directory: string,
  words: readonly string[],
  silence = idleTimeout,
): AsyncGenerator<string> {
  const child = spawn('git', [...quiet, ...words], {
    ...placeOf(directory),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<number | null>((settle) => {
    child.once('close', settle)
    child.once('error', () => settle(null))
  })
  let given = 0
  let entry: Buffer[] = []
  let length = 0
  const finish = (): string => {
    const text = Buffer.concat(entry).toString('utf8')
    entry = []
    length = 0
    return text
  }
  const keep = (piece: Buffer): void => {
    const kept = piece.subarray(0, Math.max(0, maxEntryBytes - length))
    // A copy: a piece of a few bytes would keep all of what it was read with.
    if (kept.length > 0) entry.push(Buffer.from(kept))
    length += kept.length
  }
  let silent = false
  try {
    for await (const chunk of piecesOf(child.stdout, silence)) {
      silent = chunk === undefined
      if (chunk === undefined) break
      let from = 0
      for (let mark = chunk.indexOf(entryMark); mark !== -1; mark = chunk.indexOf(entryMark, from)) {
        keep(chunk.subarray(from, mark))
        from = mark + 1
        const text = finish()
        if (text.trim() === '') continue
        given += 1
        yield text
      }
      keep(chunk.subarray(from))
    }
    const whole = !silent && (await ended) === 0
    if (silent || (!whole && (given > 0 || length > 0)))
      throw new BrainError('invalid', `git broke off in the middle of ${directory}: try \`git fsck\` there`)
    if (whole && length > 0) yield finish()
  } finally {
    child.kill()
  }
}

/** All of them. */
async function listEntries(...asked: Parameters<typeof askEntries>): Promise<string[]> {
  const entries: string[] = []
  for await (const entry of askEntries(...asked)) entries.push(entry)
  return entries
}

const lines = (text: string | undefined): string[] =>
  text ? text.split('\n').filter((line) => line !== '') : []

/** Whether git's own files say what is checked out: to ask git costs a process, and a hook is waited for. */
const says = ({ branch, commit }: Checkout): boolean => branch !== null || commit !== null

const defaultBranches = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master']

/** The branch that the remote calls its own, else main or master, whichever is there; its commit where git's own files say it. */
async function findDefaultBranch(
  directory: string,
  milliseconds: number,
): Promise<{ name: string; commit?: string } | undefined> {
  if (says(readCheckout(directory))) return findReference(directory, defaultBranches)
  const listed = await ask(
    directory,
    ['for-each-ref', '--format=%(refname)', ...defaultBranches],
    milliseconds,
  )
  const name = defaultBranches.find((one) => lines(listed).includes(one))
  return name === undefined ? undefined : { name }
}

/** Subjects of the last commits that are not on the default branch, newest first. */
async function readSubjects(directory: string, milliseconds: number): Promise<string[]> {
  const base = await findDefaultBranch(directory, milliseconds)
  // Where the default branch itself is checked out git would be started to find nothing.
  if (base?.commit !== undefined && base.commit === readCheckout(directory).commit) return []
  const range = base === undefined ? ['HEAD'] : ['HEAD', `^${base.name}`]
  const words = ['log', `--max-count=${maxSubjects}`, '--format=%s', ...range, '--']
  return lines(await ask(directory, words, milliseconds))
}

/** What somebody works on in a directory. */
export interface WorkAtHand {
  readonly branch: string | undefined
  /** Subjects of the last commits that are not on the default branch, newest first. */
  readonly subjects: readonly string[]
  /** Paths of changed files, relative to the repository. */
  readonly changed: readonly string[]
}

/** How long each of git's answers may take while somebody waits, in milliseconds. */
const longestWork = 250
const maxSubjects = 3
const maxChanged = 20

/** The branch a directory is on; undefined where there is none. */
async function readBranch(directory: string, milliseconds: number): Promise<string | undefined> {
  const checkout = readCheckout(directory)
  if (says(checkout)) return checkout.branch ?? undefined
  return ask(directory, ['symbolic-ref', '--quiet', '--short', 'HEAD'], milliseconds)
}

/** The work at hand in a directory; undefined where git has nothing to say. Each question has `milliseconds`. */
export async function readWorkAtHand(
  directory: string,
  milliseconds = 1_000,
): Promise<WorkAtHand | undefined> {
  const [branch, subjects, status] = await Promise.all([
    readBranch(directory, milliseconds),
    readSubjects(directory, milliseconds),
    // Names ended by NUL are as they are; otherwise git would quote some.
    ask(
      directory,
      ['status', '--porcelain=v1', '-z', '--untracked-files=normal', '--no-renames'],
      milliseconds,
    ),
  ])
  if (branch === undefined && status === undefined) return undefined
  const changed = (status ?? '')
    .split('\0')
    .map((entry) => entry.slice(3))
    .filter((path) => path !== '' && !path.startsWith('.brain/'))
  return { branch, subjects, changed: changed.slice(0, maxChanged) }
}

/** Characters of a subject or a path that are looked for: whoever pushed a branch wrote them, at any length. */
const maxPart = 200

/** The work at hand as one text to look for; empty where it says nothing. */
export function describeWork({ branch, subjects, changed }: WorkAtHand): string {
  const named = branch === undefined || /^(?:main|master|trunk|develop)$/.test(branch) ? '' : branch
  return [named.replace(/[/_-]+/g, ' '), ...subjects, ...changed]
    .filter((part) => part !== '')
    .map((part) => excerptOf(part, maxPart))
    .join('\n')
}

/** The work at hand as one text, for a caller who waits; undefined where there is none, or git takes long. Never rejects. */
export async function findWork(directory: string): Promise<string | undefined> {
  const work = await readWorkAtHand(directory, longestWork)
  return (work && describeWork(work)) || undefined
}

/** The commit a directory is at; undefined where there is none. */
export const readHead = async (directory: string, milliseconds = 1_000): Promise<string | undefined> =>
  readCheckout(directory).commit ?? ask(directory, ['rev-parse', '--verify', '--quiet', 'HEAD'], milliseconds)

/**
 * How git notes, of each move of HEAD, that a commit was made here: what was pulled is others', and stands in their own
 * brains.
 */
const madeHere = /^(\w+) (?:commit|cherry-pick|revert|am|rebase)\b/
const maxMoves = 200

/** The commits that were made in a directory; undefined where git keeps no account of that. */
async function readMade(directory: string, milliseconds: number): Promise<Set<string> | undefined> {
  const words = ['log', '--walk-reflogs', `--max-count=${maxMoves}`, '--format=%x01%H %gs', 'HEAD', '--']
  const moves = await listEntries(directory, words, milliseconds)
  return moves.length === 0 ? undefined : new Set(moves.flatMap((move) => madeHere.exec(move)?.[1] ?? []))
}

/**
 * Commits made here after `since`, up to where the directory is now, oldest first, merges left out; of all that came
 * since at most the newest `limit` are looked at. None where `since` is no commit any more, undefined where git takes
 * too long to say.
 */
export async function readCommitsSince(
  directory: string,
  since: string,
  { limit, milliseconds = 1_000 }: { limit: number; milliseconds?: number },
): Promise<Commit[] | undefined> {
  if (!isHash(since)) return []
  const format = '--format=%x01%H%x00%s%x00%b%x00'
  const options = [`--max-count=${limit}`, '--no-merges', '--name-only', '--no-renames', format]
  const words = ['log', ...options, 'HEAD', `^${since}`, '--']
  try {
    const [entries, made] = await Promise.all([
      listEntries(directory, words, milliseconds),
      readMade(directory, milliseconds),
    ])
    return entries.flatMap((entry) => toCommit(entry, made) ?? []).reverse()
  } catch (error) {
    if (error instanceof BrainError) return undefined
    throw error
  }
}

function toCommit(entry: string, made: ReadonlySet<string> | undefined): Commit | undefined {
  const [hash = '', subject, body = '', paths = ''] = entry.split('\0')
  if (!isHash(hash) || !subject || made?.has(hash) === false) return undefined
  return { hash, subject, body: body.trim(), paths: lines(paths.trim()) }
}

const versionBump =
  /^(?:v?\d+\.\d+(?:\.\d+)?\S*|(?:chore(?:\(release\))?:\s*)?(?:bump|release|prepare|set)\b.*\b(?:version|v?\d+\.\d+)\b.*)$/i

/** A commit as history tells it: when, what, and whether it took another one back. */
export interface HistoryEntry extends Commit {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The subject of the commit that it reverts; undefined where it reverts none. */
  readonly reverts: string | undefined
}

/** The last commits of a directory's branch, newest first, without merges and mere changes of version, as they are asked for. */
export async function* readHistory(directory: string, limit: number): AsyncGenerator<HistoryEntry> {
  // What may be long comes last: the end of it is not kept.
  const format = '--format=%x01%H%x00%cI%x00%s%x00%b%x00'
  const options = [`--max-count=${limit}`, '--no-merges', '--name-only', '--no-renames', format]
  for await (const entry of askEntries(directory, ['log', ...options, 'HEAD', '--'])) {
    const [hash = '', time = '', subject, body = '', paths = ''] = entry.split('\0')
    // A message can hold the mark, too: what stands behind it there is no commit.
    if (!isHash(hash) || !subject || versionBump.test(subject)) continue
    const reverts = /^Revert "(.+)"$/.exec(subject)?.[1]
    yield { hash, subject, body: body.trim(), paths: lines(paths.trim()), at: Date.parse(time), reverts }
  }
}

/** A tag with a word of its own: the version that it names, when, and what was said of it. */
export interface Tag {
  readonly name: string
  readonly commit: string
  readonly subject: string
  readonly body: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const maxTags = 10_000

/** A name that is a version's, alone or behind a package's: `v1.2`, `core@1.2.3`. */
const versionName = /(?:^|[@/-])v?\d+\.\d+/

/** The tags of a repository, newest first: those with a word of their own, and those that name a version. */
export async function* readTags(directory: string): AsyncGenerator<Tag> {
  const fields = [
    'refname:strip=2',
    'objectname',
    '*objectname',
    'creatordate:iso-strict',
    'contents:subject',
    'contents:body',
  ]
  const format = `--format=%01${fields.map((field) => `%(${field})`).join('%00')}`
  const words = ['for-each-ref', `--count=${maxTags}`, '--sort=-creatordate', format, 'refs/tags']
  for await (const entry of askEntries(directory, words)) {
    const [name = '', object = '', target = '', time = '', subject = '', body = ''] = entry.split('\0')
    const at = Date.parse(time.trim())
    // A signature is no part of what was said, and what is said of a bare name is its commit's.
    const said = body.replace(/-----BEGIN [\s\S]*$/, '').trim()
    if (target !== '') yield { name, commit: target, subject, body: said, at }
    else if (isHash(object) && versionName.test(name)) yield { name, commit: object, subject, body: '', at }
  }
}

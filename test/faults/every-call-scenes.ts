/**
 * What is interrupted in every one of its system calls, and what has to be true afterwards. Knows each command's promise; not
 * how it is interrupted.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Provenance } from '../../src/config/provenance.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { compiledCode } from '../compiled-code.ts'
import { unpackOldBrain } from '../fixtures/old-brains.ts'
import { startBrain } from './processes.ts'

/** What a process left that was interrupted, or was not. */
export interface After {
  readonly directory: string
  /** null: it was killed. */
  readonly code: number | null
  /** The first line of its output. */
  readonly line: string | undefined
  readonly said: string
}

export interface Scene {
  readonly name: string
  readonly words: readonly string[]
  /** Without an embedder where it is absent. */
  readonly environment?: Readonly<Record<string, string>>
  /** Makes the brain, and what else is needed, in an empty directory. */
  readonly prepare: (directory: string) => Promise<void>
  /** What is wrong, in words. */
  readonly judge: (after: After) => Promise<string[]>
}

/** Outside of what is interrupted, and kept: a command compiles nothing anew, and what it keeps of that is none of the calls. */
export const plain = { ...compiledCode, BRAIN_EMBEDDER: 'none' }

/** Runs a command to its end. @throws Error with what it said where it fails. */
async function runOf(
  directory: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = plain,
): Promise<string> {
  const running = startBrain(directory, words, { environment, workingDirectory: directory })
  running.child.stdin?.end()
  const line = await running.firstLine
  const code = await running.ended
  if (code !== 0) throw new Error(`brain ${words.join(' ')} ended with ${code}: ${running.said()}`)
  return line ?? ''
}

const brainOf = (directory: string): string => join(directory, '.brain', 'brain.db')

/** Opens the brain as the next command would. */
async function withNext<T>(directory: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(brainOf(directory), {
    durability: 'normal',
    create: false,
    label: 'drill judge',
    warn: () => {},
    provenance: new Provenance({ HOME: directory }),
  })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function textsOf({ memories, maintenance }: Store): Promise<string[]> {
  const texts: string[] = []
  for (const project of await maintenance.projects())
    texts.push(...(await memories.list(project, { after: 0, limit: 10_000 })).map(({ text }) => text))
  return texts.sort()
}

const troublesOf = async ({ maintenance }: Store): Promise<string[]> =>
  (await maintenance.check()).filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`)

/** What the next command finds: every text, and what a check-up complains of. */
const lookAt = (directory: string): Promise<{ texts: string[]; troubles: string[] }> =>
  withNext(directory, async (store) => ({ texts: await textsOf(store), troubles: await troublesOf(store) }))

const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, at) => text === right[at])

/** The brain has the texts it had, or those it was to have; those where the command said that it was done. */
async function judgeTexts(
  after: After,
  { before, done: wanted }: { before: readonly string[]; done: readonly string[] },
): Promise<string[]> {
  const { texts, troubles } = await lookAt(after.directory)
  const [old, done] = [same(texts, [...before].sort()), same(texts, [...wanted].sort())]
  const faults = [...troubles]
  if (!old && !done)
    faults.push(`${texts.length} texts: neither the ${before.length} before nor the ${wanted.length}`)
  if (after.code === 0 && !done) faults.push('acknowledged, and not there')
  if (after.code !== 0 && done && !same(before, wanted) && /nothing was (written|changed)/.test(after.said))
    faults.push(`done, and yet said: ${after.said}`)
  return faults
}

const notes = Array.from({ length: 40 }, (_, at) => `note ${at} of the harbour, its cranes and its keepers`)
const added = 'the ferry leaves from pier seven'

const writeLines = (file: string, texts: readonly string[]): void =>
  writeFileSync(file, texts.map((text) => `${JSON.stringify({ text })}\n`).join(''))

async function fill(
  directory: string,
  texts: readonly string[],
  environment: Readonly<Record<string, string>> = plain,
): Promise<void> {
  await runOf(directory, ['init', '--yes'], environment)
  const file = join(directory, 'notes.jsonl')
  writeLines(file, texts)
  await runOf(directory, ['import', file], environment)
}

const write: Scene = {
  name: 'write',
  words: ['remember', added, '--json'],
  prepare: (directory) => fill(directory, notes),
  judge: (after) => judgeTexts(after, { before: notes, done: [...notes, added] }),
}

/** An older brain's texts, read once. */
let older: string[] | undefined

const migration: Scene = {
  name: 'migration',
  words: ['remember', added, '--json'],
  prepare: async (directory) => {
    unpackOldBrain('ordinary', directory)
    if (older !== undefined) return
    const read = join(directory, 'read')
    unpackOldBrain('ordinary', read)
    older = (await lookAt(read)).texts
    execFileSync('rm', ['-r', read])
  },
  judge: (after) => judgeTexts(after, { before: older ?? [], done: [...(older ?? []), added] }),
}

const kept = ['first', 'second', 'third'].map((word) => `the ${word} light at the harbour's mouth`)

const reindex: Scene = {
  name: 'reindex',
  words: ['reindex', '--json'],
  environment: compiledCode,
  prepare: async (directory) => {
    // Vectors of an earlier model, and of another beside them.
    unpackOldBrain('half-reindexed', directory)
    older = undefined
    await runOf(directory, ['remember', added])
  },
  judge: async (after) => {
    const { texts, troubles } = await lookAt(after.directory)
    const faults = [...troubles]
    if (texts.length !== 41) faults.push(`${texts.length} texts instead of 41`)
    await runOf(after.directory, ['reindex'], compiledCode)
    const left = await withNext(after.directory, (store) => troublesOf(store))
    const complaint = /"check":"(?:models|vectors[^"]*)","ok":(\w+),"detail":"([^"]*)"/g
    const doctor = await runOf(after.directory, ['doctor', '--json'], compiledCode).catch(String)
    for (const [, ok, detail] of doctor.matchAll(complaint)) if (ok === 'false') faults.push(detail ?? '')
    return [...faults, ...left.map((trouble) => `after the next one: ${trouble}`)]
  },
}

const backup: Scene = {
  name: 'backup',
  words: ['backup', 'copies/copy.db', '--json'],
  prepare: async (directory) => {
    await fill(directory, notes)
    execFileSync('mkdir', ['-m', '700', join(directory, 'copies')])
  },
  judge: async (after) => {
    const faults = await judgeTexts(after, { before: notes, done: notes })
    const copy = join(after.directory, 'copies', 'copy.db')
    if (!existsSync(copy)) return after.code === 0 ? [...faults, 'acknowledged, and not there'] : faults
    const elsewhere = join(after.directory, 'elsewhere')
    execFileSync('mkdir', ['-m', '700', elsewhere])
    await runOf(elsewhere, ['restore', copy])
    return [
      ...faults,
      ...(await judgeTexts({ ...after, directory: elsewhere }, { before: notes, done: notes })),
    ]
  },
}

const restore: Scene = {
  name: 'restore',
  words: ['restore', 'copy.db', '--json'],
  prepare: async (directory) => {
    await fill(directory, kept)
    await runOf(directory, ['backup', 'copy.db'])
    await runOf(directory, ['remember', added])
  },
  judge: (after) => judgeTexts(after, { before: [...kept, added], done: kept }),
}

const more = Array.from({ length: 60 }, (_, at) => `line ${at} about tides, moorings and ropes`)

const importing: Scene = {
  name: 'import',
  words: ['import', 'more.jsonl', '--json'],
  prepare: async (directory) => {
    await fill(directory, kept)
    writeLines(join(directory, 'more.jsonl'), more)
  },
  judge: async (after) => {
    const faults = await judgeTexts(after, { before: kept, done: [...kept, ...more] })
    // Without the staging area it was over, or had not begun; with it the next one goes on.
    const over = (await lookAt(after.directory)).texts.length > kept.length
    if (over && !existsSync(join(after.directory, '.brain', 'import.db'))) return faults
    await runOf(after.directory, ['import', 'more.jsonl'])
    const again = { ...after, code: 0 }
    return [...faults, ...(await judgeTexts(again, { before: kept, done: [...kept, ...more] }))]
  },
}

const secret = 'qzvxjw kkprfd wyyhgb zzmtqc xvvnlj ddgwhq jjkxzp bbwqfv'

/** Runs of six bytes of the secret that stand in any file of the brain, or of what it shared. */
function piecesLeft(directory: string, below = '.brain'): string[] {
  const files = execFileSync('find', [join(directory, below), '-type', 'f', '-print0'], {
    encoding: 'utf8',
  })
  return files
    .split('\0')
    .filter((file) => file !== '')
    .flatMap((file) => {
      const bytes = readFileSync(file)
      for (let at = 0; at + 6 <= secret.length; at += 1) {
        const piece = secret.slice(at, at + 6)
        if (bytes.includes(piece)) return [`"${piece}" is left in ${file.slice(directory.length + 1)}`]
      }
      return []
    })
}

const crowd = Array.from(
  { length: 40 },
  (_, at) => `note ${at} ${'of ships and sheds '.repeat(1 + (at % 9))}`,
)

const forget: Scene = {
  name: 'forget',
  words: ['forget', '21', '--json'],
  prepare: (directory) => fill(directory, [...crowd.slice(0, 20), secret, ...crowd.slice(20)], compiledCode),
  judge: async (after) => {
    // What it could not finish, it said, and the remedy.
    if (/is forgotten, but/.test(after.said)) await runOf(after.directory, ['doctor', '--fix'])
    const faults = await judgeTexts(after, { before: [...crowd, secret], done: crowd })
    const gone = await withNext(after.directory, async (store) => !(await textsOf(store)).includes(secret))
    if (!gone) return faults
    // The commit's bytes stand in the log by then, and whether a failed fsync wrote them the kernel does not tell, nor
    // does the next one that succeeds: neither "nothing was written" nor "forgotten" would be true, so that it says
    // that it is not known.
    if (after.code !== 0 && after.code !== null && !/is forgotten|already|is not known/.test(after.said))
      faults.push(`gone, and said: ${after.said}`)
    return [...faults, ...piecesLeft(after.directory)]
  },
}

const sharing: Scene = {
  name: 'share',
  words: ['share', '--json'],
  prepare: async (directory) => {
    await fill(directory, [secret, ...kept])
    await runOf(directory, ['tag', '1', 'harbour'])
  },
  // Whatever of it was given, what is forgotten since comes back to nobody, and the others are told.
  judge: async ({ directory }) => {
    await runOf(directory, ['forget', '1'])
    await runOf(directory, ['share', '--pull'])
    const faults = (await lookAt(directory)).texts.includes(secret) ? ['what was forgotten came back'] : []
    await runOf(directory, ['share'])
    const shared = join(directory, '.brain-shared')
    if (!existsSync(shared)) return [...faults, 'nothing is shared']
    const given = JSON.parse(await runOf(directory, ['share', '--dry-run', '--json'])) as object
    if (Object.keys('would_share' in given ? Object(given.would_share) : {}).length > 0)
      faults.push('not all is shared')
    return [...faults, ...piecesLeft(directory, '.brain-shared')]
  },
}

const initialising: Scene = {
  name: 'init',
  words: ['init', '--yes', '--json'],
  prepare: async () => {},
  judge: async (after) => {
    if (after.code === 0 && !existsSync(brainOf(after.directory))) return ['acknowledged, and not there']
    await runOf(after.directory, ['init', '--yes'])
    return judgeTexts(after, { before: [], done: [] })
  },
}

const exporting: Scene = {
  name: 'export',
  words: ['export', '--output', 'copies/out.jsonl', '--json'],
  prepare: backup.prepare,
  judge: async (after) => {
    const faults = await judgeTexts(after, { before: notes, done: notes })
    const file = join(after.directory, 'copies', 'out.jsonl')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : undefined
    if (after.code === 0 && lines === undefined) faults.push('acknowledged, and not there')
    if (lines !== undefined && !lines.at(-1)?.includes('"type":"end"')) faults.push('half an export')
    return faults
  },
}

const rotation: Scene = {
  name: 'key rotate',
  words: ['key', 'rotate', 'KEY', '--json'],
  prepare: async (directory) => {
    await fill(directory, kept)
    const { id } = JSON.parse(await runOf(directory, ['key', 'create', '--json'])) as { id: string }
    writeFileSync(join(directory, 'KEY'), id)
  },
  judge: async (after) => {
    const faults = await judgeTexts(after, { before: kept, done: kept })
    const old = readFileSync(join(after.directory, 'KEY'), 'utf8')
    const keys = await withNext(after.directory, (store) => store.keys.list())
    const shown = /"id":"(\w+)"/.exec(after.line ?? '')?.[1]
    const live = keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt === null)
    if (!live.some(({ id }) => id === old || id === shown)) faults.push('no key is left that anybody knows')
    if (after.code === 0 && live.some(({ id }) => id === old))
      faults.push('acknowledged, and the old key opens')
    return faults
  },
}

/** Dreams of a night that nobody interrupted. */
let dreamt: number | undefined

const night: Scene = {
  name: 'dream',
  words: ['dream', '--seed', '1', '--json'],
  prepare: async (directory) => {
    const shop = JSON.parse(readFileSync('test/dreams/bicycle-shop.json', 'utf8')) as {
      notes: { at: string; agent: string; text: string; caution?: number }[]
    }
    await runOf(directory, ['init', '--yes'])
    const lines = shop.notes.map(({ at, agent, text, caution }) =>
      JSON.stringify({ agent, text, caution, created_at: `${at}:00Z` }),
    )
    writeFileSync(join(directory, 'shop.jsonl'), lines.join('\n'))
    await runOf(directory, ['import', 'shop.jsonl'])
    dreamt = undefined
  },
  judge: async (after) => {
    const { troubles } = await lookAt(after.directory)
    const dreams = await withNext(after.directory, (store) => store.dreams.list('default', { limit: 100 }))
    // The first to be judged was not interrupted.
    dreamt ??= dreams.length
    if (after.code === 0 && dreams.length !== dreamt) troubles.push('acknowledged, and not all there')
    if (dreams.length !== 0 && dreams.length !== dreamt)
      troubles.push(`${dreams.length} dreams of ${dreamt}: half a night`)
    return troubles
  },
}

export const scenes: readonly Scene[] = [
  write,
  migration,
  reindex,
  backup,
  restore,
  importing,
  forget,
  sharing,
  initialising,
  exporting,
  rotation,
  night,
]

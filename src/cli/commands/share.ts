/** `brain share`: puts what a project knows into a folder that git carries, and takes in what others put there. */

import { join } from 'node:path'
import type { Command } from 'commander'
import type { Brain, Caller } from '../../brain.ts'
import { findCitedDirectory } from '../../config/cited-directory.ts'
import { count, counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import { excerptOf } from '../../core/excerpt.ts'
import type { EasedFlag } from '../../transfer/share/eased-flags.ts'
import type { SharedFolder } from '../../transfer/share/folder.ts'
import type { Named } from '../../transfer/share/keeping-back.ts'
import type { KnownFiles } from '../../transfer/share/known-files.ts'
import type { Pulled } from '../../transfer/share/pull.ts'
import type { Shared } from '../../transfer/share/share.ts'
import { interruptible } from '../interrupt.ts'
import { minute } from '../render/output.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Options {
  readonly pull?: boolean
  readonly tag?: readonly string[]
  readonly all?: boolean
  readonly dryRun?: boolean
  readonly forgetMany?: boolean
}

const kinds = ['memory', 'flag', 'belief', 'prediction', 'observation'] as const

const isKind = (word: string): boolean => kinds.some((kind) => kind === word)

/** Records by the words that name them: `12 13`, `belief 3`. @throws BrainError `invalid`. */
function namedRecords([first, ...rest]: readonly string[]): Set<string> {
  if (first === undefined) return new Set()
  const kind = isKind(first) ? first : 'memory'
  const ids = isKind(first) ? rest : [first, ...rest]
  if (ids.length === 0) throw new BrainError('invalid', 'id is required')
  const wrong = ids.find((id) => !/^[1-9]\d{0,15}$/.test(id))
  if (wrong !== undefined) throw new BrainError('invalid', 'id must be a positive integer')
  return new Set(ids.map((id) => `${kind === 'flag' ? 'memory' : kind} ${id}`))
}

/** @throws BrainError `invalid` for options that do not go together. */
function requireSuitable(session: Session, words: readonly string[], options: Options): void {
  if (session.isPersonal)
    throw new BrainError('invalid', "the person's own brain is shared with nobody: leave --global out")
  const names = words.length > 0 || options.all === true || (options.tag?.length ?? 0) > 0
  if (options.pull === true && (names || options.dryRun === true))
    throw new BrainError('invalid', '--pull takes in everything that is there: name nothing beside it')
}

const words = {
  memory: ['memory', 'memories'],
  version: ['edit', 'edits'],
  merge: ['merge', 'merges'],
  marks: ['change of tags, ends or places', 'changes of tags, ends or places'],
  belief: ['belief', 'beliefs'],
  evidence: ['event of evidence', 'events of evidence'],
  succession: ['revision', 'revisions'],
  prediction: ['prediction', 'predictions'],
  forecast: ['forecast', 'forecasts'],
  resolution: ['resolution', 'resolutions'],
  reopening: ['reopening', 'reopenings'],
  observation: ['observation', 'observations'],
} as const satisfies Record<keyof Shared['written'], readonly [string, string]>

function describe(counts: Shared['written'], forgotten: number): string {
  const parts = Object.entries(words).flatMap(([type, [one, many]]) => {
    const count = counts[type as keyof typeof words] ?? 0
    return count === 0 ? [] : [counted(count, one, many)]
  })
  if (forgotten > 0) parts.push(`${counted(forgotten, 'record')} to forget`)
  return parts.length === 0 ? 'nothing new' : parts.join(', ')
}

function renderShared(
  shared: Shared,
  { style, dryRun, directory }: { style: Style; dryRun: boolean; directory: string },
): string {
  const kept = Object.entries(shared.keptBack).map(([reason, records]) => `${count(records)} ${reason}`)
  const done = dryRun ? 'would share' : 'shared'
  const lines = [
    `${style.green(done)} ${describe(shared.written, shared.forgotten)} in ${visible(directory)}`,
  ]
  if (dryRun) {
    for (const { kind, id, text } of shared.given)
      lines.push(`  ${kind} ${id}  ${visible(excerptOf(text, 160))}`)
  }
  if (shared.forgotten > 0) lines.push("git's history keeps what was shared: revoke a secret that was pushed")
  if (kept.length > 0) {
    lines.push(
      style.dim(`kept back: ${kept.join(', ')}; name what is to be shared all the same: brain share ID`),
    )
  }
  return lines.join('\n')
}

/** What others did to a flag, a line for each, with what takes it back. */
function describeEased({ id, text, caution, expires_at, now }: EasedFlag): string[] {
  const shown = (words: string): string => visible(excerptOf(words, 160))
  if (now === null)
    return [`others forgot flag ${id}, of caution ${caution} (\`brain flag\` warns again): ${shown(text)}`]
  const lines: string[] = []
  if (now.expires_at !== null && (expires_at === null || now.expires_at < expires_at)) {
    const back = `\`brain expire ${id} ${expires_at ?? 'never'}\``
    lines.push(
      `others end flag ${id} at ${minute(now.expires_at)} (${back} takes that back): ${shown(now.text)}`,
    )
  }
  if (now.caution < caution) {
    const back = `\`brain edit ${id} --caution ${caution}\``
    const less = now.caution > 0 ? `milder, ${now.caution} in place of ${caution}` : 'an ordinary memory'
    lines.push(`others made flag ${id} ${less} (${back} takes that back): ${shown(now.text)}`)
  }
  if (now.text !== text)
    lines.push(`others reworded flag ${id} (\`brain show ${id}\` has both): ${shown(now.text)}`)
  return lines
}

/** Records that others forgot, named in one line. */
const maxNamed = 20

function renderPulled(
  { taken, forgotten, currentAgain, replaced, resettled, untagged, merged, untold, waiting }: Pulled,
  { style, directory, eased }: { style: Style; directory: string; eased: readonly EasedFlag[] },
): string {
  const lines = [`${style.green('took in')} ${describe(taken, 0)} from ${visible(directory)}`]
  if (forgotten.length > 0) {
    const names = forgotten.slice(0, maxNamed).map(({ kind, id }) => `${kind} ${id}`)
    if (forgotten.length > maxNamed) names.push(`${counted(forgotten.length - maxNamed, 'other')}`)
    lines.push(`forgot ${counted(forgotten.length, 'record')} that others forgot: ${names.join(', ')}`)
  }
  for (const id of currentAgain)
    lines.push(`belief ${id} is current again, as others forgot the one that had replaced it`)
  for (const { id, into } of merged)
    lines.push(
      `${id} is an earlier text of ${into} now, as others merged them: \`brain show ${into}\` has all`,
    )
  for (const id of replaced)
    lines.push(`your edit of ${id} was replaced by a later one: \`brain show ${id}\` has both`)
  for (const { id, was, now } of resettled) {
    const is = now === null ? 'open again' : `${now} now`
    lines.push(
      `prediction ${id}, which was ${was}, is ${is} by what others said: \`brain show prediction ${id}\` has both`,
    )
  }
  for (const { id, tags } of untagged)
    lines.push(`others tagged ${id} anew: it lost ${tags.map(visible).join(', ')}`)
  lines.push(...eased.flatMap(describeEased).map(style.yellow))
  if (untold > 0)
    lines.push(style.dim(`${counted(untold, 'record')} forgotten here: \`brain share\` tells the others`))
  if (waiting > 0)
    lines.push(
      style.dim(
        `${counted(waiting, 'memory waits', 'memories wait')} for a vector: \`brain reindex\` makes them now`,
      ),
    )
  return lines.join('\n')
}

interface Place {
  readonly brain: Brain
  readonly caller: Caller
  readonly folder: SharedFolder
  readonly known: KnownFiles
  readonly signal: AbortSignal
}

/** Opens the brain and the shared folder next to it; what is known of files is saved when `work` ends. */
async function withFolder<T>(
  session: Session,
  work: (place: Place) => Promise<T>,
  { keeps }: { readonly keeps: boolean },
): Promise<{ done: T; directory: string; strange: readonly string[] }> {
  const [{ SharedFolder, sharedDirectoryName }, { KnownFiles }] = await Promise.all([
    import('../../transfer/share/folder.ts'),
    import('../../transfer/share/known-files.ts'),
  ])
  const { terminal } = session
  return session.withBrain('share', (brain, caller) =>
    interruptible(terminal, async (signal) => {
      const place = findCitedDirectory(brain.directory, terminal.workingDirectory)
      const folder = SharedFolder.open(join(place, sharedDirectoryName))
      const holder = { identity: brain.identity(), project: caller.project }
      const known = KnownFiles.read(join(brain.directory, 'shared'), holder)
      try {
        const done = await work({ brain, caller, folder, known, signal })
        return { done, directory: folder.directory, strange: folder.strange }
      } finally {
        // Also of work that stopped halfway: what is in the folder was given.
        if (keeps) await known.keep()
      }
    }),
  )
}

function warnOfStrange(session: Session, strange: readonly string[]): void {
  const [first] = strange
  if (first === undefined) return
  const more = strange.length > 1 ? ` and ${counted(strange.length - 1, 'other')}` : ''
  session.warn(`${first}${more} in the shared folder: no file of brain's, left alone`)
}

/** @throws BrainError `refused` for a record that is named and not there: nothing is shared then. */
async function requireKnown({ records }: Named, brain: Brain, caller: Caller): Promise<void> {
  if (records.size === 0) return
  const { show } = await import('../../operations/show.ts')
  const { parseInput } = await import('../../operations/call.ts')
  for (const record of records) {
    const [kind, id] = record.split(' ')
    await show.run(brain.context(caller), parseInput(show, { kind, id: Number(id) }))
  }
}

async function runShare(session: Session, named: Named, options: Options): Promise<void> {
  const { share } = await import('../../transfer/share/share.ts')
  const dryRun = options.dryRun === true
  const { done, directory, strange } = await withFolder(
    session,
    async ({ brain, caller, folder, known, signal }) => {
      await requireKnown(named, brain, caller)
      return share({
        store: brain.store,
        project: caller.project,
        folder,
        known,
        named,
        now: Date.now(),
        signal,
        dryRun,
        forgetMany: options.forgetMany === true,
      })
    },
    { keeps: !dryRun },
  )
  warnOfStrange(session, strange)
  const { written, given, forgotten, keptBack } = done
  const { style } = session
  await session.print(
    {
      directory,
      [dryRun ? 'would_share' : 'shared']: written,
      records: given,
      forgotten,
      kept_back: keptBack,
    },
    () => renderShared(done, { style, dryRun, directory }),
  )
}

/** @throws BrainError `no-brain` that says what comes first in a fresh clone, and that this comes next. */
function requireBrain(session: Session): void {
  try {
    session.locate()
  } catch (error) {
    if (!(error instanceof BrainError) || error.kind !== 'no-brain') throw error
    const { kind, message } = error
    throw new BrainError(kind, `${message}, then \`brain share --pull\``, { cause: error })
  }
}

async function runPull(session: Session, options: Options): Promise<void> {
  requireBrain(session)
  const { pull } = await import('../../transfer/share/pull.ts')
  let eased: readonly EasedFlag[] = []
  const { done, directory, strange } = await withFolder(
    session,
    ({ brain, caller, folder, known, signal }) =>
      pull({
        context: brain.context(caller),
        folder,
        known,
        signal,
        forgetMany: options.forgetMany === true,
        onEased: (flags) => {
          eased = flags
        },
      }),
    { keeps: true },
  ).catch((error: unknown) => {
    for (const line of eased.flatMap(describeEased)) session.warn(line)
    throw error
  })
  warnOfStrange(session, strange)
  const { taken, forgotten, currentAgain, replaced, resettled, untagged, merged, untold, refused, waiting } =
    done
  for (const { name, why } of refused.slice(0, 5))
    session.warn(`shared file ${name.slice(0, 12)}… ${why}: left alone`)
  if (refused.length > 5) session.warn(`${counted(refused.length - 5, 'more shared file')} left alone`)
  const { style } = session
  await session.print(
    {
      directory,
      taken,
      forgotten: forgotten.length,
      forgotten_records: forgotten,
      current_again: currentAgain,
      replaced,
      resettled,
      untagged,
      merged,
      eased_flags: eased,
      untold,
      refused: refused.length,
      waiting,
    },
    () => renderPulled(done, { style, directory, eased }),
  )
}

export function configureShare(command: Command, open: () => Session): void {
  command
    .argument('[record...]', 'records to share whatever stands in them: 12 13, or belief 3')
    .option('--pull', 'import what others shared, and forget what they forgot')
    .option('--tag <tag...>', 'share captured and redacted memories with this tag, too')
    .option('--all', 'share everything captured or redacted, too')
    .option('--dry-run', 'write nothing; say what would be shared')
    .option('--forget-many', 'let more than ten records, and more than half of all, be forgotten at once')
    .action(async (names: readonly string[], options: Options) => {
      const session = open()
      requireSuitable(session, names, options)
      const named = { records: namedRecords(names), tags: options.tag ?? [], all: options.all === true }
      await (options.pull === true ? runPull(session, options) : runShare(session, named, options))
    })
}

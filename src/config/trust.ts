/**
 * The projects whose settings the user trusts. A `.brain/config.json` may have come with a cloned repository:
 * endpoints and addresses in it take effect only after the user has reviewed it. The list is the user's, kept outside
 * every project, by directory and exact content.
 */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { mayBeTracked } from './checkout.ts'
import type { Config, SettingName } from './config.ts'
import { changeSettingsFile, forgetEntry, readSettingsFile } from './settings-file.ts'

/** Settings that reach outside the project, whatever their value: where texts are sent, which secret goes along, who may call. */
const guarded: ReadonlySet<string> = new Set<SettingName>([
  'embedder.url',
  'embedder.key_env',
  'dream.llm.url',
  'dream.llm.key_env',
  'serve.host',
])

/** Settings by which a user may ask for more than the default, and their values, the laxest first. */
const laxestFirst = {
  'gate.danger': ['tell', 'ask', 'deny'],
  durability: ['normal', 'full'],
} as const satisfies { [Name in SettingName]?: readonly Config[Name][] }

/**
 * Whether a setting gives up what its user has asked for, or may have, where `own` is not known: to be stopped, nothing
 * lost, and nothing captured.
 */
function weakens(
  setting: string,
  value: unknown,
  own: Readonly<Record<string, unknown>> | undefined,
): boolean {
  if (setting.startsWith('capture.')) return value !== false
  const ranks: readonly unknown[] | undefined = (laxestFirst as Record<string, readonly unknown[]>)[setting]
  if (ranks === undefined) return false
  const asked = own === undefined ? ranks.at(-1) : own[setting]
  return ranks.indexOf(value) < ranks.indexOf(asked)
}

/** Settings by which other records, or none, are what is judged by. */
const displacing: ReadonlySet<string> = new Set<SettingName>([
  'project',
  'embedder',
  'embedder.model',
  'sprt.alpha',
  'sprt.beta',
])

/** Whether a setting reaches outside the project: where texts go, or who may come. */
export const reachesOut = (setting: string, value: unknown): boolean =>
  guarded.has(setting) || (setting === 'embedder' && value === 'http')

type Values = Readonly<Record<string, unknown>>

const displaces = (setting: string, value: unknown, own: Values | undefined): boolean =>
  displacing.has(setting) && value !== own?.[setting]

/** Whether any of a project's settings may need trust, wherever its file came from. */
export const mayNeedTrust = (values: Values, own?: Values): boolean =>
  Object.entries(values).some(
    ([setting, value]) =>
      reachesOut(setting, value) || weakens(setting, value, own) || displaces(setting, value, own),
  )

/**
 * The settings of a project's file that need trust; `own` are the user's, as far as they are known. Another project,
 * embedder or error rate disarms warnings no less than a lax gate does, but people set these by hand, too: they need it
 * where the file may have come with a repository.
 */
export function guardedOf(file: string, values: Values, own?: Values): Record<string, unknown> {
  const settings = Object.entries(values)
  const tracked = settings.some(([setting, value]) => displaces(setting, value, own)) && mayBeTracked(file)
  return Object.fromEntries(
    settings.filter(
      ([setting, value]) =>
        reachesOut(setting, value) ||
        weakens(setting, value, own) ||
        (tracked && displaces(setting, value, own)),
    ),
  )
}

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex')

/** The user's record of trusted projects, in `file`. */
export class TrustRecord {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** Whether this content of the settings in `directory` was trusted. */
  holds(directory: string, content: string): boolean {
    return readSettingsFile(this.#file).values[realpathSync(directory)] === digestOf(content)
  }

  /** Trusts the settings in `directory` as long as their content is `content`. */
  add(directory: string, content: string): void {
    const entry = { [realpathSync(directory)]: digestOf(content) }
    changeSettingsFile(this.#file, (values) => ({ ...values, ...entry }))
  }

  /** Returns whether there was something to forget. */
  remove(directory: string): boolean {
    return forgetEntry(this.#file, realpathSync(directory))
  }
}

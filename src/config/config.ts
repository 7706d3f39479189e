/**
 * The settings of a brain: their names, types, defaults and precedence (flag, environment, the project's
 * file, the user's file, default). Pure: who calls reads the files and the environment.
 */

import { defaultProject, unnamedAgent } from '../core/agent-names.ts'
import { embedderForms, isEmbedder } from '../core/embedders.ts'
import { BrainError } from '../core/errors.ts'
import { maxNameLength } from '../core/limits.ts'
import { controlCharacters, decimalNumber } from '../core/patterns.ts'
import type { ErrorRates } from '../core/sprt.ts'
import { addressesOf, isDatabase, wrongParameter } from '../core/store-address.ts'

/** What danger before an agent's tool leads to: a question to the person, a refusal, or a message to the model. */
const gateChoices = ['ask', 'deny', 'tell'] as const
export type GateChoice = (typeof gateChoices)[number]

const durabilities = ['full', 'normal'] as const

export interface Config {
  readonly embedder: string
  readonly 'embedder.url': string | null
  readonly 'embedder.model': string | null
  readonly 'embedder.key_env': string | null
  readonly 'sprt.alpha': number
  readonly 'sprt.beta': number
  readonly 'dream.at': string
  readonly 'dream.max': number
  readonly 'dream.llm.url': string | null
  readonly 'dream.llm.model': string | null
  readonly 'dream.llm.key_env': string | null
  readonly durability: (typeof durabilities)[number]
  readonly 'serve.host': string
  readonly 'serve.port': number
  readonly 'gate.danger': GateChoice
  /** Whether a daemon runs due checks of predictions; only in the user's own settings. */
  readonly 'check.run': boolean
  readonly 'capture.lines': boolean
  readonly 'capture.summaries': boolean
  readonly 'capture.commits': boolean
  readonly 'capture.fixes': boolean
  /** The database that holds the brain, instead of a file; only in the user's own settings. */
  readonly 'store.url': string | null
  /** A file with that database's password; only in the user's own settings. */
  readonly 'store.password_file': string | null
  readonly agent: string
  readonly project: string
}

/** The error rates of the sequential test. */
export const ratesOf = (config: Config): ErrorRates => ({
  alpha: config['sprt.alpha'],
  beta: config['sprt.beta'],
})

export type SettingName = keyof Config

export const defaults: Config = {
  embedder: 'builtin',
  'embedder.url': null,
  'embedder.model': null,
  'embedder.key_env': null,
  'sprt.alpha': 0.05,
  'sprt.beta': 0.1,
  'dream.at': '03:00',
  'dream.max': 5,
  'dream.llm.url': null,
  'dream.llm.model': null,
  'dream.llm.key_env': null,
  durability: 'full',
  'serve.host': '127.0.0.1',
  'serve.port': 4747,
  'gate.danger': 'ask',
  'check.run': false,
  'capture.lines': true,
  'capture.summaries': true,
  'capture.commits': true,
  'capture.fixes': true,
  'store.url': null,
  'store.password_file': null,
  agent: unnamedAgent,
  project: defaultProject,
}

const personal: ReadonlySet<string> = new Set<SettingName>(['check.run', 'store.url', 'store.password_file'])

/** Settings that a project can never set, trusted or not: they are each user's own. */
export const isPersonal = (name: string): boolean => personal.has(name)

export const settingNames = Object.keys(defaults) as SettingName[]

/**
 * The environment variable of a setting: `BRAIN_SPRT_ALPHA` for `sprt.alpha`; for the store, which has only one
 * setting there, `BRAIN_STORE`.
 */
export const environmentName = (name: SettingName): string =>
  name === 'store.url' ? 'BRAIN_STORE' : `BRAIN_${name.replace(/\./g, '_').toUpperCase()}`

/** A source of settings: its name for messages and its values, typed or as text. */
export interface SettingSource {
  readonly name: string
  readonly values: Readonly<Record<string, unknown>>
}

/** @throws BrainError `invalid` naming the setting and its source. */
export type SettingCheck = (value: unknown) => unknown

const refuse = (rule: string): never => {
  throw new BrainError('invalid', rule)
}

const textual: SettingCheck = (value) =>
  typeof value === 'string' && value.trim() !== '' ? value : refuse('must be a non-empty string')

const numeric =
  (lo: number, hi: number, integer = false): SettingCheck =>
  (value) => {
    const parsed = typeof value === 'string' && decimalNumber.test(value.trim()) ? Number(value) : value
    const fits =
      typeof parsed === 'number' && parsed >= lo && parsed <= hi && (!integer || Number.isInteger(parsed))
    return fits ? parsed : refuse(`must be ${integer ? 'an integer' : 'a number'} between ${lo} and ${hi}`)
  }

const matching =
  (pattern: RegExp, rule: string): SettingCheck =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(`must be ${rule}`)

const oneOf =
  (values: readonly string[]): SettingCheck =>
  (value) =>
    values.some((one) => one === value)
      ? value
      : refuse(`must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`)

const httpUrl: SettingCheck = (value) =>
  typeof value === 'string' && /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : '')
    ? value
    : refuse('must be an http or https URL')

/** An address is shown, logged and visible in process lists: the password is kept elsewhere. */
const databaseUrl: SettingCheck = (value) => {
  const addresses = typeof value === 'string' ? addressesOf(value) : []
  const urls = addresses.filter((one) => URL.canParse(one)).map((one) => new URL(one))
  if (urls.length < Math.max(1, addresses.length) || !urls.every(({ protocol }) => isDatabase(protocol)))
    return refuse('must be an address such as postgres://user@host/database')
  const secret = urls.some(
    ({ password, searchParams }) =>
      password !== '' || [...searchParams.keys()].some((name) => /password|passfile/i.test(name)),
  )
  if (secret)
    return refuse(
      'must hold no password: put it into PGPASSWORD, ~/.pgpass or a file that store.password_file names, and leave it out here',
    )
  const wrong = urls.map(wrongParameter).find((rule) => rule !== undefined)
  return wrong === undefined ? value : refuse(wrong)
}

const switched: SettingCheck = (value) => {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : refuse('must be true or false')
}

const name: SettingCheck = (value) => {
  const text = textual(value) as string
  if (controlCharacters.test(text)) refuse('must not contain control characters')
  if ([...text.trim()].length > maxNameLength) refuse(`must be at most ${maxNameLength} characters`)
  return text.trim()
}

const checks: Record<SettingName, SettingCheck> = {
  embedder: (value) =>
    typeof value === 'string' && isEmbedder(value) ? value : refuse(`must be ${embedderForms}`),
  'embedder.url': httpUrl,
  'embedder.model': textual,
  'embedder.key_env': matching(/^[A-Za-z_]\w*$/, 'the name of an environment variable'),
  // Above a half the boundaries would cross: promote would lie below demote.
  'sprt.alpha': numeric(1e-6, 0.5),
  'sprt.beta': numeric(1e-6, 0.5),
  'dream.at': matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a local time HH:MM'),
  'dream.max': numeric(1, 50, true),
  'dream.llm.url': httpUrl,
  'dream.llm.model': textual,
  'dream.llm.key_env': matching(/^[A-Za-z_]\w*$/, 'the name of an environment variable'),
  durability: oneOf(durabilities),
  'serve.host': textual,
  'serve.port': numeric(0, 65_535, true),
  'gate.danger': oneOf(gateChoices),
  'check.run': switched,
  'capture.lines': switched,
  'capture.summaries': switched,
  'capture.commits': switched,
  'capture.fixes': switched,
  'store.url': databaseUrl,
  'store.password_file': textual,
  agent: name,
  project: name,
}

export const isSettingName = (text: string): text is SettingName => Object.hasOwn(defaults, text)

/** The value as its setting's type. @throws BrainError `invalid` with the setting's name. */
export function checkSetting(setting: string, value: unknown): unknown {
  if (!isSettingName(setting)) {
    throw new BrainError('invalid', `unknown setting: ${setting} (known: ${settingNames.join(', ')})`)
  }
  try {
    return checks[setting](value)
  } catch (error) {
    throw new BrainError('invalid', `${setting} ${(error as Error).message}`)
  }
}

const environmentSource = 'environment'

/** Settings named in the environment, by their names. */
export function fromEnvironment(environment: Readonly<Record<string, string | undefined>>): SettingSource {
  const values: Record<string, unknown> = {}
  for (const setting of settingNames) {
    const value = environment[environmentName(setting)]
    if (value !== undefined && value !== '') values[setting] = value
  }
  return { name: environmentSource, values }
}

/** The place of a setting in this source, for messages: its variable, its file, or the source itself. */
export const placeOf = (setting: SettingName, source: string): string =>
  source === environmentSource ? environmentName(setting) : source

/** A setting's effective value, and the name of the source it comes from. */
export interface EffectiveSetting {
  readonly value: unknown
  readonly source: string
}

/**
 * Every setting with its source; earlier sources win. @throws BrainError `invalid` naming the setting and its variable
 * or file.
 */
export function explainConfig(sources: readonly SettingSource[]): Map<SettingName, EffectiveSetting> {
  const effective = new Map<SettingName, EffectiveSetting>(
    settingNames.map((setting) => [setting, { value: defaults[setting], source: 'default' }]),
  )
  for (const { name: source, values } of [...sources].reverse()) {
    for (const [setting, given] of Object.entries(values)) {
      if (given === undefined) continue
      try {
        const value = checkSetting(setting, given)
        if (isSettingName(setting)) effective.set(setting, { value, source })
      } catch (error) {
        const place = isSettingName(setting) ? placeOf(setting, source) : source
        throw new BrainError('invalid', `${(error as Error).message} (from ${place})`)
      }
    }
  }
  return effective
}

/** The effective settings; earlier sources win. @throws BrainError `invalid` naming source and setting. */
export function resolveConfig(sources: readonly SettingSource[]): Config {
  const settings = [...explainConfig(sources)].map(([setting, { value }]) => [setting, value])
  // Every member is there by default, and was replaced only by a checked value.
  return Object.fromEntries(settings) as Config
}

/** What every command starts from: the global options, the effective settings and the brain they lead to. */
import { dirname, resolve } from 'node:path'
import type { Brain, BrainOptions, Caller } from '../brain.ts'
import { checkoutFor, findCitedDirectory } from '../config/cited-directory.ts'
import { type Config, resolveConfig, type SettingSource } from '../config/config.ts'
import type { BrainPlace } from '../config/daemon-note.ts'
import { type ConfigPlace, loadConfig, loadSources } from '../config/load.ts'
import {
  findBrain,
  locateBrain,
  locateSettings,
  personalBrainDirectory,
  type Search,
} from '../config/locate.ts'
import type { User } from '../config/ownership.ts'
import { findStoreAddress } from '../config/store-address.ts'
import { defaultProject } from '../core/agent-names.ts'
import { toName } from '../core/circumstances.ts'
import { BrainError } from '../core/errors.ts'
import { nameOfStore } from '../core/store-address.ts'
import { createStyle, type Style, visible } from './render/style.ts'
import { print, type Terminal } from './terminal.ts'

export interface GlobalOptions {
  readonly dir?: string
  /** The brain that goes with the person. */
  readonly global?: boolean
  /** The database that holds the brain. */
  readonly store?: string
  readonly project?: string
  readonly agent?: string
  readonly json?: boolean
  readonly color?: boolean
}

/** Exit code of a command that succeeded, where it means something. */
export interface Outcome {
  exitCode: number
}

export class Session {
  readonly terminal: Terminal
  readonly options: GlobalOptions
  readonly outcome: Outcome

  constructor(terminal: Terminal, options: GlobalOptions, outcome: Outcome) {
    this.terminal = terminal
    this.options = options
    this.outcome = outcome
  }

  /** Whether the brain that goes with the person is asked for, which is made on first use. */
  get isPersonal(): boolean {
    if (this.options.global !== true) return false
    if (this.options.store !== undefined)
      throw new BrainError('invalid', '--store and --global name two brains: give one of them')
    if (this.options.dir === undefined) return true
    throw new BrainError('invalid', '--dir and --global name two brains: give one of them')
  }

  /** The directory asked for by flag or environment, if any. */
  get namedDirectory(): string | undefined {
    if (this.isPersonal) return dirname(personalBrainDirectory(this.terminal.environment))
    const named = this.options.dir ?? (this.terminal.environment.BRAIN_DIR || undefined)
    return named === undefined ? undefined : this.path(named)
  }

  /** A file or directory as the caller named it. */
  path(name: string): string {
    return resolve(this.terminal.workingDirectory, name)
  }

  /** Columns to wrap text at; infinite where nobody reads on a terminal. */
  get width(): number {
    return (this.terminal.interactive && this.terminal.columns) || Number.POSITIVE_INFINITY
  }

  /** How its output for people looks. */
  get style(): Style {
    return createStyle(this.terminal.colour, this.width)
  }

  get user(): User {
    return { uid: this.terminal.uid, environment: this.terminal.environment }
  }

  /** The database that holds the brain, whoever connects to it; undefined where a file does. */
  get database(): string | undefined {
    if (this.isPersonal) return undefined
    const address = findStoreAddress(this.terminal.environment, this.options.store)
    return address === undefined ? undefined : nameOfStore(address)
  }

  /** Whether the brain is in a database and not in a file. */
  get isStored(): boolean {
    return this.database !== undefined
  }

  /** Where what is noted of the brain is found again. */
  get place(): BrainPlace {
    return { directory: this.locate(), database: this.database }
  }

  /** @throws BrainError `invalid` in `sentence` for what is done to a file, where the brain is in a database. */
  requireFile(sentence: string): void {
    if (this.isStored) throw new BrainError('invalid', `this brain is in PostgreSQL: ${sentence}`)
  }

  /** Where a brain in a database has its settings. */
  settingsDirectory(): string {
    return locateSettings(this.#search)
  }

  /** The brain's directory. @throws BrainError where there is none, or another user's was merely found. */
  locate(workingDirectory = this.terminal.workingDirectory): string {
    if (this.isPersonal) return personalBrainDirectory(this.terminal.environment)
    const search = { ...this.#search, workingDirectory }
    return this.isStored ? locateSettings(search) : locateBrain(search)
  }

  /** The same, whoever owns it: to look at, not to use. */
  locateAny(): string {
    if (this.isPersonal) return personalBrainDirectory(this.terminal.environment)
    return this.isStored ? locateSettings(this.#search) : findBrain(this.#search)
  }

  get #search(): Search {
    return { workingDirectory: this.terminal.workingDirectory, named: this.namedDirectory, user: this.user }
  }

  /** Where the settings of the brain in `directory` come from, or without one the caller's own. */
  sources(directory?: string): Promise<SettingSource[]> {
    return loadSources(this.#place(directory))
  }

  /** Effective settings of the brain in `directory`. @throws BrainError `invalid`. */
  config(directory: string, warn = this.warn): Promise<Config> {
    return loadConfig({ ...this.#place(directory), warn })
  }

  /** The brain's directory; undefined where none is named and none is found, since the user has settings, too. */
  find(): string | undefined {
    try {
      return this.locate()
    } catch (error) {
      const absent = error instanceof BrainError && error.kind === 'no-brain'
      if (absent && this.namedDirectory === undefined) return undefined
      throw error
    }
  }

  /** Effective settings here, also where there is no brain. */
  async settings(): Promise<Config> {
    return resolveConfig(await this.sources(this.find()))
  }

  /** How the brain in `directory` is opened, and the personal brain with it. */
  opening(directory: string): Pick<BrainOptions, 'create' | 'personal'> {
    if (this.isPersonal) return { create: true }
    const personal = personalBrainDirectory(this.terminal.environment)
    if (personal === directory) return {}
    return { personal: { directory: personal, config: () => this.config(personal, () => {}) } }
  }

  #place(directory?: string): ConfigPlace {
    const { agent, store } = this.options
    // The project here does not apply to the personal brain, which has a single one.
    const project = this.options.project ?? (this.isPersonal ? defaultProject : undefined)
    return {
      ...(directory !== undefined && { directory }),
      environment: this.terminal.environment,
      asked: { name: 'the command line', values: { agent, project, 'store.url': store } },
      warn: this.warn,
    }
  }

  /** Whether a person is there to be asked for what the command line left out. */
  get mayAsk(): boolean {
    // One after the other: to ask opens the terminal's streams, which takes milliseconds each.
    return this.options.json !== true && this.terminal.attended === true && this.terminal.answering === true
  }

  /** Says of a project that was named and holds nothing that it is new: the name may be mistyped. */
  async tellNewProject({ store }: Brain, { project }: Caller): Promise<void> {
    if (project === defaultProject || (await store.projects.has(project))) return
    const known = (await store.maintenance.projects()).sort().join(', ')
    this.say(
      `project ${project} is new: nothing is kept in it yet${known === '' ? '' : ` (this brain has ${known})`}`,
    )
  }

  /** Shows a person a message besides the data; programs that read JSON get none. */
  say(message: string): void {
    if (this.options.json !== true) this.terminal.stderr.write(`${visible(message)}\n`)
  }

  readonly warn = (message: string): void => {
    this.terminal.stderr.write(`brain: ${visible(message)}\n`)
  }

  /** On whose behalf this process works: according to the settings in the working directory. */
  caller({ project, agent }: Config, directory: string): Caller {
    const { terminal } = this
    return {
      project,
      agent,
      session: toName(terminal.environment.BRAIN_SESSION),
      checkout: () => checkoutFor(directory, terminal.workingDirectory),
      citesIn: () => findCitedDirectory(directory, terminal.workingDirectory),
    }
  }

  /** Opens the brain for the length of `work`, and closes it whatever happens. */
  async withBrain<T>(
    label: string,
    work: (brain: Brain, caller: Caller) => Promise<T>,
    warn = this.warn,
  ): Promise<T> {
    const directory = this.locate()
    const config = await this.config(directory)
    const { openBrain } = await import('../brain.ts')
    const { environment } = this.terminal
    const brain = await openBrain({
      directory,
      config,
      label: `brain ${label}`,
      as: 'command',
      warn,
      environment,
      ...this.opening(directory),
    })
    try {
      return await work(brain, this.caller(config, directory))
    } finally {
      await brain.close()
    }
  }

  /** Data on standard output: one line of JSON, or what `render` makes for people. */
  async print(output: unknown, render: () => string | Promise<string>): Promise<void> {
    const text = this.options.json ? this.#toJson(output) : await render()
    await print(this.terminal, `${text}\n`)
  }

  /** JSON escapes what is below a space; on a terminal the other control characters must not be acted on either. */
  #toJson(output: unknown): string {
    const json = JSON.stringify(output)
    return this.terminal.interactive ? visible(json) : json
  }
}

/**
 * The models of fastembed on this machine: where they are kept, which are complete, and how one gets there. A
 * model's directory appears at once and complete, with a note of what is in it. Knows files; runs nothing itself.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BrainError, codeOf } from '../core/errors.ts'
import { memberOf } from '../core/json.ts'
import { makeDirectories } from '../make-directories.ts'
import { isAlive } from '../process-life.ts'
import { extractArchive } from './archive.ts'
import { type CatalogueEntry, catalogue, downloadHost, findInCatalogue } from './catalogue.ts'
import { type DownloadOptions, download, hashFile } from './download.ts'
import { tokenizerFile } from './prepared-files.ts'

export interface InstalledModel {
  readonly entry: CatalogueEntry
  readonly directory: string
  /** SHA-256 of the model file, hex. */
  readonly hash: string
  readonly dimension: number
}

const noteFile = 'brain-model.json'
const optionalFiles = ['config.json', 'tokenizer_config.json', 'special_tokens_map.json']
const requiredFiles = (entry: CatalogueEntry): string[] => [entry.modelFile, tokenizerFile, ...entry.weights]

const withoutPrefix = (name: string): string => name.replace(/^fastembed:/, '')

/** The catalogue's entry of a name, with or without `fastembed:`. @throws BrainError `invalid` listing the names. */
export function getModel(name: string): CatalogueEntry {
  const entry = findInCatalogue(withoutPrefix(name))
  if (entry) return entry
  const names = catalogue.map((known) => known.name).join(', ')
  throw new BrainError('invalid', `unknown model: ${withoutPrefix(name)} (known: ${names})`)
}

interface Note {
  readonly hash: string
  readonly dimension: number
  readonly sizes: Readonly<Record<string, number>>
}

function parseNote(text: string): Note | undefined {
  const note: unknown = JSON.parse(text)
  const [hash, dimension, sizes] = ['hash', 'dimension', 'sizes'].map((name) => memberOf(note, name))
  if (typeof hash !== 'string' || typeof dimension !== 'number') return undefined
  return { hash, dimension, sizes: typeof sizes === 'object' ? { ...sizes } : {} }
}

/** The model as it is installed; undefined when it is not, or a file of it is missing or has another size. */
export function findInstalled(entry: CatalogueEntry, models: string): InstalledModel | undefined {
  const directory = join(models, entry.name)
  try {
    const note = parseNote(readFileSync(join(directory, noteFile), 'utf8'))
    if (!note) return undefined
    for (const [file, size] of Object.entries(note.sizes)) {
      if (statSync(join(directory, file)).size !== size) return undefined
    }
    return { entry, directory, hash: note.hash, dimension: note.dimension }
  } catch {
    return undefined
  }
}

export interface InstallOptions extends Omit<DownloadOptions, 'url' | 'file' | 'digest'> {
  readonly models: string
  /** A directory that holds the model's files; without it they are downloaded. */
  readonly from?: string | undefined
  /** Base URL that holds the archives instead of the models' own host. */
  readonly mirror?: string | undefined
  /** Opens the model and returns its dimension: what cannot embed a word is not installed. */
  readonly probe: (directory: string) => Promise<number>
}

/** The URL of a model's archive. @throws BrainError `invalid` for a mirror that is no http or https URL. */
export function archiveUrl(entry: CatalogueEntry, mirror: string | undefined): URL {
  const base = mirror ?? downloadHost
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new BrainError('invalid', 'the mirror must be an http or https URL')
  }
  return new URL(entry.archive, base.endsWith('/') ? base : `${base}/`)
}

async function copyFiles(entry: CatalogueEntry, from: string, stage: string): Promise<void> {
  for (const file of [...requiredFiles(entry), ...optionalFiles]) {
    if (existsSync(join(from, file))) await copyFile(join(from, file), join(stage, file))
  }
}

async function fetchFiles(entry: CatalogueEntry, stage: string, options: InstallOptions): Promise<void> {
  const archive = join(options.models, entry.archive)
  await download({ ...options, url: archiveUrl(entry, options.mirror), file: archive, digest: entry.digest })
  const wanted = new Set([...requiredFiles(entry), ...optionalFiles])
  try {
    await extractArchive(archive, stage, wanted)
  } finally {
    await rm(archive, { force: true })
  }
}

function requireFiles(entry: CatalogueEntry, directory: string, source: string): void {
  const missing = requiredFiles(entry).filter((file) => !existsSync(join(directory, file)))
  if (missing.length > 0) {
    throw new BrainError(
      'failed',
      `${source} lacks ${missing.join(', ')}: it does not hold the model ${entry.name}`,
    )
  }
}

async function writeNote(entry: CatalogueEntry, stage: string, dimension: number): Promise<void> {
  const sizes: Record<string, number> = {}
  for (const file of await readdir(stage)) sizes[file] = statSync(join(stage, file)).size
  const hash = await hashFile(join(stage, entry.modelFile), 'sha256')
  await writeFile(
    join(stage, noteFile),
    JSON.stringify({ name: entry.name, hash, dimension, sizes }, null, 2),
  )
}

/** Runs `work` while no other process installs the same model. */
async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    try {
      const handle = await open(file, 'wx', 0o600)
      await handle.writeFile(String(process.pid))
      await handle.close()
      break
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || round > 0) throw error
      const holder = Number(await readFile(file, 'utf8').catch(() => ''))
      if (holder > 0 && isAlive(holder)) {
        throw new BrainError(
          'failed',
          `process ${holder} is installing this model already; wait for it or end it`,
        )
      }
      await rm(file, { force: true })
    }
  }
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

/**
 * Puts a model in its place, from a directory or from its host, unless it is there already.
 * @throws BrainError `failed` when files are missing, damaged or cannot embed; what was there before stays.
 */
export async function installModel(entry: CatalogueEntry, options: InstallOptions): Promise<InstalledModel> {
  const present = findInstalled(entry, options.models)
  if (present && !options.from) return present
  makeDirectories(options.models)
  return withLock(join(options.models, `${entry.name}.lock`), async () => {
    const stage = join(options.models, `${entry.name}.new`)
    const target = join(options.models, entry.name)
    await rm(stage, { recursive: true, force: true })
    await mkdir(stage, { mode: 0o700 })
    try {
      if (options.from) await copyFiles(entry, options.from, stage)
      else await fetchFiles(entry, stage, options)
      requireFiles(entry, stage, options.from ?? 'the archive')
      await writeNote(entry, stage, await options.probe(stage))
      await rm(target, { recursive: true, force: true })
      await rename(stage, target)
    } finally {
      await rm(stage, { recursive: true, force: true })
    }
    const installed = findInstalled(entry, options.models)
    if (!installed)
      throw new BrainError('failed', `the model ${entry.name} could not be kept in ${options.models}`)
    return installed
  })
}

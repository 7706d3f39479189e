/**
 * Who could have written to a brain's directory, and who can read it: owners, modes, kinds and names of everything in
 * it. Knows a brain's files; opens none but `.gitignore`, and changes nothing.
 */
import { type BigIntStats, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finding } from '../findings.ts'
import type { Finding } from '../store.ts'
import { isOurs, type Provenance } from './directory-check.ts'
import { copyName } from './kept-copies.ts'

interface Entry {
  readonly path: string
  readonly name: string
  readonly stats: BigIntStats
}

/** Everything in a directory and below, up to a maximum, without following links. */
function listAll(directory: string, most = 10_000): Entry[] {
  const found: Entry[] = []
  const visit = (at: string, prefix: string): void => {
    for (const name of readdirSync(at)) {
      if (found.length >= most) return
      const path = join(at, name)
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      if (stats === undefined) continue
      found.push({ path, name: prefix + name, stats })
      if (stats.isDirectory()) visit(path, `${prefix}${name}/`)
    }
  }
  visit(directory, '')
  return found
}

/** A few names, and how many more. */
const some = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`

function examineOwners(directory: string, entries: readonly Entry[]): Finding {
  const check = 'owners'
  const own = process.geteuid?.()
  const owner = lstatSync(directory, { bigint: true }).uid
  if (own === undefined) return finding(check, true, "Windows' own rules hold")
  const others = entries.filter(({ stats }) => stats.uid !== owner).map(({ name }) => name)
  if (others.length > 0) return finding(check, false, `of other users than the directory: ${some(others)}`)
  if (owner !== BigInt(own)) return finding(check, false, `the directory is user ${owner}'s, not yours`)
  return finding(check, true, 'all of it is yours')
}

function examineModes(directory: string, entries: readonly Entry[]): Finding {
  const check = 'modes'
  if (process.platform === 'win32') return finding(check, true, "Windows' own rules hold")
  const whole = { path: directory, name: '.brain', stats: lstatSync(directory, { bigint: true }) }
  const open = [whole, ...entries].filter(
    ({ stats }) => !stats.isSymbolicLink() && (stats.mode & 0o077n) !== 0n,
  )
  // What nobody else can reach through the directory they cannot read.
  const closed = (whole.stats.mode & 0o077n) === 0n
  const writable = open.filter(({ stats }) => (stats.mode & 0o022n) !== 0n).map(({ name }) => name)
  if (open.length === 0 || (closed && writable.length === 0))
    return finding(check, true, 'nobody else can look in')
  const what = writable.length > 0 ? `others can write ${some(writable)}` : undefined
  const read = `others can read ${some(open.map(({ name }) => name))}`
  return finding(check, false, `${what ?? read}: run \`chmod -R go= ${directory}\``)
}

function examineKinds(entries: readonly Entry[]): Finding {
  const check = 'kinds of files'
  const strange = entries.filter(({ stats }) => !stats.isFile() && !stats.isDirectory())
  const linked = entries.filter(({ stats }) => stats.isFile() && stats.nlink > 1n)
  if (strange.length > 0)
    return finding(check, false, `links, pipes or devices: ${some(strange.map(({ name }) => name))}`)
  if (linked.length > 0)
    return finding(check, false, `have a second name somewhere: ${some(linked.map(({ name }) => name))}`)
  return finding(check, true, 'files and directories alone')
}

function examineNames(file: string, entries: readonly Entry[]): Finding {
  const check = 'foreign files'
  // From the last curl takes a key, as the README says.
  const known = new Set([basename(file), '.gitignore', 'key.header'])
  const foreign = entries
    .map(({ name }) => name)
    .filter((name) => {
      const first = name.split('/')[0] ?? name
      return !known.has(first) && !first.startsWith(`${basename(file)}-`) && !isOurs(first)
    })
  return foreign.length === 0
    ? finding(check, true, 'none')
    : finding(check, false, `no brain makes ${some(foreign)}: look what it is, and remove it`)
}

function examineVersionControl(directory: string): Finding {
  const file = join(directory, '.gitignore')
  const found = lstatSync(file, { throwIfNoEntry: false })
  const lines = found?.isFile() && found.size < 65_536 ? readFileSync(file, 'utf8').split(/\r?\n/) : []
  return lines.includes('*')
    ? finding('version control', true, 'git passes it over')
    : finding('version control', false, `git would take the notes in: write a line with * alone into ${file}`)
}

function examineCopies(file: string, entries: readonly Entry[]): Finding {
  const check = 'kept copies'
  const copies = entries
    .map(({ name }) => name)
    .filter((name) => copyName.test(name) || name.startsWith(`${basename(file)}.replaced-`))
  return finding(
    check,
    true,
    copies.length === 0
      ? 'none'
      : `${some(copies)}: they hold what the brain held then; what is forgotten goes from them as well`,
  )
}

function examineOrigin(file: string, provenance: Provenance): Finding {
  const check = 'origin'
  const noted = provenance.find(dirname(file))
  if (noted === undefined) return finding(check, true, 'never opened by you on this machine')
  if (noted.trusted) return finding(check, true, 'yours by `brain trust`, though others can write it')
  return finding(check, true, 'opened by you on this machine')
}

/** What stands in the directory of a brain's `file`, a path without links. */
export function auditPermissions(file: string, provenance: Provenance): Finding[] {
  const directory = dirname(file)
  const entries = listAll(directory)
  return [
    examineOwners(directory, entries),
    examineModes(directory, entries),
    examineKinds(entries),
    examineNames(file, entries),
    examineVersionControl(directory),
    examineCopies(file, entries),
    examineOrigin(file, provenance),
  ]
}

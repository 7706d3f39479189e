/** `brain key`: makes, lists, revokes and rotates the keys of the HTTP API. A key is shown once, and only here. */
import type { Command } from 'commander'
import {
  createKey,
  type IssuedKey,
  isLive,
  labelOfHolder,
  parseDuration,
  rotateKey,
} from '../../config/keys.ts'
import { BrainError } from '../../core/errors.ts'
import type { Key } from '../../core/records.ts'
import { name, timestampOrNull, toTimestamp } from '../../operations/schemas.ts'
import { alignColumns } from '../render/layout.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

const toWire = (key: Key) => ({
  id: key.id,
  project: key.project,
  label: key.label,
  created_at: toTimestamp(key.createdAt),
  expires_at: timestampOrNull(key.expiresAt),
  revoked_at: timestampOrNull(key.revokedAt),
})

function checkName(member: string, given: string): string {
  const checked = name().safeParse(given)
  if (checked.success) return checked.data.trim()
  throw new BrainError('invalid', `${member} ${checked.error.issues[0]?.message}`)
}

interface Naming {
  readonly label?: string
  readonly name?: string
}

function labelOf({ label, name: holder }: Naming): string | null {
  if (label !== undefined && holder !== undefined)
    throw new BrainError(
      'invalid',
      '--label and --name are one: give the name of who holds the key, or a label',
    )
  if (holder !== undefined) return labelOfHolder(checkName('name', holder))
  return label === undefined ? null : checkName('label', label)
}

/** The key alone on standard output, so that a script can keep it; what to know about it on standard error. */
async function printIssued(session: Session, { key, text }: IssuedKey): Promise<void> {
  const { id, project, label, expiresAt } = key
  await session.print({ id, key: text, project, label, expires_at: timestampOrNull(expiresAt) }, () => text)
  if (session.options.json) return
  const until = expiresAt === null ? 'until it is revoked' : `until ${toTimestamp(expiresAt)}`
  await write(
    session.terminal.stderr,
    `Key ${id} opens project ${visible(project)} ${until}. It is shown this once: keep it now.\n`,
  )
}

function renderList(keys: readonly Key[], now: number): string {
  if (keys.length === 0) return 'No keys. `brain key create` makes one.'
  const state = (key: Key): string => {
    if (key.revokedAt !== null) return `revoked ${toTimestamp(key.revokedAt)}`
    if (!isLive(key, now)) return `expired ${timestampOrNull(key.expiresAt)}`
    return key.expiresAt === null ? 'live' : `live until ${toTimestamp(key.expiresAt)}`
  }
  const rows = [
    ['ID', 'PROJECT', 'LABEL', 'STATE'],
    ...keys.map((key) => [visible(key.id), visible(key.project), visible(key.label ?? '-'), state(key)]),
  ]
  return alignColumns(rows).join('\n')
}

export function configureKey(key: Command, open: () => Session): void {
  key
    .command('create')
    .description('Make a key for the project and show it, this once')
    .option('--label <text>', 'what the key is for')
    .option('--name <name>', 'the person or agent who holds it: requests with it that name nobody are theirs')
    .option('--expires-in <duration>', 'how long it is valid: 30m, 24h, 90d, 2w (default: until revoked)')
    .action(async (options: Naming & { expiresIn?: string }) => {
      const session = open()
      const label = labelOf(options)
      const lifetime = options.expiresIn === undefined ? null : parseDuration('expires-in', options.expiresIn)
      const issued = await session.withBrain('key create', ({ store }, { project }) =>
        createKey(store.keys, { project, label, lifetime, now: Date.now() }),
      )
      await printIssued(session, issued)
    })

  key
    .command('list')
    .description('List the keys of every project, without their secrets')
    .action(async () => {
      const session = open()
      const keys = await session.withBrain('key list', ({ store }) => store.keys.list())
      await session.print({ keys: keys.map(toWire) }, () => renderList(keys, Date.now()))
    })

  key
    .command('revoke')
    .description('End a key, from the next request on')
    .argument('<id>', 'the 8 characters after brain_')
    .action(async (id: string) => {
      const session = open()
      const revoked = await session.withBrain('key revoke', ({ store }) =>
        store.keys.revoke(requireId(id), Date.now()),
      )
      await session.print(toWire(revoked), () => `Key ${revoked.id} is revoked.`)
    })

  key
    .command('rotate')
    .description('Replace a key by a new one of the same project and label, shown this once')
    .argument('<id>', 'the 8 characters after brain_')
    .option('--grace <duration>', 'how long the old key stays valid: 30m, 24h (default: not at all)')
    .action(async (id: string, options: { grace?: string }) => {
      const session = open()
      const grace = options.grace === undefined ? 0 : parseDuration('grace', options.grace)
      await session.withBrain('key rotate', ({ store }) =>
        // Shown before the old one ends: who is cut off in between has both keys and not none.
        rotateKey(store.keys, {
          id: requireId(id),
          grace,
          now: Date.now(),
          show: (issued) => printIssued(session, issued),
        }),
      )
    })
}

/** Refuses a whole key where its id is asked for, without repeating what may be a secret. */
function requireId(id: string): string {
  if (/^[0-9A-Za-z]{8}$/.test(id)) return id
  throw new BrainError('invalid', "id must be a key's 8 public characters: see `brain key list`")
}

/**
 * `brain doctor --security`: who could have put what into the brain, who can read it, where texts go from here, and which keys open
 * it. Inspects and reports; what prevents opening the brain is among the findings.
 */

import { isLive } from '../../config/keys.ts'
import { loadSources, projectSettingsFile, trustFile } from '../../config/load.ts'
import { readSettingsFile } from '../../config/settings-file.ts'
import { msPerDay } from '../../core/durations.ts'
import { BrainError } from '../../core/errors.ts'
import type { Key } from '../../core/records.ts'
import { finding } from '../../store/findings.ts'
import type { Finding } from '../../store/store.ts'
import type { Session } from '../session.ts'

/** Settings that send texts away or let others in, and where each was set. */
async function examineEndpoints(session: Session, directory: string): Promise<Finding[]> {
  const { guardedOf, reachesOut, TrustRecord } = await import('../../config/trust.ts')
  const { environment } = session.terminal
  const own = projectSettingsFile(directory)
  try {
    const sources = await loadSources({
      directory,
      environment,
      asked: { name: 'options', values: {} },
      warn: () => {},
    })
    const named = sources.flatMap(({ name, values }) =>
      Object.entries(values)
        .filter(([setting, value]) => reachesOut(setting, value))
        .map(([setting, value]) => `${setting} = ${String(value)} (${name})`),
    )
    const { values, content } = readSettingsFile(own)
    const guarded = Object.keys(guardedOf(own, values))
    const trusted = guarded.length > 0 && new TrustRecord(trustFile(environment)).holds(directory, content)
    return [
      finding(
        'endpoints',
        true,
        named.length === 0 ? 'nothing leaves this machine' : `set: ${named.join(', ')}`,
      ),
      guarded.length === 0 || trusted
        ? finding(
            "project's settings",
            true,
            guarded.length === 0
              ? 'ask for nothing that needs trust'
              : `set ${guarded.join(', ')}, and you trust them as they are`,
          )
        : finding(
            "project's settings",
            false,
            `${own} sets ${guarded.join(', ')}, which is ignored: look at it, then \`brain trust\` or remove it`,
          ),
    ]
  } catch (error) {
    if (!(error instanceof BrainError)) throw error
    return [finding("project's settings", false, error.message)]
  }
}

/** Milliseconds after which a key that never ends is worth a second look. */
const old = 365 * msPerDay

function examineKeys(keys: readonly Key[], now: number): Finding {
  const live = keys.filter((key) => isLive(key, now))
  const endless = live.filter(({ expiresAt, createdAt }) => expiresAt === null && now - createdAt > old)
  if (live.length === 0) return finding('keys', true, 'none opens')
  if (endless.length === 0) return finding('keys', true, `${live.length} open`)
  const ids = endless.map(({ id }) => id).join(', ')
  return finding(
    'keys',
    false,
    `older than a year and without an end: ${ids}: \`brain key rotate\` renews one`,
  )
}

/** What was found, in the order of who gets how far. */
export async function examineSecurity(session: Session): Promise<Finding[]> {
  const directory = session.locate()
  const { auditBrainPermissions } = await import('../../brain.ts')
  const findings = [
    ...(await auditBrainPermissions(directory, session.terminal.environment)),
    ...(await examineEndpoints(session, directory)),
  ]
  try {
    const keys = await session.withBrain(
      'doctor',
      ({ store }) => store.keys.list(),
      () => {},
    )
    return [
      ...findings,
      finding('opening', true, 'no journal, log or schema that brain did not make'),
      examineKeys(keys, Date.now()),
    ]
  } catch (error) {
    if (!(error instanceof BrainError) || error.kind === 'busy') throw error
    return [...findings, finding('opening', false, error.message)]
  }
}

/**
 * Failures of PostgreSQL and of the way to it in the words of a caller. Knows SQLSTATE codes and the driver's own errors;
 * decides nothing about what happens next. No sentence has a password, since none is made of what was given to connect.
 */
import { BrainError, codeOf as systemCodeOf } from '../../core/errors.ts'

const codeOf = (error: unknown): string => systemCodeOf(error) ?? ''

/** The driver's messages, which have no code, about a connection that is gone. */
const gone =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired)/

/** Whether the connection is gone, or the server is on its way down or up: nothing can be asked over it any more. */
export const isLost = (error: unknown): boolean =>
  /^(08|57P0[123]|25P03|ECONN|EPIPE$|ETIMEDOUT$|ENETUNREACH$|EHOSTUNREACH$|ENOTFOUND$|EAI_AGAIN$)/.test(
    codeOf(error),
  ) ||
  (error instanceof Error && gone.test(error.message))

/** Whether a transaction failed for others who were at work at the same time, and may well succeed when it is run again. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(codeOf(error))

/** Whether the server takes no writes. */
export const isOnStandby = (error: unknown): boolean => codeOf(error) === '25006'

/** Whether the database does not take what it was given, and would take something else. */
export const isRefusal = (error: unknown): boolean =>
  /^2[23]/.test(codeOf(error instanceof BrainError ? error.cause : error))

/** Whether no connection was to be had in time. */
export const isCrowded = (error: unknown): boolean =>
  codeOf(error) === '53300' ||
  (error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect'))

const initialise = 'run `brain store init` as its administrator'

const busy: readonly (readonly [RegExp, string])[] = [
  [/^(40001|40P01)$/, 'the database is busy with other changes to the same records: try again'],
  [/^(55P03|57014)$/, 'the database took too long to answer: try again'],
  [/^53300$/, 'the database takes no further connections: try again, or let it take more (max_connections)'],
]

const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /^(28P01|28000)$/,
    'the database refuses this user: check the name and the password (PGPASSWORD, ~/.pgpass or the file that store.password_file names)',
  ],
  [/^3D000$/, 'the server has no such database: create it, then run `brain store init`'],
  [
    /^(42P01|42703|3F000|42883|42704)$/,
    `the database holds no brain, or a part of it is missing: ${initialise}`,
  ],
  [
    /^42501$/,
    `the database refuses this to the user of the brain: ${initialise}, which grants what is needed`,
  ],
  [/^25006$/, 'the database is read-only, as a standby is: nothing was written; connect to the primary'],
  [
    /^(53100|58030)$/,
    "the server's disk is full or failing: nothing was written; free some space and try again",
  ],
  [/^53200$/, 'the server has not enough memory for this'],
  [
    /^(23|22003)/,
    'the records of the brain contradict each other: nothing was written; run `brain doctor`, or restore a backup',
  ],
  [/^(XX|58)/, 'the database reported damage or a fault of its own: look into its log, and restore a backup'],
]

/** Of the secure connection, by the codes of OpenSSL and Node. */
const insecure: readonly (readonly [RegExp, string])[] = [
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "the certificate of the database's server is not valid at this time: renew it, or look at the clocks",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "the certificate of the database's server is for another name: connect by a name that it is for",
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|INVALID_CA)$/,
    "nobody known here vouches for the certificate of the database's server: name the authority's with sslrootcert=FILE in the address",
  ],
  [
    /^(ERR_SSL_\w+|ERR_TLS_\w+|ERR_OSSL_\w+|EPROTO)$/,
    'no secure connection to the database came about: look at the TLS settings of its server and at the files that the address names',
  ],
]
const noTls =
  'the server of the database offers no secure connection: let it (ssl = on), or say sslmode=disable in the address where the network is yours'

const unreachable =
  'the database cannot be reached, or the connection to it was lost: nothing was written; check that it runs, then try again'

/** Whether what was asked to be kept is kept is known to nobody here. */
export const unsure = (cause: unknown): BrainError =>
  new BrainError(
    'storage',
    'the connection to the database was lost while it was writing: whether this was written is not known; look, and try again if it is not there',
    { cause },
  )

/** The error to hand on: ours as it is, the server's and the network's as a sentence, anything else (a bug) unchanged. */
export function toBrainError(error: unknown): unknown {
  if (error instanceof BrainError) return error
  if (isCrowded(error) && codeOf(error) === '')
    return new BrainError('busy', 'all connections to the database are in use: try again', { cause: error })
  // The driver's words; the server never hears of it.
  if (error instanceof Error && /^SASL: .*client password must be/.test(error.message))
    return new BrainError(
      'storage',
      'the database asks for a password: put it into ~/.pgpass, PGPASSWORD or the file that store.password_file names',
      { cause: error },
    )
  if (codeOf(error) === '22021') {
    // SQL's text has no such character.
    return new BrainError('invalid', 'text must not contain the character U+0000', { cause: error })
  }
  if (error instanceof Error && /^The server does not support SSL connections/.test(error.message))
    return new BrainError('storage', noTls, { cause: error })
  const wait = busy.find(([codes]) => codes.test(codeOf(error)))?.[1]
  if (wait !== undefined) return new BrainError('busy', wait, { cause: error })
  const sentence = [...sentences, ...insecure].find(([codes]) => codes.test(codeOf(error)))?.[1]
  if (sentence !== undefined) return new BrainError('storage', sentence, { cause: error })
  return isLost(error) ? new BrainError('storage', unreachable, { cause: error }) : error
}

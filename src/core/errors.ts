/**
 * The product's single error type and the closed list of its kinds. Knows what went wrong for the caller, not how an
 * interface presents it: each interface keeps a table over `Kind` without a default.
 */

export type Kind =
  /** The input violates its schema, or the bytes are not a JSON object. */
  | 'invalid'
  /** No key, or one that is unknown, revoked or expired. */
  | 'unauthorized'
  /** Host or origin not allowed. */
  | 'forbidden'
  /** The record does not exist, belongs to another project, or is in a state that does not allow the change. */
  | 'refused'
  /** No such endpoint. */
  | 'no-endpoint'
  /** Known path, wrong method. */
  | 'method'
  /** Body over the limit. */
  | 'too-large'
  /** Unsupported content type. */
  | 'media-type'
  /** Too many requests wait already, or a request took too long to arrive. */
  | 'overloaded'
  /** The store stayed locked past the busy timeout. */
  | 'busy'
  /** The store cannot be used: corrupt, foreign, newer schema, read-only, full, replaced. */
  | 'storage'
  /** No brain was found. */
  | 'no-brain'
  /** Something external failed: a model, a download, a file to read. */
  | 'failed'

/** An error that the caller can act on; its message names the remedy. Anything else thrown is a bug. */
export class BrainError extends Error {
  readonly kind: Kind
  /** What to do about it, in a line for people, where the specification fixes a message that does not say so. */
  readonly hint: string | undefined

  constructor(kind: Kind, message: string, options?: { cause?: unknown; hint?: string | undefined }) {
    super(message, options)
    this.name = 'BrainError'
    this.kind = kind
    this.hint = options?.hint
  }
}

/** What anything thrown says for itself, in a sentence for people. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The same for a log: of a bug with where it was thrown, of what is expected with what it came from. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof BrainError)) return error.stack ?? error.message
  return error.cause === undefined ? error.message : `${error.message} (${reasonOf(error.cause)})`
}

/** The code of an error of the system or of a library, as `ENOENT`; undefined of any other. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

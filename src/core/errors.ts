/**
 * The one error type of the product and the closed list of its kinds. Knows what went wrong for the
 * caller, never how an interface says so: each interface keeps a table over `Kind` that has no default.
 */

export type Kind =
  /** The input breaks a rule of its schema or the bytes are no JSON object. */
  | 'invalid'
  /** No key, or one that is unknown, revoked or expired. */
  | 'unauthorized'
  /** Host or origin not allowed. */
  | 'forbidden'
  /** The record is not there, belongs to another project or is in a state that refuses the change. */
  | 'refused'
  /** No such endpoint. */
  | 'no-endpoint'
  /** Known path, other method. */
  | 'method'
  /** Body over the limit. */
  | 'too-large'
  /** Body of another content type. */
  | 'media-type'
  /** Too many requests wait already, or a request took too long to arrive. */
  | 'overloaded'
  /** The store stayed locked past the busy timeout. */
  | 'busy'
  /** The store cannot be used: corrupt, foreign, newer schema, read-only, full, replaced. */
  | 'storage'
  /** There is no brain here. */
  | 'no-brain'
  /** Something outside failed: a model, a download, a file to read. */
  | 'failed'

/** An error that a caller can act on; its message names the remedy. Anything else thrown is a bug. */
export class BrainError extends Error {
  readonly kind: Kind

  constructor(kind: Kind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'BrainError'
    this.kind = kind
  }
}

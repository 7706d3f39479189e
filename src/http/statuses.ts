/** What each kind of error becomes over HTTP. No default: a new kind does not compile until it has a status. */
import type { Kind } from '../core/errors.ts'

export const statuses = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  refused: 404,
  'no-endpoint': 404,
  method: 405,
  'too-large': 413,
  'media-type': 415,
  overloaded: 503,
  busy: 503,
  storage: 503,
  'no-brain': 503,
  failed: 500,
} as const satisfies Record<Kind, number>

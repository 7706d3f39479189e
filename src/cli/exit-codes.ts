/** What each kind of error becomes for a shell. No default: a new kind does not compile until it has a code. */
import type { Kind } from '../core/errors.ts'

export const exitCodes = {
  invalid: 2,
  unauthorized: 3,
  forbidden: 3,
  refused: 3,
  'no-endpoint': 3,
  method: 3,
  'too-large': 2,
  'media-type': 2,
  overloaded: 5,
  busy: 5,
  storage: 5,
  'no-brain': 4,
  failed: 1,
} as const satisfies Record<Kind, number>

/** What another of our processes refused, and the exit code it ended with: who waited for it ends the same way. */
export class Relayed extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

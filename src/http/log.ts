/**
 * The daemon's log on standard error: one line per request, and every internal error. Routes appear as patterns and
 * queries not at all, so that no key and no caller's text is ever logged.
 */
import { stackOf } from '../core/errors.ts'

export const logFormats = ['json', 'pretty', 'off'] as const
export type LogFormat = (typeof logFormats)[number]

/** The format of who asks for none. */
export const usualLogFormat = (interactive: boolean): LogFormat => (interactive ? 'pretty' : 'json')

/** A finished or aborted request. */
interface RequestEntry {
  readonly requestId: string
  readonly method: string
  /** The route's pattern; null for an unknown path. */
  readonly route: string | null
  /** null when the client went away before it was answered. */
  readonly status: number | null
  readonly milliseconds: number
  readonly project?: string
  /** Public part of the key. */
  readonly keyId?: string
}

export interface Log {
  request(entry: RequestEntry): void
  /** An internal error: logged even when requests are not. */
  fault(error: unknown, requestId?: string): void
  /** Something a person should know. */
  note(message: string): void
}

export interface LogOptions {
  readonly format: LogFormat
  /** Takes one line with its end. */
  readonly write: (line: string) => void
  readonly now: () => number
}

export function createLog({ format, write, now }: LogOptions): Log {
  const time = (): string => new Date(now()).toISOString()
  const json = (entry: Record<string, unknown>): void =>
    write(`${JSON.stringify({ time: time(), ...entry })}\n`)
  return {
    request: (entry) => {
      if (format === 'off') return
      const { requestId, method, route, status, milliseconds, project, keyId } = entry
      const took = Math.round(milliseconds * 10) / 10
      if (format === 'json') {
        json({ level: 'info', request_id: requestId, method, route, status, ms: took, project, key: keyId })
        return
      }
      const who = keyId === undefined ? '' : `  key ${keyId}`
      write(
        `${time().slice(11, 23)} ${status ?? '---'} ${method} ${route ?? '(unknown path)'} ${took} ms${who}  ${requestId}\n`,
      )
    },
    fault: (error, requestId) => {
      if (format === 'json') json({ level: 'error', request_id: requestId, error: stackOf(error) })
      else
        write(`brain: fault${requestId === undefined ? '' : ` in request ${requestId}`}: ${stackOf(error)}\n`)
    },
    note: (message) => {
      if (format === 'json') json({ level: 'warn', message })
      else write(`brain: ${message}\n`)
    },
  }
}

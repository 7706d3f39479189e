/** Strict decoding of query strings and path segments: each once, and only what was sent. */
import { BrainError } from '../core/errors.ts'
import { printable } from '../operations/call.ts'

/** Percent-encoded text; bytes that are no UTF-8 come out as a lone surrogate, which validation refuses by name. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return '\ud800'
  }
}

/** Parameters of a query by name. @throws BrainError `invalid` when one is given twice. */
export function parseQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null)
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
    const decoded = decodePart(name)
    if (Object.hasOwn(parameters, decoded))
      throw new BrainError('invalid', `${printable(decoded)} must be given once`)
    parameters[decoded] = decodePart(value.join('='))
  }
  return parameters
}

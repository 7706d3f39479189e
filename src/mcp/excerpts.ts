/**
 * Long texts in what a model reads: an excerpt in their place, and the rest on request. Knows lists of records with a text;
 * which operation answered is no matter, but for the one that is asked for the rest.
 */
import { excerptAround } from '../core/excerpt.ts'
import { isObject, memberOf } from '../core/json.ts'

/** Characters of a text that a result of a tool holds whole. */
const maxText = 600

/** A record as it is, or with an excerpt in the place of a long text. */
function shortenRecord(record: unknown, query: string): unknown {
  if (!isObject(record) || !('text' in record)) return record
  const { text, ...rest } = record
  if (typeof text !== 'string' || [...text].length <= maxText) return record
  return { ...rest, excerpt: excerptAround(text, query, maxText), truncated: true }
}

/** What a call asked about, by the names that operations have for it. */
function questionOf(input: unknown): string {
  const asked = memberOf(input, 'query') ?? memberOf(input, 'topic')
  return typeof asked === 'string' ? asked : ''
}

/** What an operation answered, with excerpts in its lists; around the words that were asked about. */
export function shortenTexts(
  output: Readonly<Record<string, unknown>>,
  input: unknown,
): Record<string, unknown> {
  const question = questionOf(input)
  return Object.fromEntries(
    Object.entries(output).map(([member, value]) => [
      member,
      Array.isArray(value) ? value.map((record: unknown) => shortenRecord(record, question)) : value,
    ]),
  )
}

/**
 * Long texts in what a model reads: an excerpt in their place, and the rest on request. Knows lists of records with a text;
 * which operation answered is no matter, but for the one that is asked for the rest.
 */
import { yieldToEventLoop } from '../clock.ts'
import { createExcerpts, exceeds } from '../core/excerpt.ts'
import { isObject, memberOf } from '../core/json.ts'

/** Characters of a text that a result of a tool holds whole. */
const maxText = 600

type Excerpt = ReturnType<typeof createExcerpts>

/** A record as it is, or with an excerpt in the place of a long text. */
async function shortenRecord(record: unknown, excerpt: Excerpt): Promise<unknown> {
  if (!isObject(record) || !('text' in record)) return record
  const { text, ...rest } = record
  if (typeof text !== 'string' || !exceeds(text, maxText)) return record
  // Milliseconds for a long text, of which an answer may have fifty: others have their turn between any two.
  await yieldToEventLoop()
  return { ...rest, excerpt: excerpt(text, maxText), truncated: true }
}

async function shortenAll(records: readonly unknown[], excerpt: Excerpt): Promise<unknown[]> {
  const shortened = []
  for (const record of records) shortened.push(await shortenRecord(record, excerpt))
  return shortened
}

/** What a call asked about, by the names that operations have for it. */
function questionOf(input: unknown): string {
  const asked = memberOf(input, 'query') ?? memberOf(input, 'topic')
  return typeof asked === 'string' ? asked : ''
}

/** What an operation answered, with excerpts in its lists; around the words that were asked about. */
export async function shortenTexts(
  output: Readonly<Record<string, unknown>>,
  input: unknown,
): Promise<Record<string, unknown>> {
  const excerpt = createExcerpts(questionOf(input))
  const shortened: [string, unknown][] = []
  for (const [member, value] of Object.entries(output))
    shortened.push([member, Array.isArray(value) ? await shortenAll(value, excerpt) : value])
  return Object.fromEntries(shortened)
}

/** What recall found, for people. */

import { createExcerpts, exceeds } from '../../core/excerpt.ts'
import { sureFrom } from '../../core/ranking.ts'
import { isStopTerm, toTerms } from '../../core/words.ts'
import { defaultLimit } from '../../operations/recall.ts'
import { keepLastRecall } from '../last-recall.ts'
import type { Session } from '../session.ts'
import { renderExplanation, renderReading } from './explanation.ts'
import { hang } from './layout.ts'
import type { Output } from './output.ts'
import { staleLabel } from './stale.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput } from './view.ts'

/** Below this nothing is shown unasked: nine of ten such results are not what was meant. */
const minShown = 0.1

/** What a probability is called; the bounds are those of the scores' calibration. */
function wordFor(score: number): string {
  if (score >= sureFrom) return 'sure'
  if (score >= 0.5) return 'likely'
  return score >= minShown ? 'maybe' : 'hardly'
}

type Item = Output<'recall'>['results'][number]

/** A question of no more words asks for what holds them, which may be many notes and each then hardly the one that is meant. */
const maxNamed = 2

/** The terms of a name asked for and nothing else; none of a longer question. */
function termsNamed(query: string): readonly string[] {
  const terms = toTerms(query)
  return terms.length <= maxNamed && !terms.some(isStopTerm) ? terms : []
}

function holdsAll(text: string, terms: readonly string[]): boolean {
  if (terms.length === 0) return false
  const held = new Set(toTerms(text))
  return terms.every((term) => held.has(term))
}

/** Characters of a text, of which the part around what was asked is shown. */
const maxExcerpt = 320

const isLong = ({ text }: Item): boolean => exceeds(text, maxExcerpt)

const whenOf = ({ created_at, edited_at }: Item): string =>
  edited_at === undefined
    ? created_at.slice(0, 10)
    : `${created_at.slice(0, 10)}, edited ${edited_at.slice(0, 10)}`

const renderItem = (item: Item, style: Style, { input, options }: RenderInput): string => {
  const flag = item.caution > 0 ? style.yellow(` flag ${item.caution}`) : ''
  // The word of the number as it is read: one printed number has one word.
  const score = item.score.toFixed(2)
  const sureness = `${score} ${wordFor(Number(score)).padEnd(6)}`
  const head = `${style.bold(String(item.id).padStart(4))}  ${sureness}${flag}  ${style.dim(whenOf(item))}`
  const cut = options.full !== true && isLong(item)
  const text = cut ? createExcerpts(String(input.query))(item.text, maxExcerpt) : item.text
  return hang(`${head}  `, staleLabel(item, style) + visible(text), style.width)
}

/** What was kept later on the same matter. */
const renderNewer = ({ newer }: Item, style: Style): string[] =>
  newer === undefined ? [] : [`      ${style.yellow(`newer on this matter: ${newer.join(', ')}`)}`]

export function render(output: Output<'recall'>, style: Style, told: RenderInput): string {
  const { input, options } = told
  const count = output.results.length + output.keyword_extra.length
  if (count === 0) return style.dim('nothing found')
  // Whoever asks for reasons, or for all, gets all.
  const whole = 'reading' in output || 'all' in output
  const named = termsNamed(String(input.query))
  // A floor that was asked for is the only one.
  const least = typeof input.min_score === 'number' ? 0 : minShown
  const worth = ({ score, text }: Item): boolean => whole || score >= least || holdsAll(text, named)
  const results = output.results.filter(worth)
  // The limit means all that is shown: what matches by keyword alone fills up what is left of it.
  const limit = typeof input.limit === 'number' ? input.limit : defaultLimit
  const extra = output.keyword_extra.filter(worth).slice(0, Math.max(0, limit - results.length))
  const lines = [
    ...renderReading(output, style),
    ...results.flatMap((item) => [
      renderItem(item, style, told),
      ...renderNewer(item, style),
      ...renderExplanation(item, output, style),
    ]),
  ]
  if (extra.length > 0) {
    lines.push(style.dim('also by keyword:'), ...extra.map((item) => renderItem(item, style, told)))
  }
  if (options.full !== true && [...results, ...extra].some(isLong)) {
    lines.push(style.dim('long texts are cut; --full shows them whole, `brain show ID` one of them'))
  }
  const hidden = output.results.length - results.length
  if (results.length + extra.length === 0) lines.push(style.dim('nothing here fits; --all shows the nearest'))
  else if (hidden > 0)
    lines.push(style.dim(`${hidden} less likely; --all shows ${hidden === 1 ? 'it' : 'them'}`))
  return lines.join('\n')
}

/** Keeps the scores for `brain recall feedback`. */
export async function after(
  output: Output<'recall'>,
  { config }: RenderInput,
  session: Session,
): Promise<void> {
  const shown = [...output.results, ...output.keyword_extra].map(({ id, score }) => [id, score])
  const { directory, database } = session.place
  keepLastRecall(directory, { database, project: config.project, scores: Object.fromEntries(shown) })
}

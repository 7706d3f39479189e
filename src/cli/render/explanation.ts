/** Why a recall result stands where it does, for people. */
import { misfits } from '../../core/misfit.ts'
import { daysInWords } from '../../core/moments.ts'
import type { VariantOutput } from '../../library-methods.ts'
import { figure } from './output.ts'
import { type Style, visible } from './style.ts'

type Explained = VariantOutput<'recall', 'explain'>

/** Maximum number of word matches shown: the weightiest suffice. */
const maxWords = 6

/** Indented lines under a result; none when it carries no explanation, or none beside what stands above all of them. */
export function renderExplanation(
  item: { readonly id: number } | Explained['results'][number],
  output: object | Pick<Explained, 'reading'>,
  style: Style,
): string[] {
  if (!('explanation' in item)) return []
  const { cosine, soft, coverage, codes, names, time, misfit, words } = item.explanation
  if ('reading' in output && output.reading.only_time)
    return [`      ${style.dim(`time ${figure(time ?? 0)}`)}`]
  const parts = [
    cosine === null ? 'no vector' : `cosine ${figure(cosine)}`,
    ...(soft === null ? [] : [`word by word ${figure(soft)}`]),
    `keywords ${figure(coverage)}`,
    ...(codes === null ? [] : [`codes ${figure(codes)}`]),
    ...(names === null ? [] : [`names ${figure(names)}`]),
    ...(time === null ? [] : [`time ${figure(time)}`]),
    ...(misfit === null ? [] : [misfits[misfit]]),
  ]
  const met = words
    .slice(0, maxWords)
    .map(({ piece, match, similarity }) => `${visible(piece)} ~ ${visible(match)} ${figure(similarity)}`)
  return [
    `      ${style.dim(parts.join(', '))}`,
    ...(met.length > 0 ? [`      ${style.dim(met.join('; '))}`] : []),
  ]
}

/**
 * Lines above the results: misspelt words and times as they were read, and turns of a conversation; none where there
 * are none.
 */
export function renderReading(
  output: object | Pick<Explained, 'reading' | 'results'>,
  style: Style,
): string[] {
  if (!('reading' in output)) return []
  const { corrections, times, conversation, only_time, agent } = output.reading
  const whose = agent === null ? '' : ` and the agent \`${visible(agent)}\``
  const has = output.results[0]?.explanation.time !== 0
  const lines = [
    ...corrections.map(({ written, read }) => `read \`${visible(written)}\` as \`${visible(read)}\``),
    ...times.map((time) => `asked about ${daysInWords(time)}`),
    ...(only_time
      ? [`asked for nothing but that time${whose}: ${has ? 'its notes, newest first' : 'it has no notes'}`]
      : []),
    ...(conversation ? ['read turns of a conversation with those around them'] : []),
  ]
  return lines.map((line) => style.dim(line))
}

/** Search: recall as one types, each result with why it stands where it does. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { count, counted } from '../../core/counts.ts'
import { misfits } from '../../core/misfit.ts'
import { daysInWords } from '../../core/moments.ts'
import { likelyFrom, sureFrom } from '../../core/ranking.ts'
import { stopWords } from '../../core/words.ts'
import { call, type Output } from '../api.ts'
import {
  Badge,
  Empty,
  idOf,
  Loading,
  Meter,
  NothingKept,
  RecordLink,
  Time,
  Trouble,
} from '../parts/basics.tsx'
import { Marked } from '../parts/marks.tsx'
import { CopyCommand } from '../parts/notices.tsx'
import { Select } from '../parts/pieces.tsx'
import { StaleMark } from '../parts/stale.tsx'
import { percent } from '../parts/words.ts'
import { agentChoices, overview } from '../project.ts'
import { askToForget } from '../record/forget.tsx'
import { useResource } from '../resource.ts'
import { addressOf, chosen, replaceRoute } from '../route.ts'

type Result = Output<'recall'>['results'][number]
type Explanation = Result['explanation']
type Answer = Output<'recall'> & {
  /** What was asked. */
  readonly question: string
}

/** Keystrokes that follow each other within this many milliseconds are asked about once they pause for as long. */
const pause = 40
const excerpt = 320
/** Minimum similarity of a matching word for it to be marked. */
const near = 0.55

/** The text, debounced: immediately after a pause, delayed during a burst such as a held key. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  const changedAt = useRef(0)
  useLayoutEffect(() => {
    const now = performance.now()
    const burst = now - changedAt.current < pause
    changedAt.current = now
    if (!burst) return setSettled(text)
    const later = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(later)
  }, [text])
  return settled
}

const parts: readonly (readonly [keyof Omit<Explanation, 'words' | 'misfit'>, string])[] = [
  ['cosine', 'meaning'],
  ['soft', 'word by word'],
  ['coverage', 'keywords'],
  ['codes', 'codes'],
  ['names', 'names'],
  ['time', 'time'],
]

/** Where nothing but a time was asked for, the time alone says why. */
const Why = ({ explanation, onlyTime }: { explanation: Explanation; onlyTime: boolean }) => (
  <details class="why">
    <summary>Why it is here</summary>
    <dl class="parts">
      {parts.map(([part, name]) => {
        const value = explanation[part]
        return value === null || (onlyTime && part !== 'time') ? null : (
          <div key={part}>
            <dt>{name}</dt>
            <dd>
              <Meter share={value} label={`${name} ${value.toFixed(2)}`} /> {value.toFixed(2)}
            </dd>
          </div>
        )
      })}
    </dl>
    {explanation.misfit !== null && <p class="met">It {misfits[explanation.misfit]}.</p>}
    {!onlyTime && explanation.words.length > 0 && (
      <p class="met">
        <span class="muted">Words that met: </span>
        {explanation.words.slice(0, 8).map(({ piece, match, similarity }) => (
          <span key={`${piece}-${match}`} class="pair">
            {piece} ~ {match} {similarity.toFixed(2)}
          </span>
        ))}
      </p>
    )}
  </details>
)

/** Words of a question that are significant by themselves. */
const wordsIn = (question: string): string[] =>
  (question.match(/[\p{L}\p{N}]{3,}/gu) ?? [])
    .filter((word) => !stopWords.has(word.toLowerCase()))
    .slice(0, 24)

function ResultCard({ result, answer }: { result: Result; answer: Answer }) {
  const { id, text, score, caution, created_at, explanation, newer = [] } = result
  const kind = caution > 0 ? 'flag' : 'memory'
  const met = explanation.words
    .filter(({ match, similarity }) => similarity >= near && !stopWords.has(match))
    .map(({ match }) => match)
  const words = [...met.filter((word) => !word.startsWith('##')), ...wordsIn(answer.question)]
  return (
    <li class={chosen('open') === idOf(kind, id) ? 'result result-open' : 'result'}>
      <p class="meta">
        <span class="score">
          <Meter
            share={score}
            label={`Likely what was asked for: ${percent(score)}`}
            tone={score >= likelyFrom ? 'accent' : 'faint'}
          />
          <b aria-hidden="true">{percent(score)}</b>
        </span>
        <StaleMark of={result.stale} told />
        <Time at={created_at} />
        <span>
          {kind === 'flag' ? <Badge kind={kind} /> : kind} {id}
        </span>
      </p>
      <RecordLink kind={kind} id={id} class="result-text">
        <Marked text={text} words={words} most={excerpt} />
      </RecordLink>
      {newer.length > 0 && (
        <p class="met">
          <span class="muted">Newer on this matter:</span>
          {newer.map((later) => (
            <RecordLink key={later} kind="memory" id={later} class="pair">
              {later}
            </RecordLink>
          ))}
        </p>
      )}
      <div class="result-foot">
        <Why explanation={explanation} onlyTime={answer.reading.only_time} />
        <CopyCommand of={['show', id]}>
          Copy command<span class="unseen"> that shows {id}</span>
        </CopyCommand>
        <button type="button" class="small" onClick={() => void askToForget({ kind, id })}>
          Forget…<span class="unseen"> {id}</span>
        </button>
      </div>
    </li>
  )
}

function Results({ results, answer, title }: { results: readonly Result[]; answer: Answer; title?: string }) {
  if (results.length === 0) return null
  return (
    <section class={title === undefined ? 'likely' : 'unlikely'} aria-label={title ?? 'What fits'}>
      {title !== undefined && <h2>{title}</h2>}
      <ol class="results">
        {results.map((result) => (
          <ResultCard key={result.id} result={result} answer={answer} />
        ))}
      </ol>
    </section>
  )
}

/** Arrow keys go from the field to the results and among them. */
function walk(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [...document.querySelectorAll<HTMLElement>('#query, a.result-text')]
  const here = stops.findIndex((stop) => stop.matches(':focus'))
  const next = stops[here + (event.key === 'ArrowDown' ? 1 : -1)]
  if (here === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Without one, as many as the operation answers by itself. */
const limits = [
  { value: '', label: 'as many as usual' },
  { value: '20', label: 'at most 20' },
  { value: '50', label: 'at most 50' },
]

const times = [
  { value: '', label: 'any time' },
  { value: '1w', label: 'last week' },
  { value: '4w', label: 'last four weeks' },
]

const kinds = [
  { value: '', label: 'memories and flags' },
  { value: 'memory', label: 'memories' },
  { value: 'flag', label: 'flags' },
]

type NoteKind = 'memory' | 'flag'
const isNoteKind = (kind: string): kind is NoteKind => kind === 'memory' || kind === 'flag'

function Told({ answer }: { answer: Answer }) {
  const { mode, results, reading, question } = answer
  const fits = results.filter(({ score }) => score >= likelyFrom).length
  return (
    <p class="told" role="status">
      {results.length === 0
        ? 'Nothing found.'
        : fits === 0
          ? 'Nothing seems to fit.'
          : `${counted(fits, 'memory', 'memories')} ${fits === 1 ? 'fits' : 'fit'}.`}
      {mode === 'keyword' && ' By keyword: no embedder answers.'}
      {reading.corrections.map(({ written, read }) => ` Read “${written}” as “${read}”.`)}
      {reading.times.map((days) => ` Asked about ${daysInWords(days)}.`)}
      {reading.only_time &&
        ` Asked for nothing but that time${reading.agent === null ? '' : ` and the agent “${reading.agent}”`}: ${
          results[0]?.explanation.time !== 0 ? 'its notes, newest first' : 'it has no notes'
        }.`}
      {reading.conversation && ' Turns are read with those around them.'}{' '}
      <CopyCommand
        of={['recall', question, ...(chosen('limit') === '' ? [] : ['--limit', chosen('limit')])]}
      />
    </p>
  )
}

function Beginning() {
  const counts = overview.value?.counts
  if (counts === undefined) return null
  if (counts.memories === 0) return <NothingKept />
  return (
    <Empty title={`Ask ${counted(counts.memories, 'memory', 'memories')}`}>
      <p>Any words will do: they need not be those of the note. Arrow keys walk the results.</p>
      <p class="ways">
        <a href={addressOf({}, 'timeline')}>What was written lately</a>
        <a href={addressOf({ since: 'yesterday' }, 'timeline')}>Yesterday</a>
        <a href={addressOf({}, 'beliefs')}>{counted(counts.beliefs, 'belief')}</a>
        <a href={addressOf({}, 'predictions')}>{counted(counts.open_predictions, 'open prediction')}</a>
      </p>
    </Empty>
  )
}

function Answered({ answer }: { answer: Answer }) {
  const { results, keyword_extra: extra } = answer
  return (
    <>
      <Told answer={answer} />
      <Results results={results.filter(({ score }) => score >= likelyFrom)} answer={answer} />
      <Results
        title="Nearest of the rest, unlikely to be it"
        results={results.filter(({ score }) => score < likelyFrom)}
        answer={answer}
      />
      {extra.length > 0 && <p class="muted">{count(extra.length)} more by keyword alone.</p>}
    </>
  )
}

export function Search() {
  const question = chosen('q')
  const limit = chosen('limit')
  const least = chosen('min')
  const wanted = chosen('kind')
  const filters = {
    ...(limit !== '' && { limit: Number(limit) }),
    ...(least !== '' && { min_score: Number(least) }),
    ...(chosen('agent') !== '' && { agent: chosen('agent') }),
    ...(chosen('since') !== '' && { since: chosen('since') }),
    ...(isNoteKind(wanted) && { kind: wanted }),
  }
  const field = useRef<HTMLInputElement>(null)
  const settled = useSettled(question)
  const asks = settled.trim() !== ''
  const { value, error, loading } = useResource(
    asks ? JSON.stringify([settled, filters]) : undefined,
    async (signal): Promise<Answer> => {
      const answer = await call('recall', { query: settled, ...filters }, signal)
      return { ...answer, question: settled }
    },
  )
  // Drawn again for another answer, not for every letter that is typed meanwhile.
  const answered = useMemo(() => value && <Answered answer={value} />, [value])
  useEffect(() => {
    if (chosen('open') === '') field.current?.focus()
  }, [])
  const set = (choice: Record<string, string>): void =>
    replaceRoute(addressOf({ ...choice, open: undefined }))
  return (
    <div onKeyDown={walk}>
      <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
        <label for="query" class="unseen">
          Search memories
        </label>
        <input
          id="query"
          ref={field}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="What do you want to know?"
          maxLength={2000}
          value={question}
          onInput={(event) => set({ q: event.currentTarget.value })}
        />
        <div class="filters">
          <label class="select">
            <span>At most</span>
            <select value={limit} onChange={(event) => set({ limit: event.currentTarget.value })}>
              {limits.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label class="select">
            <span>Only</span>
            <select value={least} onChange={(event) => set({ min: event.currentTarget.value })}>
              <option value="">whatever is nearest</option>
              <option value={String(likelyFrom)}>what may fit ({percent(likelyFrom)})</option>
              <option value={String(sureFrom)}>what surely fits ({percent(sureFrom)})</option>
            </select>
          </label>
          <Select name="agent" label="By" choices={agentChoices.value} />
          <Select name="since" label="From" choices={times} />
          <Select name="kind" label="Of" choices={kinds} />
        </div>
      </form>
      <Trouble error={error} />
      {asks && value !== undefined ? (
        <div aria-busy={loading || question !== settled}>{answered}</div>
      ) : question.trim() === '' ? (
        <Beginning />
      ) : (
        loading && <Loading />
      )}
    </div>
  )
}

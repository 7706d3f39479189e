/** One record for people: its text, what is known of it, and the commands that act on it. */
import { counted } from '../../core/counts.ts'
import { hang } from './layout.ts'
import { byAgent, day, figure, minute, type Output } from './output.ts'
import { tellPrediction } from './prediction.ts'
import { stateWord } from './stale.ts'
import { type Style, visible } from './style.ts'
import { remarksOn } from './trail-remarks.ts'

type Shown = Output<'show'>['record']
type Note = Extract<Shown, { kind: 'memory' | 'flag' }>

/** What is shown of a record. */
export interface RecordText {
  readonly text: string
  readonly facts: readonly string[]
  readonly commands: readonly string[]
}

const sources = (ids: readonly number[]): string =>
  ids.length === 0 ? 'memories since forgotten' : ids.join(', ')

/** A text of many lines under the first. */
const indented = (text: string): string => text.replaceAll('\n', '\n    ')

const tellEnd = (at: string): string =>
  Date.parse(at) > Date.now()
    ? `ends at ${minute(at)}, and is hidden from then on`
    : `ended at ${minute(at)}, and is hidden`

const lifeOf = ({ tags, pinned_at, expires_at }: Note): string[] => [
  ...(tags.length === 0 ? [] : [`tagged ${tags.join(', ')}`]),
  ...(pinned_at === null ? [] : [`pinned on ${day(pinned_at)}`]),
  ...(expires_at === null ? [] : [tellEnd(expires_at)]),
]

const withCaution = (caution: number): string => (caution > 0 ? ` with caution ${caution}` : '')

/** What sets earlier texts apart beside their words: the caution, where it changed, and the memory that one was. */
function marksOf({ former_id, caution }: Note['versions'][number], cautionChanged: boolean): string {
  const marks = [
    ...(former_id === null ? [] : [`memory ${former_id}, merged`]),
    ...(cautionChanged ? [caution > 0 ? `caution ${caution}` : 'no flag'] : []),
  ]
  return marks.length === 0 ? '' : `(${marks.join('; ')}) `
}

function tellNote(record: Note): RecordText {
  const { id, text, caution, agent, created_at, edited_at, versions, no_match_for, pinned_at } = record
  const dreams = record.cited_by_dreams
  const first = versions[0]?.former_id === null ? versions[0] : undefined
  const cautionChanged = versions.some((version) => version.caution !== caution)
  // The caution of an edited memory is its last edit's, not what it was kept with.
  const keptCaution = edited_at === null ? caution : (first?.caution ?? 0)
  return {
    text,
    facts: [
      `kept${byAgent(first?.agent ?? agent)} on ${day(created_at)}${withCaution(keptCaution)}`,
      ...(edited_at === null ? [] : [`edited${byAgent(agent)} on ${day(edited_at)}${withCaution(caution)}`]),
      ...lifeOf(record),
      ...(dreams.length > 0 ? [`dreams of it: ${dreams.join(', ')} (brain show dream ${dreams[0]})`] : []),
      ...no_match_for.map((topic) => `said to be no match for: ${indented(topic)}`),
      ...(versions.length === 0 ? [] : ['before that:']),
      ...versions
        .toReversed()
        .map(
          (version) =>
            `  ${day(version.created_at)}  ${marksOf(version, cautionChanged)}${indented(version.text)}`,
        ),
    ],
    commands: [
      `brain edit ${id} …`,
      `brain tag ${id} …`,
      pinned_at === null ? `brain pin ${id}` : `brain unpin ${id}`,
      `brain expire ${id} …`,
    ],
  }
}

/** What is shown of each kind; a new kind does not compile until it is here. */
function tell(record: Shown): RecordText {
  switch (record.kind) {
    case 'memory':
    case 'flag':
      return tellNote(record)
    case 'belief': {
      const {
        id,
        text,
        confidence,
        verdict,
        sprt_status,
        caveats = [],
        events,
        superseded_by,
        revised_from,
        created_at,
      } = record
      return {
        text,
        facts: [
          `believed on ${day(created_at)}; ${verdict ?? sprt_status} at ${figure(confidence)} after ${counted(events.length, 'observation')}`,
          ...(revised_from === null ? [] : [`in the place of belief ${revised_from}`]),
          ...(superseded_by === null ? [] : [`superseded by belief ${superseded_by}`]),
          ...events.map((event) => {
            const remarks = remarksOn(event).join('; ')
            return `  ${day(event.created_at)}  ${event.kind} ${event.strength}${remarks === '' ? '' : `: ${remarks}`}`
          }),
          ...caveats,
        ],
        commands:
          superseded_by === null
            ? [`brain evidence-for ${id}`, `brain evidence ${id} …`, `brain revise ${id} …`]
            : [`brain evidence-for ${id}`],
      }
    }
    case 'prediction':
      return tellPrediction(record)
    case 'dream': {
      const { thought, dream_kind, source_memory_ids, novelty, created_at, read_at } = record
      return {
        text: thought,
        facts: [
          `dreamt on ${day(created_at)} (${dream_kind}, ${Math.round(novelty * 100)} % new), ${read_at === null ? 'unread' : `read on ${day(read_at)}`}`,
          `from memories ${sources(source_memory_ids)}`,
        ],
        commands: source_memory_ids.slice(0, 3).map((source) => `brain show ${source}`),
      }
    }
    case 'evidence': {
      const { belief_id, text, evidence_kind, strength, created_at, stale: _, ...event } = record
      return {
        text,
        facts: [
          `seen on ${day(created_at)}: ${evidence_kind} ${strength} for belief ${belief_id}`,
          ...remarksOn({ ...event, created_at, kind: evidence_kind, strength }),
        ],
        commands: [`brain show belief ${belief_id}`, `brain evidence-for ${belief_id}`],
      }
    }
    case 'observation': {
      const { observation, observer_agent, subject_agent, observation_kind, created_at } = record
      return {
        text: observation,
        facts: [
          `${observer_agent} on ${subject_agent}, ${day(created_at)}${observation_kind === null ? '' : `, ${observation_kind}`}`,
        ],
        commands: [`brain outside-views ${subject_agent}`],
      }
    }
  }
}

/** From where it was kept, in a line; none where that is not known. */
function circumstancesOf(record: Shown): string[] {
  const { agent, session, branch, commit, origin } = ('provenance' in record && record.provenance) || {}
  const known = [
    byAgent(agent).trim(),
    branch && `on ${branch}`,
    commit && `at ${commit.slice(0, 12)}`,
    session && `in session ${session}`,
    origin && `imported, ${origin} there`,
  ].filter((part) => typeof part === 'string' && part !== '')
  return known.length === 0 ? [] : [`recorded ${known.join(', ')}`]
}

/** Places it rests on, a line each. */
function citationsOf(record: Shown): string[] {
  const citations = ('citations' in record && record.citations) || []
  return citations.map(({ path, state, now_at }) => {
    const told = state === 'moved' ? `moved to ${now_at}` : state === 'fresh' ? 'as it was' : stateWord(state)
    return `cites ${path}: ${told}`
  })
}

function renderOne(record: Shown, style: Style): string {
  const { text, facts: own, commands } = tell(record)
  const facts = [...own, ...circumstancesOf(record), ...citationsOf(record)]
  return [
    hang(`${style.bold(`${record.kind} ${record.id}`)}  `, visible(text), style.width),
    ...facts.map((fact) => hang('', visible(fact), style.width)),
    ...(commands.length > 0 ? [style.dim(hang('', visible(commands.join('   ')), style.width))] : []),
  ].join('\n')
}

export const render = ({ record, more = [] }: Output<'show'>, style: Style): string =>
  [record, ...more].map((one) => renderOne(one, style)).join('\n\n')

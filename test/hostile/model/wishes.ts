/**
 * Random calls: raw material that fast-check makes and shrinks, and the call that comes of it once it is known what
 * the brain holds. Aims at records that are there, and now and then at those that are gone, closed or somebody else's.
 */
import fc from 'fast-check'
import type { Contents, Kind } from './contents.ts'
import type { Via } from './scene.ts'
import type { Ask } from './searches.ts'

/** No word is a stop word, and no two have a stem in common. */
const vocabulary = [
  ...[
    'deploy',
    'queue',
    'cache',
    'invoice',
    'kitten',
    'harbour',
    'migration',
    'telescope',
    'garden',
    'backup',
  ],
  ...['violin', 'timeout', 'lantern', 'budget', 'planner', 'index', 'glacier', 'password'],
]

/** What a text may also hold; none of it may mean anything to a store, a shell, a terminal or a parser. */
const oddities = [
  '"; DROP TABLE memory; --',
  'AND OR NOT NEAR(x) * : ^ "',
  '--json --help',
  '😀🏽 ﷽ ‮esrever‬ é̂',
  'line\nbreak\ttab\r\n',
  '\u001b[31mred\u0007',
  '{"type":"memory","id":1}',
  '%s %00 ../../etc/passwd $(reboot)',
  ' (a long one) '.repeat(300),
] as const

const agents = ['default', 'planner', 'grüße'] as const
const domains = ['infra', 'weather', 'releases'] as const
const strengths = [0.1, 0.3, 0.5, 0.6, 0.75, 0.9] as const
const units = [0, 0.05, 0.1, 0.3, 0.5, 0.62, 0.7, 0.95, 1] as const

export interface Wish {
  readonly operation: string
  readonly project: 'red' | 'blue'
  readonly via: Via
  /** Without an embedder, where a command is used. */
  readonly bare: boolean
  readonly agent: (typeof agents)[number]
  readonly words: readonly string[]
  readonly oddity: (typeof oddities)[number] | undefined
  /** Whether the text is to be like no other. */
  readonly marked: boolean
  /** Whether it aims at any record there ever was, or at one that is there for it. */
  readonly wild: boolean
  readonly at: number
  readonly unit: number | undefined
  readonly choice: number
  readonly limit: number
}

const writing = [
  ...[
    'remember',
    'remember',
    'flag',
    'believe',
    'revise',
    'evidence',
    'evidence',
    'predict',
    'resolve',
    'note_about',
  ],
  ...['forget', 'recall_dreams'],
] as const

const reading = [
  ...[
    'recall',
    'recall',
    'recall',
    'assess',
    'assess',
    'beliefs',
    'evidence_for',
    'predictions_open',
    'calibration',
  ],
  ...['outside_views'],
] as const

const wishOf = (operations: readonly string[], vias: readonly Via[]): fc.Arbitrary<Wish> =>
  fc.record({
    operation: fc.constantFrom(...operations),
    project: fc.constantFrom('red' as const, 'blue' as const),
    via: fc.constantFrom(...vias),
    bare: fc.integer({ min: 0, max: 3 }).map((at) => at === 3),
    agent: fc.constantFrom(...agents),
    words: fc.subarray(vocabulary, { minLength: 1, maxLength: 5 }),
    oddity: fc.option(fc.constantFrom(...oddities), { nil: undefined, freq: 4 }),
    marked: fc.boolean(),
    wild: fc.integer({ min: 0, max: 2 }).map((at) => at === 2),
    at: fc.nat(60),
    unit: fc.option(fc.constantFrom(...units), { nil: undefined }),
    choice: fc.nat(11),
    limit: fc.constantFrom(50, 20, 2),
  })

// A command takes a hundred times as long as a request.
const often: readonly Via[] = ['http', 'http', 'http', 'http', 'http', 'http', 'mcp', 'mcp', 'mcp', 'command']

export const wish = fc.oneof(
  { weight: 3, arbitrary: wishOf(writing, often) },
  { weight: 2, arbitrary: wishOf(reading, often) },
)

/** Calls that change something, for when the answer may be lost. */
export const writes = fc.array(wishOf(writing, often), { minLength: 1, maxLength: 10 })

/** Numbers that make one text unlike any other; none is used twice in a scene. */
export interface Marks {
  next: number
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]

function targetOf(contents: Contents, wish: Wish, kind: Kind): number {
  const { project, wild, at } = wish
  const [own, all]: [number[], number[]] =
    kind === 'memory'
      ? [contents.alive(project).map(({ id }) => id), contents.memories.map(({ id }) => id)]
      : kind === 'belief'
        ? [
            contents.beliefs
              .filter((one) => one.project === project && one.supersededBy === null)
              .map(({ id }) => id),
            contents.beliefs.map(({ id }) => id),
          ]
        : [
            contents.predictions
              .filter((one) => one.project === project && one.closing === null)
              .map(({ id }) => id),
            contents.predictions.map(({ id }) => id),
          ]
  const absent = (contents.last.get(kind) ?? 0) + 1_000
  return pick(wild ? [...all, absent] : own, at) ?? absent
}

const given = (input: Record<string, string | number | undefined>): Ask['input'] =>
  Object.fromEntries(
    Object.entries(input).flatMap(([member, value]) => (value === undefined ? [] : [[member, value]])),
  )

function textOf({ words, oddity, marked }: Wish, marks: Marks, certainly: boolean): string {
  marks.next += 1
  const mark = marked || oddity !== undefined || certainly ? [`n${marks.next}`] : []
  return [...words, ...mark, ...(oddity === undefined ? [] : [oddity])].join(' ')
}

/** What is searched for: some words, or the very text of a memory of either project, forgotten or not. */
function searched(contents: Contents, { words, wild, at, choice }: Wish): string {
  if (choice < 4) return words.join(' ')
  const memories = wild ? contents.memories : contents.memories.filter(({ forgotten }) => !forgotten)
  return pick(memories, at)?.text ?? words.join(' ')
}

/** The call; with `certainly` its text is like no other, so that its trace can be found. */
export function toAsk(contents: Contents, wish: Wish, marks: Marks, certainly = false): Ask {
  const { operation, project, words, unit, choice, limit } = wish
  // A server of tools has one agent, and each takes a while to start.
  const agent = wish.via === 'mcp' ? 'planner' : wish.agent
  const text = textOf(wish, marks, certainly)
  const simple = [...words, `n${marks.next}`].join(' ')
  const strength = pick(strengths, choice)
  const inputs: Record<string, () => Record<string, string | number | undefined>> = {
    remember: () => ({ text }),
    flag: () => ({ text, caution: unit }),
    recall: () => ({ query: searched(contents, wish), limit: 50 }),
    assess: () => ({ topic: searched(contents, wish) }),
    forget: () => ({ memory_id: targetOf(contents, wish, 'memory') }),
    recall_dreams: () => ({ limit: 1 + (choice % 3) }),
    believe: () => ({ text, confidence: unit }),
    revise: () => ({ belief_id: targetOf(contents, wish, 'belief'), new_text: text, confidence: unit }),
    evidence: () => ({
      belief_id: targetOf(contents, wish, 'belief'),
      kind: choice % 3 === 0 ? 'refuting' : 'supporting',
      strength,
      note: certainly || choice > 5 ? text : undefined,
    }),
    evidence_for: () => ({ belief_id: targetOf(contents, wish, 'belief') }),
    beliefs: () => ({
      limit,
      status: pick([undefined, undefined, 'accumulating', 'promoted', 'demoted'], choice),
    }),
    predict: () => ({
      prediction: simple,
      domain: pick(domains, choice),
      confidence: unit,
      basis: choice > 5 ? words.slice(1).join(' ') || undefined : undefined,
    }),
    resolve: () => ({
      prediction_id: targetOf(contents, wish, 'prediction'),
      outcome: pick(['correct', 'incorrect', 'partial'], choice),
      actual: text,
      surprise: choice > 8 ? unit : undefined,
    }),
    predictions_open: () => ({ limit }),
    calibration: () => ({ since_days: choice > 5 ? 1 : undefined }),
    note_about: () => ({
      subject_agent: pick(agents, choice),
      observation: text,
      kind: pick([undefined, 'characterization', 'pattern', 'feedback'], choice),
    }),
    outside_views: () => ({ subject_agent: pick([undefined, ...agents], choice), limit }),
  }
  return { operation, project, agent, input: given(inputs[operation]?.() ?? {}) }
}

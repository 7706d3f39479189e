/** Bad input: every rule of every member gets its decided sentence, with status 400, and changes nothing. */
import { describe, expect, it } from 'vitest'
import { readAll, startClient } from './client.ts'

type Rule =
  | { readonly type: 'text' | 'name' | 'id' | 'any number' }
  | { readonly type: 'number'; readonly lo: number; readonly hi: number }
  | { readonly type: 'enum'; readonly values: readonly string[] }

interface Member {
  readonly name: string
  readonly required: boolean
  readonly rule: Rule
}

interface Endpoint {
  readonly path: string
  readonly valid: Record<string, unknown>
  readonly members: readonly Member[]
}

const required = (name: string, rule: Rule): Member => ({ name, required: true, rule })
const optional = (name: string, rule: Rule): Member => ({ name, required: false, rule })
const text: Rule = { type: 'text' }
const named: Rule = { type: 'name' }
const id: Rule = { type: 'id' }
const anyNumber: Rule = { type: 'any number' }
const unit: Rule = { type: 'number', lo: 0, hi: 1 }
const oneOf = (...values: string[]): Rule => ({ type: 'enum', values })

const endpoints: readonly Endpoint[] = [
  {
    path: '/v1/believe',
    valid: { text: 'x' },
    members: [required('text', text), optional('confidence', anyNumber)],
  },
  {
    path: '/v1/revise',
    valid: { belief_id: 1, new_text: 'x' },
    members: [required('belief_id', id), required('new_text', text), optional('confidence', anyNumber)],
  },
  {
    path: '/v1/evidence',
    valid: { belief_id: 1, kind: 'supporting', strength: 0.5 },
    members: [
      required('belief_id', id),
      required('kind', oneOf('supporting', 'refuting')),
      required('strength', { type: 'number', lo: 0.1, hi: 0.9 }),
      optional('note', text),
    ],
  },
  {
    path: '/v1/predict',
    valid: { prediction: 'x', domain: 'd' },
    members: [
      required('prediction', text),
      required('domain', named),
      optional('confidence', unit),
      optional('basis', text),
    ],
  },
  {
    path: '/v1/resolve',
    valid: { prediction_id: 1, outcome: 'correct', actual: 'x' },
    members: [
      required('prediction_id', id),
      required('outcome', oneOf('correct', 'incorrect', 'partial')),
      required('actual', text),
      optional('surprise', unit),
    ],
  },
  { path: '/v1/flag', valid: { text: 'x' }, members: [required('text', text), optional('caution', unit)] },
  { path: '/v1/assess', valid: { topic: 'x' }, members: [required('topic', text)] },
  {
    path: '/v1/note_about',
    valid: { subject_agent: 'a', observation: 'x' },
    members: [
      required('subject_agent', named),
      required('observation', text),
      optional('kind', oneOf('characterization', 'pattern', 'feedback')),
    ],
  },
]

/** Values no caller should send, each with what is said of it. */
function badValues({ rule }: Member): [unknown, string][] {
  switch (rule.type) {
    case 'text':
      return [
        [5, 'must be a string'],
        [['x'], 'must be a string'],
        [true, 'must be a string'],
        ['', 'must not be empty'],
        [' \n\t ', 'must not be empty'],
        ['a\u0000b', 'must not contain NUL'],
        ['a\ud800b', 'must be well-formed Unicode'],
        ['x'.repeat(65_537), 'must be at most 65536 bytes'],
        ['é'.repeat(32_769), 'must be at most 65536 bytes'],
      ]
    case 'name':
      return [
        [5, 'must be a string'],
        [{}, 'must be a string'],
        ['  ', 'must not be empty'],
        ['a\u0000b', 'must not contain control characters'],
        ['a\nb', 'must not contain control characters'],
        ['a\u009fb', 'must not contain control characters'],
        ['\udfff', 'must be well-formed Unicode'],
        ['x'.repeat(129), 'must be at most 128 characters'],
        ['🦊'.repeat(129), 'must be at most 128 characters'],
      ]
    case 'id':
      return [0, -1, 1.5, '1', 2 ** 53, true, [1]].map((value) => [value, 'must be a positive integer'])
    case 'any number':
      return ['0.7', true, [0.7], {}].map((value) => [value, 'must be a number'])
    case 'number':
      return [
        ['0.5', 'must be a number'],
        [true, 'must be a number'],
        [[], 'must be a number'],
        [rule.lo - 1e-9, `must be between ${rule.lo} and ${rule.hi}`],
        [rule.hi + 1e-9, `must be between ${rule.lo} and ${rule.hi}`],
        [-1e308, `must be between ${rule.lo} and ${rule.hi}`],
      ]
    case 'enum':
      return ['', 'Correct', 5, true, [rule.values[0]], ` ${rule.values[0]}`].map((value) => [
        value,
        `must be one of: ${rule.values.join(', ')}`,
      ])
  }
}

const rows = endpoints.flatMap(({ path, valid, members }) => [
  { path, body: { ...valid, surplus: 1 }, error: 'unknown field: surplus' },
  { path, body: { ...valid, project: 'theirs' }, error: 'unknown field: project' },
  { path, body: [], error: 'body must be a JSON object' },
  { path, body: 'x', error: 'body must be a JSON object' },
  { path, body: null, error: 'body must be a JSON object' },
  ...members.flatMap((member) => {
    const { name } = member
    const missing = [undefined, null].map((value) => [value, 'is required'] as const)
    return [...(member.required ? missing : []), ...badValues(member)].map(([value, sentence]) => ({
      path,
      body: { ...valid, [name]: value },
      error: `${name} ${sentence}`,
    }))
  }),
])

const queries: readonly [path: string, error: string][] = [
  ['/v1/beliefs?limit=0', 'limit must be an integer between 1 and 100'],
  ['/v1/beliefs?limit=101', 'limit must be an integer between 1 and 100'],
  ['/v1/beliefs?limit=1.5', 'limit must be an integer'],
  ['/v1/beliefs?limit=ten', 'limit must be an integer'],
  ['/v1/beliefs?limit=-1', 'limit must be an integer'],
  ['/v1/beliefs?limit=', 'limit must be an integer'],
  ['/v1/beliefs?status=maybe', 'status must be one of: accumulating, promoted, demoted'],
  ['/v1/beliefs?status=', 'status must be one of: accumulating, promoted, demoted'],
  ['/v1/beliefs?order=id', 'order must be one of: created, moved'],
  ['/v1/beliefs?sort=id', 'unknown field: sort'],
  ['/v1/evidence/abc', 'belief_id must be a positive integer'],
  ['/v1/evidence/0', 'belief_id must be a positive integer'],
  ['/v1/evidence/1.0', 'belief_id must be a positive integer'],
  ['/v1/evidence/9007199254740992', 'belief_id must be a positive integer'],
  ['/v1/predictions/open?limit=51', 'limit must be an integer between 1 and 50'],
  ['/v1/predictions/open?limit=0', 'limit must be an integer between 1 and 50'],
  ['/v1/calibration?since_days=0', 'since_days must be an integer of at least 1'],
  ['/v1/calibration?since_days=1.5', 'since_days must be an integer'],
  ['/v1/calibration?since_days=week', 'since_days must be an integer'],
  ['/v1/calibration?domain=infra', 'unknown field: domain'],
  ['/v1/outside_views?limit=101', 'limit must be an integer between 1 and 100'],
  ['/v1/outside_views?subject_agent=', 'subject_agent must not be empty'],
  ['/v1/outside_views?subject_agent=%20', 'subject_agent must not be empty'],
  ['/v1/outside_views?subject_agent=%00', 'subject_agent must not contain control characters'],
  ['/v1/outside_views?subject_agent=%ff', 'subject_agent must be well-formed Unicode'],
  ['/v1/state?minutes=5', 'unknown field: minutes'],
]

describe('bad input', () => {
  it(`is refused in the decided words and changes nothing (${rows.length} bodies)`, async () => {
    const client = await startClient()
    await client.write('/v1/believe', { text: 'stays as it is' })
    await client.write('/v1/predict', { prediction: 'stays open', domain: 'infra' })
    const before = await readAll(client)
    for (const { path, body, error } of rows) {
      const { status, body: answer } = await client.post(path, body)
      expect({ path, body, status, answer }).toEqual({ path, body, status: 400, answer: { error } })
    }
    expect(await readAll(client)).toEqual(before)
  })

  it(`in queries and paths is refused likewise (${queries.length} targets)`, async () => {
    const client = await startClient()
    for (const [path, error] of queries) {
      const { status, body } = await client.get(path)
      expect({ path, status, body }).toEqual({ path, status: 400, body: { error } })
    }
  })

  it('names the first problem in the order of the specification', async () => {
    const client = await startClient()
    const { body } = await client.post('/v1/evidence', { note: 5, strength: 'x', kind: 'y' })
    expect(body).toEqual({ error: 'belief_id is required' })
    const later = await client.post('/v1/evidence', {
      note: 5,
      strength: 'x',
      kind: 'supporting',
      belief_id: 1,
    })
    expect(later.body).toEqual({ error: 'strength must be a number' })
  })

  it('is named before the record it points to is looked at', async () => {
    const client = await startClient()
    const { status, body } = await client.post('/v1/resolve', {
      prediction_id: 99,
      outcome: 'maybe',
      actual: 'x',
    })
    expect([status, body]).toEqual([400, { error: 'outcome must be one of: correct, incorrect, partial' }])
  })

  it('of optional members does not include null, nor the far ends of their ranges', async () => {
    const client = await startClient()
    await client.write('/v1/believe', { text: 'x', confidence: null })
    await client.write('/v1/believe', { text: 'x'.repeat(65_536), confidence: -5 })
    await client.write('/v1/evidence', { belief_id: 1, kind: 'refuting', strength: 0.1, note: null })
    await client.write('/v1/evidence', { belief_id: 1, kind: 'refuting', strength: 0.9 })
    await client.write('/v1/predict', { prediction: 'x', domain: ' d ', confidence: 0, basis: null })
    await client.write('/v1/predict', { prediction: 'x', domain: '🦊'.repeat(128), confidence: 1 })
    await client.write('/v1/resolve', { prediction_id: 1, outcome: 'partial', actual: 'x', surprise: 0 })
    await client.write('/v1/resolve', { prediction_id: 2, outcome: 'partial', actual: 'x', surprise: null })
    await client.write('/v1/flag', { text: 'x', caution: 0 })
    await client.write('/v1/flag', { text: 'x', caution: 1 })
    await client.write('/v1/note_about', { subject_agent: 'a', observation: 'x', kind: null })
  })
})

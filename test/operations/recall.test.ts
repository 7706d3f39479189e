import { describe, expect, test } from 'vitest'
import { openSmallBrain, type SmallBrain } from './small-brain.ts'

async function remember(brain: SmallBrain, ...texts: string[]): Promise<void> {
  for (const text of texts) await brain.call('remember', { text })
}

const textsOf = (items: readonly { text: string }[]): string[] => items.map(({ text }) => text)

/** Other notes, alike enough to be in the way. */
const crowd = Array.from(
  { length: 30 },
  (_, at) => `upgraded the client library to v2.${at}.0 after the outage of user_${at}`,
)

describe('recall by meaning', () => {
  test('finds a note that shares no word with the query', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(brain, 'lunch is at noon', 'remove the relation', 'the office cat sleeps')
    const { mode, results } = await brain.call('recall', { query: 'drop table' })
    expect(mode).toBe('semantic')
    expect(results[0]?.text).toBe('remove the relation')
  })

  test.each([
    ['what broke with v1.8.3', 'pinned v1.8.3 of the driver'],
    ['ECONNRESET', 'the proxy answers ECONNRESET at night'],
    ['which table has user_id_fk', 'renamed user_id_fk in the schema'],
    ['src/store/open.ts', 'see src/store/open.ts before changing pragmas'],
    ['open.ts', 'see src/store/open.ts before changing pragmas'],
  ])('a note that holds what "%s" names stands first', async (query, expected) => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(
      brain,
      ...crowd,
      'pinned v1.8.3 of the driver',
      'the proxy answers ECONNRESET at night',
      'renamed user_id_fk in the schema',
      'see src/store/open.ts before changing pragmas',
    )
    const { results } = await brain.call('recall', { query })
    expect(results[0]?.text).toBe(expected)
  })

  test.each([
    ['1.8.3', 'pinned v1.8.3 of the driver', '1.8.4 broke it'],
    ['v1.8.5', 'the lock file says 1.8.5', 'what about v1.8.6'],
    ['10.1.2.3', 'the replica is 10.1.2.3:5432', '10.1.2.30'],
    ['port 5433', 'the replica listens on 5433', 'port 5432'],
    ['issue 3501', 'fixed in #3501', 'issue 350'],
    ['2026-01-31', 'it ends on 2026-01-31', 'what about 2026-01-30'],
    ['--amend', 'never commit --amend after a push', 'amend the commit'],
    ['.env', 'secrets belong in .env and nowhere else', 'env of the shell'],
    ['C++', 'the parser is written in C++', 'grade C'],
    ['batch-account-email', 'see batch-account-email', 'batch-email-account'],
    ['C:\\Users\\marta', 'logs are under C:\\Users\\marta\\logs', 'D:\\Users\\marta'],
    ['src/cli/frame.ts', 'frame.ts draws the first line', 'src/cli/line.ts draws the frame'],
    [
      'https://example.test/list?page=2',
      'see https://example.test/list?page=2',
      'https://example.test/list?page=3',
    ],
    ['v3.1.4', '升级到v3.1.4后失败', '升级到v3.1.5后失败'],
    ['数据库', '我们的数据库在夜里迁移', '数据在库里'],
    ['ログ', '古いログは消す', 'ロクな話'],
  ])('a note that holds %s stands before one that nearly does', async (name, holding, near) => {
    const brain = await openSmallBrain({ semantic: true })
    for (const query of [name, `what do we know about ${name}?`]) {
      await remember(brain, near, `what do we know about ${near}?`, holding, ...crowd.slice(0, 5))
      expect((await brain.call('recall', { query })).results[0]?.text).toBe(holding)
    }
  })

  test.each([
    ['京都', '来週は京都へ出張する'],
    ['部署', '我们昨天部署了新版本'],
    ['백업', '데이터베이스를 백업했다'],
    ['猫', '黒猫が事務所に住んでいる'],
  ])('the substring %s of an unspaced text is found', async (query, expected) => {
    const brain = await openSmallBrain({ semantic: true })
    const notes = [
      '来週は京都へ出張する',
      '我们昨天部署了新版本',
      '데이터베이스를 백업했다',
      '黒猫が事務所に住んでいる',
    ]
    await remember(brain, ...notes)
    expect((await brain.call('recall', { query })).results[0]?.text).toBe(expected)
  })

  test('scores lie in 0..1 and never rise; no result stands twice', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(brain, ...crowd, ...crowd)
    const { results, keyword_extra } = await brain.call('recall', {
      query: 'outage of the client',
      limit: 15,
    })
    expect(results).toHaveLength(15)
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    const ids = [...results, ...keyword_extra].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('what is less likely than min_score is left out, extras too', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(brain, ...crowd, 'remove the relation')
    const query = 'drop table'
    const { results } = await brain.call('recall', { query, limit: 20 })
    const bound = results[3]?.score ?? 0
    const likely = await brain.call('recall', { query, limit: 20, min_score: bound })
    expect(likely.results).toEqual(results.filter(({ score }) => score >= bound))
    expect(likely.keyword_extra.every(({ score }) => score >= bound)).toBe(true)
    expect((await brain.call('recall', { query: 'quarterly tax return', min_score: 1 })).results).toEqual([])
    await expect(brain.call('recall', { query, min_score: 1.5 })).rejects.toThrow('min_score')
  })

  test('a text that is kept twice stands twice, with one score', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(brain, 'remove the relation', ...crowd.slice(0, 5), 'remove the relation')
    const { results } = await brain.call('recall', { query: 'drop table' })
    expect(textsOf(results).slice(0, 2)).toEqual(['remove the relation', 'remove the relation'])
    expect(results[1]?.score).toBe(results[0]?.score)
  })

  test('a note that holds the phrase in quotation marks stands before one with its words apart', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(
      brain,
      'cold the start of a warm engine is',
      'a cold start takes a second',
      ...crowd.slice(0, 5),
    )
    const { results } = await brain.call('recall', { query: 'notes on "cold start"' })
    expect(results[0]?.text).toBe('a cold start takes a second')
  })

  test('a note without a vector is among the keyword extras', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await remember(brain, 'the kettle is broken', 'the printer is fine')
    brain.embedder.reachable = false
    await remember(brain, 'the kettle was repaired')
    brain.embedder.reachable = true
    const { mode, results, keyword_extra } = await brain.call('recall', { query: 'kettle' })
    expect(mode).toBe('semantic')
    expect(textsOf(results)).toContain('the kettle is broken')
    expect(textsOf(keyword_extra)).toEqual(['the kettle was repaired'])
  })

  test('a flag is found like any memory, with its caution', async () => {
    const brain = await openSmallBrain({ semantic: true })
    await brain.call('flag', { text: 'never delete tables by hand', caution: 0.7 })
    const { results } = await brain.call('recall', { query: 'drop table' })
    expect(results).toMatchObject([{ text: 'never delete tables by hand', caution: 0.7 }])
  })

  test('an empty brain answers with nothing', async () => {
    const brain = await openSmallBrain({ semantic: true })
    expect(await brain.call('recall', { query: 'anything' })).toEqual({
      mode: 'semantic',
      results: [],
      keyword_extra: [],
    })
  })
})

describe('recall by keyword', () => {
  test('says so, ranks by coverage and has no extras', async () => {
    const brain = await openSmallBrain()
    await remember(brain, 'the migration lock is held', 'a lock on the bike shed', 'lunch at noon')
    const { mode, results, keyword_extra } = await brain.call('recall', { query: 'migration lock' })
    expect(mode).toBe('keyword')
    expect(textsOf(results)).toEqual(['the migration lock is held', 'a lock on the bike shed'])
    expect(keyword_extra).toEqual([])
    expect(results[0]?.score).toBeGreaterThan(results[1]?.score ?? 1)
    expect(results[0]?.score).toBeLessThanOrEqual(1)
  })

  test.each([
    '"lock',
    'lock OR',
    'NEAR(lock)',
    'lock*',
    'terms:lock',
    '(lock',
    'lock AND NOT',
    '-lock',
    'lock 🔒',
  ])('the query %s is words, not syntax', async (query) => {
    const brain = await openSmallBrain()
    await remember(brain, 'the lock is held', 'lunch at noon')
    expect(textsOf((await brain.call('recall', { query })).results)).toEqual(['the lock is held'])
  })

  test.each(['🎉', '"*"', '---'])('the query %s finds nothing and fails nowhere', async (query) => {
    const brain = await openSmallBrain()
    await remember(brain, 'the lock is held')
    expect((await brain.call('recall', { query })).results).toEqual([])
  })

  test('a query of stop words alone still finds them', async () => {
    const brain = await openSmallBrain()
    await remember(brain, 'to be or not to be', 'lunch at noon')
    expect(textsOf((await brain.call('recall', { query: 'to be or not' })).results)).toEqual([
      'to be or not to be',
    ])
  })

  test('another project is neither found nor counted', async () => {
    const brain = await openSmallBrain()
    await remember(brain, 'the lock is held', 'the lock is free')
    const before = await brain.call('recall', { query: 'lock held' })
    for (let at = 0; at < 20; at += 1) {
      await brain.call('remember', { text: `held lock ${at}` }, { project: 'elsewhere' })
    }
    expect(await brain.call('recall', { query: 'lock held' })).toEqual(before)
  })

  test('what is forgotten is found no more', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'the secret handshake' })
    await brain.call('forget', { memory_id: id })
    expect((await brain.call('recall', { query: 'handshake' })).results).toEqual([])
    await expect(brain.call('forget', { memory_id: id })).rejects.toThrow(`memory ${id} not found`)
  })

  test('a memory of another project is not forgotten', async () => {
    const brain = await openSmallBrain()
    const { id } = await brain.call('remember', { text: 'ours' })
    await expect(brain.call('forget', { memory_id: id }, { project: 'elsewhere' })).rejects.toThrow(
      `memory ${id} belongs to another project`,
    )
    expect((await brain.call('recall', { query: 'ours' })).results).toHaveLength(1)
  })
})

describe('costly queries', () => {
  test('a query of thousands of words is answered', async () => {
    const brain = await openSmallBrain()
    await remember(brain, 'the lock is held')
    const query = Array.from({ length: 5000 }, (_, at) => `word${at}`).join(' ')
    expect((await brain.call('recall', { query: `lock ${query}` })).results).toHaveLength(1)
  })

  test('a word that nearly every memory holds is passed over beside a rarer one', async () => {
    const brain = await openSmallBrain()
    for (let at = 0; at < 120; at += 1) await remember(brain, `deploy number ${at}`)
    await remember(brain, 'deploy the kettle')
    const { results } = await brain.call('recall', { query: 'deploy kettle', limit: 50 })
    expect(textsOf(results)).toEqual(['deploy the kettle'])
  })
})

describe('recall by time', () => {
  /** A brain with notes made at these times, oldest first, and the clock after the last. */
  async function openDiary(
    notes: readonly (readonly [at: string, text: string])[],
    now: string,
    semantic = true,
  ): Promise<SmallBrain> {
    const brain = await openSmallBrain({ semantic })
    for (const [at, text] of notes) {
      brain.clock.now = Date.parse(at)
      await remember(brain, text)
    }
    brain.clock.now = Date.parse(now)
    return brain
  }

  // Hours that belong to the same day from Los Angeles to Auckland.
  const notes = [
    ['2025-03-07T09:00Z', 'old billing provider cancelled'],
    ['2026-03-05T09:00Z', 'stand 41 at the fair'],
    ['2026-09-07T09:00Z', 'billing counts invoices per country'],
    ['2026-11-12T09:00Z', 'checkout has a new ledger'],
    ['2026-11-12T09:30Z', 'billing runs on the small machine'],
    ['2026-11-16T09:00Z', 'an appointment on 27. November um 12 Uhr'],
    ['2026-11-18T09:00Z', 'on 12 November the mirror was down'],
    ['2026-11-22T10:00Z', 'billing asks for two approvals'],
    ['2026-11-22T10:30Z', 'dashboards are behind the tunnel'],
  ] as const
  const now = '2026-11-23T10:30Z'
  const [old, fair, september, ledger, machine, appointment, mirror, approvals, tunnel] = notes.map(
    ([, text]) => text,
  )

  const likelyOf = ({ results }: { results: readonly { text: string; score: number }[] }) =>
    textsOf(results.filter(({ score }) => score >= 0.5))

  test.each([true, false])(
    'a question for nothing else finds the notes of that time (semantic: %s)',
    async (semantic) => {
      const brain = await openDiary(notes, now, semantic)
      const found = async (query: string, more: object = {}) => {
        const output = await brain.call('recall', { query, ...more })
        const scores = output.results.map(({ score }) => score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
        expect(output.keyword_extra).toEqual([])
        return likelyOf(output)
      }
      expect(await found('notes from yesterday')).toEqual([tunnel, approvals])
      expect(await found('what did we do last week?')).toEqual([tunnel, approvals, mirror, appointment])
      expect(await found('what did we do last week?', { limit: 1 })).toEqual([tunnel])
      // Whoever tells of the day comes after what was written on it, an earlier year after the last.
      expect(await found('what happened on 12 november')).toEqual([machine, ledger, mirror])
      expect(await found('what did we note in march')).toEqual([fair, old])
      expect(await found('anything before 1 March 2026')).toEqual([old])
      expect(await found('what happened on friday the 13th')).toEqual([])
      expect(await found('what did we do in the week of 9 november')).toEqual([machine, ledger, mirror])
      const day = { since: '2026-11-12', until: '2026-11-12' }
      expect(await found('what did we note', day)).toEqual([machine, ledger])
      expect(await found('what happened last week', day)).toEqual([])
      expect(await found('what happened on 12 november', { ...day, tags: ['none'] })).toEqual([])
    },
  )

  test('of very many notes of a time each is a little less likely', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ['2026-11-22T10:00Z', `note ${at}`] as const)
    const brain = await openDiary(many, now)
    const { results } = await brain.call('recall', { query: 'what did we do yesterday', limit: 50 })
    expect(results).toHaveLength(50)
    expect(results[0]?.score).toBeLessThan(0.8)
    expect(results[49]?.score).toBeGreaterThan(0.5)
  })

  test.each([true, false])(
    'a question for an agent and a time finds its notes of then (semantic: %s)',
    async (semantic) => {
      const brain = await openSmallBrain({ semantic })
      for (const [at, agent, text] of [
        ['2026-11-20T09:00Z', 'kwame', 'the mirror is slow'],
        ['2026-11-22T09:00Z', 'Kwame', 'another agent by a like name'],
        ['2026-11-22T10:00Z', 'kwame', 'renewed the certificate'],
        ['2026-11-22T10:10Z', 'priya', 'kwame was here yesterday'],
        ['2026-11-22T10:20Z', 'kwame', 'moved billing to the small machine'],
        ['2026-11-22T10:30Z', 'claude-code', 'dashboards are behind the tunnel'],
      ] as const) {
        brain.clock.now = Date.parse(at)
        await brain.call('remember', { text }, { agent })
      }
      brain.clock.now = Date.parse(now)
      const found = async (query: string) => likelyOf(await brain.call('recall', { query }))
      const own = ['moved billing to the small machine', 'renewed the certificate']
      expect(await found('what did kwame do yesterday')).toEqual(own)
      expect(await found('kwame yesterday')).toEqual(own)
      expect(await found("Kwame's notes from last Friday?")).toEqual(['the mirror is slow'])
      expect(await found('what did claude-code note yesterday')).toEqual(['dashboards are behind the tunnel'])
      expect(await found('what did kwame do this morning')).toEqual([])
      expect(await found('what did kwame move yesterday')).not.toEqual(own)
      expect(await found('what did nobody do yesterday')).not.toEqual(own)
    },
  )

  test('what happened on a movable day is looked for on the date it had that year', async () => {
    const days = ['2024-11-28', '2025-11-26', '2025-11-27'].map(
      (day) => [`${day}T09:00Z`, `on ${day}`] as const,
    )
    const brain = await openDiary(days, now)
    const query = { query: 'what happened on Thanksgiving' }
    expect(likelyOf(await brain.call('recall', query))).toEqual(['on 2025-11-27', 'on 2024-11-28'])
  })

  test('beside a subject a time is a preference, and its words are no subject', async () => {
    const brain = await openDiary(
      [...notes, ['2026-11-23T08:00Z', 'yesterday november march notes from last week']],
      now,
    )
    const found = await brain.call('recall', { query: 'notes from yesterday about billing', limit: 4 })
    expect(found.results[0]?.text).toBe(approvals)
    expect(textsOf(found.results).toSorted()).toEqual([approvals, machine, old, september].toSorted())
    const { results } = await brain.call('recall', { query: 'billing before 1 november', limit: 2 })
    expect(textsOf(results).toSorted()).toEqual([old, september].toSorted())
  })
})

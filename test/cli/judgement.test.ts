/** Beliefs, predictions, flags, agents and state as a person meets them in a shell. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBrainPlace, type Place } from './command-line.ts'

/** The output of a command that must succeed. */
async function told(place: Place, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.run(argv)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return stdout
}

describe('evidence', () => {
  it('says how much more it would take, either way', async () => {
    const place = await createBrainPlace()
    expect(await told(place, 'believe', 'the', 'cache', 'is', 'warm')).toBe('believed 1 at 0.70\n')
    expect(await told(place, 'evidence', '1', '--supporting', '--strength', '0.6')).toBe(
      'belief 1: confidence 0.70 to 0.90, log ratio 1.39, accumulating\n' +
        '2 more at 0.6 would promote it; 3 refuting at 0.6 would demote it\n',
    )
    expect(
      await told(place, 'evidence', '1', '--refuting', '--strength', '0.3', '--note', 'a miss'),
    ).toContain('5 more at 0.3 would demote it; 4 supporting at 0.3 would promote it')
    expect(await told(place, 'evidence', '1', '--supporting', '--strength', '0.9')).toContain(
      'promoted\n3 refuting at 0.9',
    )
  })

  it('keeps its promise: that many more do promote', async () => {
    const place = await createBrainPlace()
    await told(place, 'believe', 'x')
    const first = await told(place, 'evidence', '1', '--supporting', '--strength', '0.4')
    const more = Number(/(\d+) more at 0.4 would promote it/.exec(first)?.[1])
    for (let given = 1; given <= more; given++) {
      const answer = await told(place, 'evidence', '1', '--supporting', '--strength', '0.4', '--json')
      expect(JSON.parse(answer).status).toBe(given < more ? 'accumulating' : 'promoted')
    }
  })

  it('is drawn as a trail between the boundaries of this brain, within the terminal', async () => {
    const place = await createBrainPlace({ BRAIN_SPRT_ALPHA: '0.01' })
    await told(place, 'believe', 'the cache is warm')
    expect(await told(place, 'evidence-for', '1')).toContain('no evidence yet')
    await told(place, 'evidence', '1', '--supporting', '--strength', '0.6', '--note', 'hit rate\nat 93 %')
    const trail = await told(place, 'evidence-for', '1')
    expect(trail).toContain('demoted -2.29')
    expect(trail).toContain('promoted 4.50')
    expect(trail).toMatch(
      /│ +─+● +│ +\d{4}-\d\d-\d\d {2}\+1\.39 = \+1\.39 {2}supporting 0\.6\n {2}hit rate at 93 %\n/,
    )
    expect(trail).not.toContain('would a failure have been noted')
    const narrow = await place.run(['evidence-for', '1'], { interactive: true, columns: 60 })
    for (const line of narrow.stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(60)
  })

  it('that decided alone is told to be one, until a second agrees', async () => {
    const place = await createBrainPlace()
    await told(place, 'believe', 'the cache is warm')
    const alone = 'One source decides nothing'
    await told(place, 'evidence', '1', '--refuting', '--strength', '0.9')
    expect(await told(place, 'evidence-for', '1')).toContain(alone)
    await told(place, 'evidence', '1', '--refuting', '--strength', '0.3')
    expect(await told(place, 'evidence-for', '1')).not.toContain(alone)
  })

  it('that promoted a belief without a word against it asks whether a failure would have been noted', async () => {
    const place = await createBrainPlace()
    await told(place, 'believe', 'the cache is warm')
    await told(place, 'evidence', '1', '--supporting', '--strength', '0.9')
    const question = 'Only supporting evidence so far: would a failure have been noted?'
    expect(await told(place, 'evidence-for', '1')).toContain(question)
    await told(place, 'evidence', '1', '--refuting', '--strength', '0.1')
    expect(await told(place, 'evidence-for', '1')).not.toContain(question)
  })
})

describe('beliefs', () => {
  it('say so where they start with another confidence than was asked for', async () => {
    const place = await createBrainPlace()
    const bounds = 'a belief stays between 0.05 and 0.95, so that evidence can move it'
    expect(await told(place, 'believe', 'the cache is warm', '--confidence', '1')).toBe(
      `believed 1 at 0.95, not at 1: ${bounds}\n`,
    )
    expect(await told(place, 'revise', '1', 'the cache is cold', '--confidence', '0')).toBe(
      `revised belief 1: it is now 2 at 0.05, not at 0: ${bounds}\n`,
    )
    expect(await told(place, 'revise', '2', 'the cache is gone', '--confidence', '0.3')).toBe(
      'revised belief 2: it is now 3 at 0.30\n',
    )
  })

  it('are listed with confidence, verdict and evidence, revised ones by their new text', async () => {
    const place = await createBrainPlace()
    await told(place, 'believe', 'the cache is warm', '--confidence', '0.4')
    expect(await told(place, 'revise', '1', 'the cache is cold')).toBe(
      'revised belief 1: it is now 2 at 0.80, where a revised claim starts unless --confidence says otherwise; its trail is new\n',
    )
    const list = await told(place, 'beliefs')
    expect(list).toMatch(
      /^ {3}2 {2}0\.80 {2}accumulating {2}no evidence {2}[\d-]{10} {2}the cache is cold\n$/,
    )
    expect(await told(place, 'beliefs', '--status', 'promoted')).toBe('no beliefs\n')
  })

  it('are found by the verdict that is shown; by the status of the test where that is asked for', async () => {
    const place = await createBrainPlace()
    await told(place, 'believe', 'tests are flaky on Mondays')
    await told(place, 'evidence', '1', '--supporting', '--strength', '0.9', '--source', 'ci')
    expect(await told(place, 'beliefs', '--verdict', 'promoted')).toBe('no beliefs\n')
    const shown = expect.stringMatching(/accumulating .* tests are flaky/)
    expect(await told(place, 'beliefs', '--verdict', 'accumulating')).toEqual(shown)
    expect(await told(place, 'beliefs', '--status', 'promoted')).toEqual(shown)
    expect(await told(place, 'beliefs', '--status', 'accumulating')).toBe('no beliefs\n')
    await told(place, 'evidence', '1', '--supporting', '--strength', '0.5', '--source', 'ops')
    expect(await told(place, 'beliefs', '--verdict', 'promoted')).toMatch(/promoted .* tests are flaky/)
  })

  it('exit with 3 when refused', async () => {
    const place = await createBrainPlace()
    const { code, stderr } = await place.run(['revise', '7', 'x'])
    expect([code, stderr]).toEqual([3, 'brain: belief 7 not found\n`brain list belief` tells the ids.\n'])
  })
})

describe('predictions', () => {
  it('are made, listed with their basis, and resolved once', async () => {
    const place = await createBrainPlace()
    const argv = [
      'predict',
      'ships on time',
      '--domain',
      'releases',
      '--confidence',
      '0.8',
      '--basis',
      'so far so good',
    ]
    expect(await told(place, ...argv)).toBe('predicted 1 in releases at 0.80\n')
    // Programs get what the specification has, unless they ask for more.
    const [plain, more] = [['--json'], ['--all', '--json']].map((options) => ['predictions', ...options])
    expect(await told(place, ...(plain ?? []))).toBe(await told(place, 'predictions-open', '--json'))
    expect(Object.keys(JSON.parse(await told(place, ...(more ?? []))))).toContain('total')
    const limited = async (...limit: string[]) =>
      JSON.parse(await told(place, 'predictions', '--json', ...limit))
    for (const limit of [['--limit', '51'], ['--limit=500']])
      expect(await limited(...limit)).toHaveProperty('total', 1)
    expect(await limited('--limit', '50')).not.toHaveProperty('total')
    expect((await place.run(['predictions', '--json', '--limit', '501'])).stderr).toContain(
      'between 1 and 500',
    )
    expect(await told(place, 'predictions')).toMatch(
      /0\.80 .*releases\n {6}ships on time\n {6}because so far so good\n/,
    )
    expect(await told(place, 'resolve', '1', 'correct', '--actual', 'it did')).toBe(
      'resolved 1 as correct, surprise 0.20\n',
    )
    expect(await told(place, 'predictions')).toBe('no open predictions\n')
    const again = await place.run(['resolve', '1', 'correct', '--actual', 'it did', '--json'])
    expect([again.code, again.stderr]).toEqual([3, '{"error":"prediction 1 is already resolved"}\n'])
  })

  it('show as a reliability diagram that owns up to small numbers, on the terminal and as SVG', async () => {
    const place = await createBrainPlace()
    expect(await told(place, 'calibration')).toBe('no resolved predictions of all time\n')
    expect(await told(place, 'calibration', '--since-days', '1')).toBe(
      'no resolved predictions of the last day\n',
    )
    await told(place, 'predict', 'x', '--domain', 'releases', '--confidence', '0.75')
    await told(place, 'resolve', '1', 'correct', '--actual', 'y')
    const { stdout: report, stderr } = await place.run(['calibration', '--svg', 'c.svg'])
    expect(stderr).toBe('wrote the reliability diagram to c.svg\n')
    expect(report).toMatch(/^releases +1 +100 % +75 % +- /m)
    expect(report).toContain(' 100 % │                                      ○')
    expect(report).toContain('n = 1: too few to mean anything')
    const svg = readFileSync(join(place.directory, 'c.svg'), 'utf8')
    expect(svg).toContain('claimed 75 %, came true 100 %, n = 1')
    expect(svg).toContain('n = 1: too few to mean anything')
  })

  it('fit a narrow terminal: fewer figures, shorter names, a smaller diagram', async () => {
    const place = await createBrainPlace()
    await told(
      place,
      'predict',
      'x',
      '--domain',
      `the ${'very '.repeat(9)}long domain`,
      '--confidence',
      '0.75',
    )
    await told(place, 'resolve', '1', 'correct', '--actual', 'y')
    for (const columns of [50, 60, 79]) {
      const { stdout } = await place.run(['calibration'], { interactive: true, columns })
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns)
      expect(stdout).toMatch(/^the very v.*… +1 +100 % +75 %/m)
      expect(stdout).toContain('○')
    }
    const { stdout } = await place.run(['calibration'], { interactive: true, columns: 200 })
    expect(stdout).toMatch(/long domain +1 .* 0\.250$/m)
  })

  it('say so when the picture cannot be written', async () => {
    const place = await createBrainPlace()
    const file = join(place.directory, 'missing', 'c.svg')
    const { code, stderr } = await place.run(['calibration', '--svg', file])
    expect(code).toBe(1)
    expect(stderr).toContain(`cannot write ${file}`)
    expect(existsSync(file)).toBe(false)
  })
})

describe('flag', () => {
  it('of no caution is told to be no flag', async () => {
    const place = await createBrainPlace()
    expect(await told(place, 'flag', 'mind the gap', '--caution', '0')).toBe(
      'remembered 1 as an ordinary memory: only a caution above 0 makes a flag\n',
    )
  })
})

describe('assess', () => {
  it('is a gate for scripts: 0 when clear, 10 for caution, 20 for danger', async () => {
    const place = await createBrainPlace()
    expect(await told(place, 'flag', 'never drop the users table')).toBe('flagged 1 with caution 0.85\n')
    await told(place, 'flag', 'the printer jams', '--caution', '0.2')
    const gate = async (topic: string) => (await place.run(['assess', topic, '--exit-code'])).code
    expect(await gate('drop the users table')).toBe(20)
    expect(await gate('the printer jams')).toBe(10)
    expect(await gate('water the plants')).toBe(0)
    expect((await place.run(['assess', 'drop the users table'])).code).toBe(0)
  })

  it('says why, and how related predictions went', async () => {
    const place = await createBrainPlace()
    await told(place, 'flag', 'never drop the users table')
    await told(place, 'predict', 'nobody drops tables', '--domain', 'infra', '--confidence', '0.9')
    await told(place, 'resolve', '1', 'incorrect', '--actual', 'somebody did')
    expect(await told(place, 'assess', 'drop', 'the', 'users', 'table')).toBe(
      [
        'danger  risk 0.85',
        'Stop and read flag 1, "never drop the users table" (caution 0.85, relevance 1 by shared words alone); the one related prediction turned out incorrect.',
        'nearest flags, with the chance that each applies:',
        '     1  100 %  never drop the users table',
        'related predictions: 0 % right at 90 % claimed',
        '     1  incorrect, surprise 0.90  nobody drops tables',
        '',
      ].join('\n'),
    )
  })
})

describe('state', () => {
  it('tells pace, advice and what asks for attention', async () => {
    const place = await createBrainPlace()
    await told(place, 'believe', 'x')
    await told(place, 'evidence', '1', '--supporting', '--strength', '0.2')
    await told(place, 'evidence', '1', '--refuting', '--strength', '0.2')
    const state = await told(place, 'state')
    expect(state).toMatch(
      /^(rest|engaged) {2}\d\.\d\d calls a minute, .* in [12] of the last 60 minutes; \d+ % in reserve/,
    )
    expect(state).toContain('17 %  contested beliefs: 1 belief has evidence on both sides and no verdict yet')
  })
})

describe('outside views', () => {
  it('are noted under the name of the agent and read by subject', async () => {
    const place = await createBrainPlace()
    const argv = [
      'note-about',
      'planner',
      'plans before it reads',
      '--kind',
      'pattern',
      '--agent',
      'reviewer',
    ]
    expect(await told(place, ...argv)).toBe('noted 1 about planner as reviewer\n')
    expect(await told(place, 'outside-views', 'planner')).toMatch(
      /^ {3}1 {2}[\d-]{10} {2}pattern {2}reviewer on planner: plans before it reads\n$/,
    )
    expect(await told(place, 'outside-views', 'nobody')).toBe('no outside views\n')
  })

  it('cannot move the cursor of whoever reads them', async () => {
    const place = await createBrainPlace()
    await told(place, 'note-about', 'planner', 'harmless\u001b[2Jtext')
    expect(await told(place, 'outside-views')).toContain('harmless\\u001b[2Jtext')
  })
})

describe('a refusal in the words of the specification', () => {
  const refusals: [argv: string[], code: number, error: string, remedy: string][] = [
    [
      ['resolve', '1', 'maybe', '--actual', 'x'],
      2,
      'outcome must be one of: correct, incorrect, partial',
      'Also accepted: annulled.',
    ],
    [
      ['resolve', '1', 'correct', '--actual', 'again'],
      3,
      'prediction 1 is already resolved',
      'Its outcome is partial; `brain reopen prediction 1` undoes that.',
    ],
    [
      ['forecast', '1', '0.4'],
      3,
      'prediction 1 is already resolved',
      'Its outcome is partial; `brain reopen prediction 1` undoes that.',
    ],
    [
      ['evidence', '1', '--supporting', '--strength', '0.4'],
      3,
      'belief 1 is superseded',
      'Belief 2 replaced it: see `brain show belief 2`.',
    ],
    [['forecast', '7', '0.4'], 3, 'prediction 7 not found', '`brain list prediction` tells the ids.'],
    [
      ['resolve', '1', 'correct', '--actual', 'x', '--project', 'theirs'],
      3,
      'prediction 1 belongs to another project',
      '`brain projects` lists the projects, --project NAME selects one.',
    ],
    [
      ['revise', '1', 'anything'],
      3,
      'belief 1 was already revised',
      'Belief 2 replaced it: see `brain show belief 2`.',
    ],
  ]

  it.each(refusals)('tells people the remedy, and programs the words alone: %j', async (...refusal) => {
    const [argv, code, error, remedy] = refusal
    const place = await createBrainPlace()
    await told(place, 'predict', 'x', '--domain', 'ops')
    await told(place, 'resolve', '1', 'partial', '--actual', 'half of it')
    await told(place, 'believe', 'the cache is warm')
    await told(place, 'revise', '1', 'the cache is warm by noon')
    await place.run(['remember', 'x', '--project', 'theirs'])
    expect(await place.run(argv)).toEqual({ code, stdout: '', stderr: `brain: ${error}\n${remedy}\n` })
    expect((await place.run([...argv, '--json'])).stderr).toBe(`${JSON.stringify({ error })}\n`)
  })
})

describe('what is said of a verdict', () => {
  it('holds a flag less against plans it was said not to fit, until that is taken back', async () => {
    const place = await createBrainPlace()
    await told(place, 'flag', 'Never drop the users table', '--caution', '0.9')
    const plan = ['assess', 'drop the users table in the scratch schema']
    const risk = async () => JSON.parse(await told(place, ...plan, '--json')).risk
    const before = await risk()
    const exempted = await place.run([...plan, '--not-this', '1', '--json'])
    expect(exempted).toMatchObject({
      code: 0,
      stderr: 'flag 1 will be held less against plans like this one\n',
    })
    // The verdict that is printed is the one with it.
    expect(JSON.parse(exempted.stdout).risk).toBeLessThan(before)
    expect(await risk()).toBe(JSON.parse(exempted.stdout).risk)
    const undone = await place.run([...plan, '--applies', '1'])
    expect(undone).toMatchObject({
      code: 0,
      stderr: 'flag 1 is held against plans like this one as any other\n',
    })
    expect(await risk()).toBe(before)
  })

  it('takes no word for the id of a flag', async () => {
    const place = await createBrainPlace()
    for (const option of ['--not-this', '--applies'])
      expect(await place.run(['assess', 'deploy', option, 'first'])).toMatchObject({
        code: 2,
        stderr: `brain: ${option} must be the id of a flag\n`,
      })
  })
})

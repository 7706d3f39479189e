/** Evidence that a command line reads or makes, and places that it cites, as somebody types them. */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBrainPlace, type Place } from './command-line.ts'

async function believing(): Promise<Place> {
  const place = await createBrainPlace()
  await place.run(['believe', 'the cache is warm'])
  return place
}

const trail = async (place: Place) =>
  JSON.parse((await place.run(['--json', 'evidence-for', '1'])).stdout).events as Record<string, unknown>[]

const file = (place: Place, name: string, content: string | Buffer): string => {
  const path = join(place.directory, name)
  writeFileSync(path, content)
  return path
}

describe('evidence --from', () => {
  it('takes what a report says, tells it beside the data, and refuses the same run by the id of what it was', async () => {
    const place = await believing()
    file(place, 'junit.xml', '<testsuite name="cache"><testcase name="warms"/></testsuite>')
    const { code, stdout, stderr } = await place.run([
      'evidence',
      '1',
      '--from',
      'junit.xml',
      '--cite',
      'junit.xml',
    ])
    expect([code, stderr]).toEqual([0, '1 passed (JUnit XML, cache)\n'])
    expect(stdout).toContain('confidence 0.70 to 0.88')
    const again = await place.run(['evidence', '1', '--from', 'junit.xml'])
    expect([again.code, again.stderr]).toEqual([3, 'brain: this run was counted already, as evidence 1\n'])
    expect(await trail(place)).toMatchObject([
      { source: 'JUnit XML cache', note: '1 passed (JUnit XML, cache)' },
    ])
    // What a message names by its id can be shown.
    expect((await place.run(['show', 'evidence', '1'])).stdout).toMatch(
      /^evidence 1 {2}the cache is warm\nseen on [\d-]+: supporting 0\.5 for belief 1\n1 passed \(JUnit XML, cache\)\nfrom JUnit XML cache\n(?:.*\n)*cites junit\.xml: as it was\nbrain show belief 1 {3}brain evidence-for 1\n$/,
    )
  })

  it('of reports that name no suite tells the source by the file, however it is called', async () => {
    const place = await believing()
    mkdirSync(join(place.directory, 'logs'))
    file(place, 'logs/unit.tap', '1..1\nok 1 - warms\n')
    file(place, 'logs/e2e.tap', '1..1\nok 1 - serves\n')
    const from = (path: string, options = {}) => place.run(['evidence', '1', '--from', path], options)
    expect((await from('logs/unit.tap')).stdout).not.toContain('weighs nothing')
    expect((await from(join(place.directory, 'logs/e2e.tap'))).stdout).not.toContain('weighs nothing')
    file(place, 'logs/unit.tap', '1..1\nok 1 - warms # again\n')
    const again = await from('unit.tap', { workingDirectory: join(place.directory, 'logs') })
    expect(again.stdout).toContain('weighs nothing: evidence 1 was of the same source')
    const elsewhere = createBrainPlace()
    file(await elsewhere, 'unit.tap', '1..1\nok 1 - elsewhere\n')
    await from(join((await elsewhere).directory, 'unit.tap'))
    expect((await trail(place)).map(({ source }) => source)).toEqual([
      'TAP logs/unit.tap',
      'TAP logs/e2e.tap',
      'TAP logs/unit.tap',
      'TAP unit.tap',
    ])
  })

  it('reads standard input for -, and the encoding that a report names', async () => {
    const place = await believing()
    const xml =
      '<?xml version="1.0" encoding="iso-8859-1"?><testsuite name="größe"><testcase name="a"/></testsuite>'
    const { code } = await place.run(['evidence', '1', '--from', '-', '--strength', '0.2'], {
      stdin: Buffer.from(xml, 'latin1'),
    })
    expect(code).toBe(0)
    expect(await trail(place)).toMatchObject([{ strength: 0.2, source: 'JUnit XML größe' }])
  })

  it.each([
    ['is not there', 'gone.xml', 2, /cannot read gone\.xml: there is no such file: check its name\n$/],
    ['is a directory', '.', 2, /cannot read \.: it is a directory: name a file\n$/],
    ['is in no encoding that it names', 'latin.xml', 2, /report is not in utf-8/],
    ['is larger than 32 MiB', 'huge.xml', 2, /at most 32 MiB/],
    ['never ends', '/dev/zero', 2, /at most 32 MiB/],
    ['is a bomb', 'bomb.xml', 2, /declares a document type/],
    ['is prose', 'prose.txt', 2, /none of JUnit XML, TAP, CTRF and SARIF/],
  ])('of a file that %s is refused in a sentence, and leaves nothing', async (_, name, code, sentence) => {
    const place = await believing()
    file(place, 'latin.xml', Buffer.from('<testsuite name="größe"/>', 'latin1'))
    file(
      place,
      'bomb.xml',
      '<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuite name="&b;"/>',
    )
    file(place, 'prose.txt', 'all went well')
    const huge = openSync(join(place.directory, 'huge.xml'), 'w')
    ftruncateSync(huge, 100 * 1024 * 1024)
    closeSync(huge)
    const ran = await place.run(['evidence', '1', '--from', name])
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) })
    expect(await trail(place)).toEqual([])
  })

  it('goes with nothing that says otherwise', async () => {
    const place = await believing()
    for (const words of [
      ['--from', 'x.xml', '--supporting'],
      ['--from', 'x.xml', '--watch-exit'],
      ['--test', 'x', '--supporting', '--strength', '0.5'],
      ['--watch-exit'],
      ['--supporting', '--strength', '0.5', '--', 'npm', 'test'],
    ]) {
      expect((await place.run(['evidence', '1', ...words])).code, words.join(' ')).toBe(2)
    }
    expect(await trail(place)).toEqual([])
  })
})

describe('evidence --watch-exit', () => {
  it('runs a command, whose output is talk, takes its exit code as evidence and ends with it', async () => {
    const place = await believing()
    const words = ['--json', 'evidence', '1', '--watch-exit', '--']
    const failed = await place.run([...words, 'sh', '-c', 'echo told; exit 7'])
    expect(failed).toMatchObject({ code: 7, stderr: 'told\n' })
    expect(JSON.parse(failed.stdout)).toMatchObject({ kind: 'refuting', strength: 0.5 })
    expect((await place.run([...words, 'true'])).code).toBe(0)
    // The same command on the same day is the same source.
    expect(JSON.parse((await place.run([...words, 'true'])).stdout)).toMatchObject({
      log_likelihood: 0,
      repeats: 2,
    })
    expect(await trail(place)).toMatchObject([
      { kind: 'refuting', source: 'command sh -c "echo told; exit 7"' },
      { kind: 'supporting', source: 'command true', note: '`true` ended with 0' },
      { repeats: 2 },
    ])
  })

  it('records nothing of a command that does not start or is killed', async () => {
    const place = await believing()
    for (const [why, ...command] of [
      ['did not start (there is no such program): nothing is recorded', 'no-such-command'],
      ['was ended by SIGKILL: nothing is recorded', 'sh', '-c', 'kill -9 $$'],
    ]) {
      const { code, stderr } = await place.run(['evidence', '1', '--watch-exit', '--', ...command])
      expect([code, stderr]).toEqual([1, expect.stringContaining(why ?? '')])
    }
    expect(await trail(place)).toEqual([])
  })
})

describe('--cite', () => {
  it('is told from where somebody stands, and kept from the directory of the brain', async () => {
    const place = await createBrainPlace()
    const workingDirectory = join(place.directory, 'src')
    mkdirSync(workingDirectory)
    file(place, 'src/x.ts', 'one\ntwo\n')
    file(place, 'top.ts', 'one\n')
    const cited = ['--cite', 'x.ts:2', '--cite', '../top.ts']
    expect((await place.run(['remember', 'two', ...cited], { workingDirectory })).code).toBe(0)
    const { record } = JSON.parse((await place.run(['--json', 'show', '1'])).stdout)
    expect(record.citations).toMatchObject([{ path: 'src/x.ts:2' }, { path: 'top.ts' }])
    file(place, 'src/x.ts', 'one\nTWO\n')
    expect((await place.run(['recall', 'two'])).stdout).toContain('[stale: src/x.ts:2 changed] two')
    expect((await place.run(['list', '--stale', '--count'])).stdout).toBe('1\n')
    expect((await place.run(['verify', '1'])).stdout).toContain('src/x.ts:2  changed')
    expect((await place.run(['verify', '1', '--yes'])).stdout).toContain('src/x.ts:2  as it was')
    expect((await place.run(['list', '--stale', '--count'])).stdout).toBe('0\n')
  })

  it('of what lies outside is refused, however it is spelt', async () => {
    const place = await createBrainPlace()
    symlinkSync('/etc/hostname', join(place.directory, 'link'))
    for (const path of ['/etc/hostname', '../outside', 'link', '.brain/brain.db']) {
      const { code, stderr } = await place.run(['remember', 'x', '--cite', path])
      expect([code, stderr], path).toEqual([2, expect.stringContaining('cites')])
    }
    expect((await place.run(['list', '--count'])).stdout).toBe('0\n')
  })
})

describe('a person', () => {
  it('is told of one strong observation that one source decides nothing, and JSON has the test’s status', async () => {
    const place = await believing()
    const words = ['evidence', '1', '--supporting', '--strength', '0.9']
    const { stdout } = await place.run(words)
    expect(stdout).toContain(
      'accumulating\nOne source decides nothing: a verdict needs observations from two',
    )
    expect((await place.run(['beliefs'])).stdout).toContain('accumulating')
    expect((await place.run(['evidence-for', '1'])).stdout).toContain('One source decides nothing')
    const json = JSON.parse((await place.run(['--json', 'beliefs'])).stdout)
    expect(json.beliefs[0].sprt_status).toBe('promoted')
    expect(json.beliefs[0]).not.toHaveProperty('verdict')
    expect((await place.run(words)).stdout).toContain('promoted\n')
  })
})

it('what is recorded in a repository is listed by its branch, with the session that the environment names', async () => {
  const place = await createBrainPlace()
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
      cwd: realpathSync(place.directory),
      stdio: 'ignore',
    })
  git('init', '-q', '-b', 'feature/queue')
  git('commit', '-q', '--allow-empty', '-m', 'Begin')
  await place.run(['remember', 'on a branch'], { environment: { BRAIN_SESSION: ' s-1\n' } })
  git('checkout', '-q', '-b', 'other')
  await place.run(['remember', 'elsewhere'])
  expect((await place.run(['list', '--branch', 'feature/queue'])).stdout).toContain('on a branch')
  expect((await place.run(['list', '--branch', 'feature/queue', '--count'])).stdout).toBe('1\n')
  expect((await place.run(['show', '1'])).stdout).toMatch(
    /recorded on feature\/queue, at [0-9a-f]{12}, in session s-1/,
  )
})

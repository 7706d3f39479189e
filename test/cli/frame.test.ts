import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../src/cli/catalogue.ts'
import { ownCommands } from '../../src/cli/commands.ts'
import { listedCommands } from '../../src/cli/manual.ts'
import { displayWidth } from '../../src/cli/render/layout.ts'
import { definitions } from '../../src/operations/index.ts'
import { createBrainPlace, createPlace } from './command-line.ts'

const names = [...catalogue.map(({ command }) => command), ...Object.keys(ownCommands)]

describe('help', () => {
  test('lists every command under a group, with its summary', async () => {
    const { code, stdout } = await createPlace().run(['--help'])
    expect(code).toBe(0)
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    expect(stdout).not.toContain('Other:')
  })

  test('every command has an example, and every example names its command', () => {
    for (const { name, examples } of listedCommands) {
      expect(examples.length, name).toBeGreaterThan(0)
      // The status is also what `brain` alone says.
      for (const line of examples)
        expect([`brain ${name}`, 'brain']).toContain(/brain( [\w-]+)?/.exec(line)?.[0])
    }
  })

  test('every member of every operation is explained', () => {
    for (const { members } of catalogue) {
      for (const member of Object.values(members)) expect(member.about).toMatch(/^\S.*\S$/)
    }
  })

  test('a command shows its arguments with their bounds, the global options and examples', async () => {
    const { stdout } = await createPlace().run(['help', 'evidence'])
    expect(stdout).toContain('Usage: brain evidence [options] --supporting|--refuting <belief-id>')
    expect(stdout).toMatch(/--strength <number> .*0\.1 to\s+0\.9/s)
    expect(stdout).toContain('--supporting')
    expect(stdout).toContain('--project <name>')
    expect(stdout).toContain('$ brain evidence 3 --supporting --strength 0.6')
  })

  test('is as wide as the terminal', async () => {
    const { stdout } = await createPlace().run(['--help'], { interactive: true, columns: 60 })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  })

  test('has colours where they are wanted and none otherwise', async () => {
    const place = createPlace()
    const onTerminal = { interactive: true, colour: true }
    expect((await place.run(['--help'], onTerminal)).stdout).toContain('\u001b[')
    expect((await place.run(['--help', '--no-color'], onTerminal)).stdout).not.toContain('\u001b[')
    expect((await place.run(['--help'])).stdout).not.toContain('\u001b[')
  })
})

describe('usage errors', () => {
  const refusals: [argv: string[], sentence: string, hint: string][] = [
    [['remembr', 'x'], "unknown command 'remembr'; did you mean remember?", 'See `brain --help`.'],
    [
      ['recall', 'x', '--limt', '3'],
      "unknown option '--limt'; did you mean --limit?",
      'See `brain recall --help`.',
    ],
    [['remember'], 'text is required', 'See `brain remember --help`.'],
    [['evidence'], 'belief_id is required', 'See `brain evidence --help`.'],
    [
      ['export', '--format', "a'b. c"],
      'format must be one of: jsonl, markdown, memory-json, csv, fatebook, predictionbook, metaculus',
      'See `brain export --help`.',
    ],
    [['completion', 'sh'], 'shell must be one of: bash, zsh, fish', 'See `brain completion --help`.'],
    [['recall', 'x', '--limit'], "option '--limit <integer>' argument missing", 'See `brain recall --help`.'],
    [
      ['evidence-for', '1', '2'],
      "too many arguments for 'evidence-for'. Expected 1 argument but got 2.",
      'See `brain evidence-for',
    ],
  ]
  test.each(refusals)('brain %j: %s', async (argv, sentence, hint) => {
    const place = createPlace()
    const told = await place.run(argv)
    expect(told).toMatchObject({ code: 2, stdout: '' })
    expect(told.stderr).toContain(`brain: ${sentence}\n${hint}`)
    const asJson = await place.run([
      ...argv.filter((word) => word !== '--limit' || argv.at(-1) !== word),
      '--json',
      ...(argv.at(-1) === '--limit' ? ['--limit'] : []),
    ])
    expect(asJson).toEqual({ code: 2, stdout: '', stderr: `${JSON.stringify({ error: sentence })}\n` })
  })

  test('help for a command that is none says so, with what it may have meant', async () => {
    const told = await createPlace().run(['help', 'remembr'])
    expect(told).toMatchObject({ code: 2, stdout: '' })
    expect(told.stderr).toBe(
      "brain: unknown command 'remembr'; did you mean remember?\nSee `brain --help`.\n",
    )
    expect((await createPlace().run(['help', 'remembr', '--json'])).stderr).toContain(
      '{"error":"unknown command',
    )
  })

  test('help for a command within a command is that command’s own', async () => {
    const place = createPlace()
    expect(await place.run(['help', 'key', 'rotate'])).toEqual(await place.run(['key', 'rotate', '--help']))
    expect((await place.run(['help', 'key', 'rotate'])).stdout).toContain('--grace <duration>')
  })

  test('dream feedback is dream-feedback, options before it or not', async () => {
    const place = await createBrainPlace()
    const error = 'verdict must be one of: keep, dismiss, none, read'
    expect(await place.run(['dream', 'feedback', '1', 'foo'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `brain: ${error}\n`,
    })
    expect((await place.run(['--json', 'dream', 'feedback', '1', 'foo'])).stderr).toBe(
      `${JSON.stringify({ error })}\n`,
    )
    expect(await place.run(['help', 'dream', 'feedback'])).toEqual(
      await place.run(['help', 'dream-feedback']),
    )
  })

  test('help on help is the help there is', async () => {
    const place = createPlace()
    const told = await place.run(['help', 'help'])
    expect(told).toEqual({
      code: 0,
      stderr: '',
      stdout: (await place.run(['help'])).stdout.split('\nRun `brain help')[0],
    })
  })

  test('an option that is missing is found in the help that the refusal names', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['predict', 'it rains'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'brain: domain is required\nSee `brain predict --help`.\n',
    })
    expect((await place.run(['predict', 'it rains', '--json'])).stderr).toBe(
      '{"error":"domain is required"}\n',
    )
  })

  test('a command that only holds others names them', async () => {
    const told = await createPlace().run(['key'])
    expect(told).toMatchObject({ code: 2, stdout: '' })
    expect(told.stderr).toMatch(
      /^brain: key needs one of: create, list, revoke, rotate\nSee `brain key --help`/,
    )
  })

  test.each(['-5 degrees', '- a line of a list'])('text %j is told to go after --', async (text) => {
    const { code, stderr } = await createPlace().run(['remember', text])
    expect(code).toBe(2)
    expect(stderr).toContain('Text that starts with a dash goes after --')
  })

  test('no command at all says how the brain stands, or how to make one', async () => {
    const nowhere = createPlace()
    expect(await nowhere.run([])).toEqual(await nowhere.run(['status']))
    expect(await nowhere.run([])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('run `brain init`'),
    })
    const place = await createBrainPlace()
    await place.run(['remember', 'one note'])
    await place.run(['flag', 'take care'])
    const { code, stdout } = await place.run([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^default: 2 memories \(1 flag\), 0 beliefs, 0 open predictions/)
    expect(stdout).toContain('next: brain recall')
    expect(JSON.parse((await place.run(['--json'])).stdout)).toMatchObject({ memories: 2, flags: 1 })
  })

  test('an end that has passed is told as one: the memory is hidden at once', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'staging is frozen'])
    expect((await place.run(['expire', '1', '2100-01-31'])).stdout).toBe(
      '1 expires 2100-01-31 23:59 UTC; from then on `brain list --expired` finds it\n',
    )
    expect((await place.run(['show', '1'])).stdout).toContain(
      'ends at 2100-01-31 23:59 UTC, and is hidden from then on\n',
    )
    expect((await place.run(['expire', '1', '2020-01-31'])).stdout).toBe(
      '1 is hidden: its end, 2020-01-31 23:59 UTC, has passed; `brain list --expired` finds it, `brain expire 1 never` takes that back\n',
    )
    expect((await place.run(['show', '1'])).stdout).toContain(
      'ended at 2020-01-31 23:59 UTC, and is hidden\n',
    )
    expect((await place.run(['expire', '1', 'never'])).stdout).toBe('1 stays: it has no end\n')
  })

  test.each([
    ['add', 'remember'],
    ['delete', 'forget'],
    ['find', 'recall'],
    ['history', 'show'],
    ['log', 'list'],
    ['rm', 'expire'],
    ['undo', 'reopen'],
  ])('what other programs call %s is told to be %s', async (word, command) => {
    const { code, stderr } = await createPlace().run([word, '1'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`brain: unknown command '${word}': `)])
    expect(stderr).toContain(`\`brain ${command}`)
  })

  test('what destroys is never suggested', async () => {
    const { stderr } = await createPlace().run(['forgot'])
    expect(stderr).toBe("brain: unknown command 'forgot'\nSee `brain --help`.\n")
  })

  test('a record is listed, and shown by what the list calls it', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'tests find faults'])
    await place.run(['believe', 'reviews help'])
    await place.run(['remember', 'theirs', '--agent', 'reviewer'])
    const listed = await place.run(['list'])
    expect(listed.stdout).toMatch(/^ {4}1 {2}belief {7}\d{4}-\d\d-\d\d {2}\[accumulating\] reviews help$/m)
    expect((await place.run(['list', 'memory', '--count'])).stdout).toBe('2\n')
    expect((await place.run(['list', '--agent', 'reviewer', '--count'])).stdout).toBe('1\n')
    expect((await place.run(['list', '--by', 'reviewer', '--count'])).stdout).toBe('1\n')
    expect((await place.run(['overview'])).stdout).toContain(
      '2 memories (0 flags among them), 1 belief, 0 open predictions, 0 resolved predictions, 0 dreams (0 unread)',
    )
    await place.run(['remember', 'composed', '--agent', 'Zo\u00eb'])
    await place.run(['remember', 'decomposed', '--agent', ' Zoe\u0308'])
    expect(JSON.parse((await place.run(['show', '4', '--json'])).stdout)).toMatchObject({
      record: { agent: 'Zo\u00eb' },
    })
    expect((await place.run(['show', '1'])).stdout).toContain('memory 1  tests find faults')
    expect((await place.run(['get', 'belief', '1'])).stdout).toContain('belief 1  reviews help')
    // Of a caller that gave no name nothing is kept "by default".
    expect((await place.run(['show', '1'])).stdout).toMatch(/^ *kept on [\d-]{10}$/m)
    expect((await place.run(['show', '2'])).stdout).toMatch(/^ *kept by reviewer on [\d-]{10}$/m)
    await place.run(['edit', '1', 'tests find most faults'])
    expect((await place.run(['show', '1'])).stdout).toMatch(/^ *edited on [\d-]{10}$/m)
    expect((await place.run(['show', 'belief', '1'])).stdout).not.toContain('default')
    expect(await place.run(['show'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('id is required'),
    })
    expect(await place.run(['show', 'note', '1'])).toMatchObject({ code: 2 })
  })

  test('an edit of the caution is told as what it makes of the memory, and shown in its history', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'sessions last 30 minutes'])
    const told = async (...words: string[]) => (await place.run(['edit', '1', ...words])).stdout
    expect(await told('--caution', '0.5')).toContain(
      ': a flag now, with caution 0.5; what it was before is version 1 of its history (brain show 1)\n',
    )
    expect(await told('sessions last 2 hours')).toContain(': what it was before is version 2')
    expect(await told('--caution', '0.7')).toContain(': caution 0.7 in place of 0.5; what')
    expect(await told('--caution', '0')).toContain(': no longer a flag; what')
    await told('--caution', '0.4')
    const days = (await place.run(['show', '1'])).stdout.replace(/\d{4}-\d\d-\d\d/g, 'DAY')
    expect(days).toContain(
      [
        'kept on DAY',
        'edited on DAY with caution 0.4',
        'before that:',
        '  DAY  (no flag) sessions last 2 hours',
        '  DAY  (caution 0.7) sessions last 2 hours',
        '  DAY  (caution 0.5) sessions last 2 hours',
        '  DAY  (caution 0.5) sessions last 30 minutes',
        '  DAY  (no flag) sessions last 30 minutes\n',
      ].join('\n'),
    )
  })

  test('search is another name of recall', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'tests find faults'])
    expect((await place.run(['search', 'tests find faults'])).stdout).toContain('tests find faults')
  })

  test('a project that holds nothing is told to be new, on standard error', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'x', '--project', 'web'])
    const told = await place.run(['recall', 'x', '--project', 'wbe'])
    expect(told.stderr).toBe('project wbe is new: nothing is kept in it yet (this brain has web)\n')
    expect((await place.run(['recall', 'x', '--project', 'web'])).stderr).toBe('')
    expect((await place.run(['recall', 'x', '--project', 'wbe', '--json'])).stderr).toBe('')
  })
})

describe('exit codes', () => {
  test('2 for invalid input, in the words of the other interfaces', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['recall', 'x', '--limit', '99', '--json'])).toMatchObject({
      code: 2,
      stderr: '{"error":"limit must be an integer between 1 and 50"}\n',
    })
    expect((await place.run(['recall', 'x', '--limit', 'ten'])).stderr).toBe(
      'brain: limit must be an integer\n',
    )
    for (const limit of [['--limit', '-1'], ['--limit=-1']]) {
      expect((await place.run(['beliefs', ...limit])).stderr).toBe(
        'brain: limit must be an integer between 1 and 100\n',
      )
    }
    expect((await place.run(['calibration', '--since-days', '-1'])).stderr).toBe(
      'brain: since_days must be an integer of at least 1\n',
    )
    expect((await place.run(['evidence-for', '-1'])).stderr).toBe(
      'brain: belief_id must be a positive integer\n',
    )
    expect(
      (await place.run(['evidence', '1', '--supporting', '--refuting', '--strength', '0.5'])).stderr,
    ).toBe('brain: kind is given twice: name one of --supporting, --refuting, --kind\n')
    const both = ['evidence', '1', '--supporting', '--kind', 'supporting', '--strength', '0.5']
    expect((await place.run(both)).stderr).toContain('kind is given twice')
  })

  test('2 for ids that are none, told as they were typed', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'tests find faults'])
    for (const [argv, typed] of [
      [['forget', '1', 'abc', '--yes'], 'abc'],
      [['show', '1', '1,0'], '0'],
      [['show', '1', '-3'], '-3'],
    ] as const)
      expect(await place.run(argv)).toMatchObject({
        code: 2,
        stderr: `brain: "${typed}" is no id: an id is a positive integer, such as 12\n`,
      })
    expect((await place.run(['show', '1', '1'])).code).toBe(0)
  })

  test('3 for what is refused', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['forget', '7'])).toMatchObject({
      code: 3,
      stderr: 'brain: memory 7 not found\n`brain list` tells the ids.\n',
    })
  })

  test('4 without a brain, with the way to make one', async () => {
    const { code, stderr } = await createPlace().run(['recall', 'x'])
    expect(code).toBe(4)
    expect(stderr).toContain('brain init')
  })

  test('4 before a text is read that would have nowhere to go', async () => {
    const { code, stderr } = await createPlace().run(['remember', '-'], { answering: true })
    expect(code).toBe(4)
    expect(stderr).not.toContain('Type the text')
  })

  test('a file named .brain is no brain, and init says what is in its way', async () => {
    const place = createPlace()
    writeFileSync(join(place.directory, '.brain'), 'not ours')
    expect((await place.run(['recall', 'x'])).code).toBe(4)
    for (const argv of [
      ['init', '--yes'],
      ['recall', 'x', '--dir', '.'],
    ]) {
      const { code, stderr } = await place.run(argv)
      expect([code, stderr]).toEqual([5, expect.stringContaining('.brain is not a directory: move it away')])
    }
    expect(readFileSync(join(place.directory, '.brain'), 'utf8')).toBe('not ours')
  })

  test('1 in one sentence when the output cannot be written', async () => {
    const place = await createBrainPlace()
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    for (const argv of [['beliefs'], ['--help'], ['--version']]) {
      const stdout = new Writable({ write: (_chunk, _encoding, done) => done(full) })
      stdout.on('error', () => {})
      const { code, stderr } = await place.run(argv, { stdout })
      expect([code, stderr]).toEqual([1, 'brain: cannot write the output: no space left on device\n'])
    }
  })

  test('the verdict of assess when asked for', async () => {
    const place = await createBrainPlace()
    await place.run(['flag', 'dropping the users table loses accounts', '--caution', '0.9'])
    expect((await place.run(['assess', 'drop the users table', '--exit-code'])).code).toBe(20)
    expect((await place.run(['assess', 'drop the users table'])).code).toBe(0)
  })
})

describe('input', () => {
  test('words are joined, and - is standard input without its last line end', async () => {
    const place = await createBrainPlace()
    const words = await place.run(['remember', 'three', 'plain', 'words', '--json'])
    expect(JSON.parse(words.stdout)).toMatchObject({ id: 1, text: 'three plain words' })
    const piped = await place.run(['remember', '-', '--json'], { stdin: 'two\nlines\n' })
    expect(JSON.parse(piped.stdout)).toMatchObject({ id: 2, text: 'two\nlines' })
  })

  test('text after -- is never an option', async () => {
    const place = await createBrainPlace()
    const { stdout } = await place.run(['remember', '--json', '--', '--dir', 'is', 'an', 'option'])
    expect(JSON.parse(stdout)).toMatchObject({ text: '--dir is an option' })
  })

  test('bytes that are no UTF-8 are refused', async () => {
    const place = await createBrainPlace()
    const refused = await place.run(['remember', '-'], { stdin: Buffer.from([0x61, 0xff, 0x62]) })
    expect(refused).toMatchObject({ code: 2, stderr: 'brain: text must be well-formed Unicode\n' })
  })

  test('more than a text can hold is refused without reading all of it', async () => {
    const place = await createBrainPlace()
    const refused = await place.run(['remember', '-'], { stdin: 'x'.repeat(70_000) })
    expect(refused).toMatchObject({ code: 2, stderr: 'brain: text must be at most 65536 bytes\n' })
    const kept = await place.run(['remember', '-', '--json'], { stdin: `${'x'.repeat(65_536)}\r\n` })
    expect(kept.code).toBe(0)
  })

  test('standard input is read once', async () => {
    const place = await createBrainPlace()
    const refused = await place.run(['predict', '-', '--domain', 'x', '--basis', '-'], { stdin: 'it rains' })
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain('basis is a second -')
  })

  test('every member of every operation can be given', async () => {
    for (const entry of catalogue) {
      const { stdout } = await createPlace().run([entry.command, '--help'])
      for (const member of Object.keys(definitions[entry.operation as keyof typeof definitions].members)) {
        const kebab = (entry.names[member] ?? member).replaceAll('_', '-')
        const given = [
          ...(entry.flags[member] ?? []).map((flag) => `--${flag}`),
          entry.positional.includes(member) ? `\n  ${kebab} ` : `--${kebab} `,
        ]
        for (const one of given) expect(stdout).toContain(one)
      }
    }
  })
})

describe('output on a terminal', () => {
  test('control bytes of a text are shown, not sent', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', '-'], { stdin: 'note \u001b[31mred\u0007 \u009b2J \u202eright' })
    const onTerminal = { interactive: true, columns: 200 }
    const { stdout } = await place.run(['recall', 'note'], onTerminal)
    expect(stdout).toContain('note \\u001b[31mred\\u0007 \\u009b2J \\u202eright')
    const asJson = await place.run(['recall', 'note', '--json'], onTerminal)
    expect(asJson.stdout).not.toMatch(/[\u007f-\u009f\u202e]/)
    expect(JSON.parse(asJson.stdout).results[0].text).toContain('\u009b2J \u202e')
    const piped = await place.run(['recall', 'note', '--json'])
    expect(piped.stdout).toContain('\u009b2J')
  })

  test.each([
    ['a direction of writing', '\u202e\u2067\u061c\u200f'],
    ['no width', '\u200b\u2060\ufeff\u00ad\u3164'],
    ['tags', '\u{e0001}\u{e0041}\u{e007f}'],
    ['old controls', '\u0085\u009b'],
  ])('characters of %s are shown, wherever a text is', async (_, hidden) => {
    const place = await createBrainPlace()
    const onTerminal = { interactive: true, columns: 400 }
    await place.run(['remember', '-'], { stdin: `note ${hidden} end` })
    await place.run(['note-about', 'planner', `view ${hidden}`])
    const commands = [['recall', 'note'], ['recall', 'note', '--json'], ['outside-views'], ['export']]
    for (const words of commands) {
      const { code, stdout } = await place.run(words, onTerminal)
      expect({ words, code }).toEqual({ words, code: 0 })
      for (const character of hidden) expect(stdout).not.toContain(character)
      expect(stdout).toContain(`\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`)
    }
    expect((await place.run(['export'])).stdout).toContain(`note ${hidden} end`)
    const [line = ''] = (await place.run(['export'], onTerminal)).stdout.split('\n').slice(-3)
    expect(() => JSON.parse(line)).not.toThrow()
  })

  test('what scripts and pictures are written with is left as it is', async () => {
    const place = await createBrainPlace()
    const text = 'میخواهم 👩\u200d💻 क्\u200dष café 漢字'
    await place.run(['remember', text])
    expect((await place.run(['recall', 'café'], { interactive: true, columns: 400 })).stdout).toContain(text)
  })

  test('control bytes in the name of a directory are shown, not sent', async () => {
    const { code, stdout } = await createPlace().run(['init', '--yes', '--dir', 'odd\u001b[31m'])
    expect(code).toBe(0)
    expect(stdout).toContain('odd\\u001b[31m')
    expect(stdout).not.toContain('\u001b')
  })

  test.each([30, 40, 60])(
    'in a terminal of %i columns lists break no word and no number',
    async (columns) => {
      const place = await createBrainPlace()
      const words = 'the nightly export of the warehouse takes until four in the morning'
      await place.run(['remember', words, '--tag', 'ops'])
      await place.run(['flag', `never start ${words}`, '--caution', '0.8'])
      await place.run(['believe', words, '--confidence', '0.75'])
      await place.run(['evidence', '1', '--supporting', '--strength', '0.5'])
      await place.run(['predict', words, '--domain', 'ops', '--confidence', '0.9'])
      await place.run(['resolve', '1', 'incorrect'])
      const commands = [['list'], ['beliefs'], ['assess', `start ${words}`]]
      for (const command of commands) {
        const wide = (await place.run(command)).stdout.split(/\s+/)
        const { stdout } = await place.run(command, { interactive: true, columns })
        for (const line of stdout.split('\n')) {
          expect(displayWidth(line), line).toBeLessThanOrEqual(columns)
          const whole = line.replace(/\S*…/, '').split(/\s+/)
          expect(
            whole.filter((word) => word !== '' && !wide.includes(word)),
            line,
          ).toEqual([])
        }
      }
      expect((await place.run(['beliefs'], { interactive: true, columns })).stdout).toMatch(
        /^ {3}1 {2}0\.90 {2}accumulating/,
      )
    },
  )

  test('long texts break at the width of the terminal, further lines under the first', async () => {
    const place = await createBrainPlace()
    await place.run(['remember', 'wide '.repeat(40)])
    const { stdout } = await place.run(['recall', 'wide'], { interactive: true, columns: 60 })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(3)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(lines.slice(1).every((line) => /^ {31}wide/.test(line))).toBe(true)
    const piped = await place.run(['recall', 'wide'])
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(1)
  })
})

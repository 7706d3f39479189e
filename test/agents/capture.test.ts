import { describe, expect, test } from 'vitest'
import {
  afterFailure,
  afterPass,
  beforeEdit,
  firstErrorLine,
  mends,
  noteOfCommit,
  notesInMessage,
  notesInSummary,
} from '../../src/agents/capture.ts'

const textsOf = (message: string, by: 'person' | 'agent' = 'agent'): string[] =>
  notesInMessage(message, by).map(({ text }) => text)

describe('lines that ask to be kept', () => {
  test('are found in their Markdown forms', () => {
    const message = [
      'All done.',
      '- **Decision:** the queue moves to Redis Streams',
      '### Lesson: the replica lags by ten minutes after a vacuum',
      '1. Remember: the staging database is reset every night',
      '* [x] Decided to keep the old endpoint until March.',
      'Note to self: ask Ines about the invoice format',
    ].join('\n')
    expect(textsOf(message)).toEqual([
      'Decision: the queue moves to Redis Streams',
      'Lesson: the replica lags by ten minutes after a vacuum',
      'the staging database is reset every night',
      'Decided to keep the old endpoint until March.',
      'ask Ines about the invoice format',
    ])
  })

  test('are single sentences of a longer line, too', () => {
    expect(
      textsOf('I looked at both. We decided to keep Postgres 15 for now. Next I will run the tests.'),
    ).toEqual(['We decided to keep Postgres 15 for now.'])
  })

  test('become flags where a person forbids something, and not where an agent does', () => {
    const message = "Never run the seed script against production.\nDon't merge while the freeze lasts."
    expect(notesInMessage(message, 'person')).toEqual([
      { text: 'Never run the seed script against production.', caution: 0.7 },
      { text: "Don't merge while the freeze lasts.", caution: 0.7 },
    ])
    expect(notesInMessage(message, 'agent')).toEqual([
      { text: 'Never run the seed script against production.', caution: 0 },
    ])
  })

  test('forbid in three words what has a name, and nothing in fewer', () => {
    const flagged = (message: string) =>
      notesInMessage(message, 'person').map(({ text, caution }) => [text, caution])
    expect(flagged('Never log passwords.')).toEqual([['Never log passwords.', 0.7]])
    expect(flagged("Don't force-push")).toEqual([["Don't force-push", 0.7]])
    for (const idle of ['Never again!', "Don't panic.", 'Do not stop there.', 'Do not touch anything.'])
      expect(flagged(idle)).toEqual([])
    expect(textsOf('Decision: use pnpm\nLesson: none')).toEqual(['Decision: use pnpm'])
  })

  test('give a prohibition beside a labelled note a flag of its own, of a person', () => {
    const line = 'Remember: the courier API changes on 1 March. Never log card numbers.'
    expect(notesInMessage(line, 'person')).toEqual([
      { text: 'the courier API changes on 1 March.', caution: 0 },
      { text: 'Never log card numbers.', caution: 0.7 },
    ])
    expect(textsOf(line)).toEqual(['the courier API changes on 1 March. Never log card numbers.'])
    expect(notesInMessage('Remember: never log card numbers', 'person')).toEqual([
      { text: 'never log card numbers', caution: 0.7 },
    ])
  })

  test.each([
    'Never mind that. Do not worry about the tests.',
    "Don't bother with the linter of the old client.",
    'Do not forget to run the whole suite.',
    'Don’t hesitate to rewrite the tests.',
    'Never thought the build would pass.',
  ])('are no turns of phrase: %s', (message) => {
    expect(notesInMessage(message, 'person')).toEqual([])
  })

  test.each([
    'Do not change anything else in this file.',
    'Do not touch that file.',
    "Don't delete those rows of the export.",
    'Do not merge the branch because it is not ready yet.',
    'Do not run the migrations for now.',
    'Do not deploy the worker today, please.',
    'Do not use the old client here.',
    'Do not rename the other files.',
  ])('are nothing for the task at hand alone: %s', (message) => {
    expect(notesInMessage(message, 'person')).toEqual([])
  })

  test.each([
    'Never use npm in this repository.',
    'Never assume that the replica is current.',
    'Never merge code that nobody has reviewed yet.',
    'Never force-push to main: this cost us two days.',
    'Never force-push to main, this cost us two days.',
    'Never ask applicants what they earn today.',
    'Do not call `now()` or Date.now in a test.',
    'Do not use npm now that we have pnpm.',
    'Do not use npm from now on.',
    'Never log anything else than ids.',
    'Never mail those who opted out.',
  ])('last where such words point at nothing of the moment: %s', (message) => {
    expect(notesInMessage(message, 'person')).toEqual([{ text: message, caution: 0.7 }])
  })

  test.each([
    'nobody merges to trunk here, reviewers do.',
    'Secrets are never written to the log.',
    'schema changes go through the ledger tool, not by hand.',
    'Direct access to the billing tables is not allowed.',
    'In this project we do not mock the clock.',
    'From now on retries are frozen at three, never raise them.',
    'and please, never edit what the generator wrote',
    'dont ever delete a bucket without a copy',
  ])('are rules in other words, of a person: %s', (message) => {
    expect(notesInMessage(message, 'person')).toEqual([{ text: message, caution: 0.7 }])
    expect(notesInMessage(message, 'agent')).toEqual([])
  })

  test('keep what a rule only asks for as a memory', () => {
    const message = 'Every endpoint has to have a rate limit.'
    expect(notesInMessage(message, 'person')).toEqual([{ text: message, caution: 0 }])
  })

  test.each([
    "Don't rename the variable, only move it.",
    "don't give it a default, I want to see who breaks",
    'Do not implement the parser before I have looked at the types.',
    "Don't touch the footer.",
    'The list never updates after a click.',
    'The importer must not crash on that file.',
    'Is it not allowed to use two sockets here?',
    'nobody knows why it fails in this repo',
  ])('are no rule in orders and complaints: %s', (message) => {
    expect(notesInMessage(message, 'person')).toEqual([])
  })

  test.each([
    'please remember the gateway listens on 8444',
    'The crew is called Otter now, please write that down somewhere.',
    'We settled on Avro for the events.',
    'keep in mind that the old importer has two users left',
    'could you note down somewhere that the licence ends in May?',
  ])('are requests to keep something, of a person: %s', (message) => {
    expect(notesInMessage(message, 'person')).toEqual([{ text: message, caution: 0 }])
    expect(notesInMessage(message, 'agent')).toEqual([])
  })

  test('are found in sentences that begin in lower case, beside questions', () => {
    expect(textsOf('remember that staging runs on 8443. can you see why it fails?', 'person')).toEqual([
      'remember that staging runs on 8443.',
    ])
    expect(textsOf('Remember: Petra owns pricing. who touched it last?', 'person')).toEqual([
      'Petra owns pricing.',
    ])
  })

  test('keep a reminder as a memory', () => {
    const message = 'Never forget that the API is versioned.'
    expect(notesInMessage(message, 'person')).toEqual([{ text: message, caution: 0 }])
  })

  test('are not questions, quotations, code, pleasantries or private', () => {
    const message = [
      'Remember when we did that before?',
      '> Decision: somebody else said this in a mail',
      '```\nDecision: this is only code\n```',
      'Never mind, it works now.',
      'Always happy to help with this one!',
      'Decision: the salary of Jonas is raised #private',
      '<private>Remember: my own key is in the drawer at home</private>',
    ].join('\n')
    expect(textsOf(message, 'person')).toEqual([])
  })

  test('are twenty of a message, and none from a line of more than 600 characters', () => {
    const lines = Array.from({ length: 25 }, (_, at) => `Remember: fact number ${at} of the harbour`)
    expect(textsOf(lines.join('\n'))).toHaveLength(20)
    const line = (length: number) => `Remember: the pilot ${'x'.repeat(length - 20)}`
    expect([textsOf(line(600)).length, textsOf(line(601)).length]).toEqual([1, 0])
  })

  test('keep nothing of what is marked as private, also where the end of that is missing', () => {
    expect(textsOf('Remember: the port is 80\n<private>\nRemember: the code is 7 9')).toEqual([
      'the port is 80',
    ])
    const summary = 'The queue was moved to Redis Streams.\n<private>The code of the safe is 7 9.'
    expect(notesInSummary(summary).map(({ text }) => text)).toEqual(['The queue was moved to Redis Streams.'])
  })

  test('keep no secret', () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    expect(textsOf(`Remember: the deploy token is ${key} for now`)).toEqual([
      'the deploy token is [redacted: GitHub token] for now',
    ])
  })
})

describe('what a session leaves', () => {
  test('a summary is kept by its sections', () => {
    const summary =
      '# Summary\n\n## Done\nThe queue was moved to Redis Streams and tested.\n\n## Open\nThe old consumer has to be removed in March.'
    expect(notesInSummary(summary).map(({ text }) => text)).toEqual([
      '## Done\nThe queue was moved to Redis Streams and tested.',
      '## Open\nThe old consumer has to be removed in March.',
    ])
  })

  test('of a summary what tells of the moment, or says again what was said, is not kept', () => {
    const summary = `<analysis>
Let me think about what the user wants here in some detail.
</analysis>
<summary>
1. Primary Request and Intent:
   The user wants invoices exported as CSV with amounts in cents.

2. Key Technical Concepts:
   - Postgres, vitest, docker compose and others

3. Errors and fixes:
   - ECONNREFUSED 5432: the database was not up.

4. All user messages:
   - Export invoices as CSV, and my password is hunter2hunter2

5. Current Work:
   Writing the rows of csv.ts in cents.

6. Optional Next Step:
   Write the rows of the other file, too.
</summary>`
    expect(notesInSummary(summary).map(({ text }) => text)).toEqual([
      'Primary Request and Intent:\n   The user wants invoices exported as CSV with amounts in cents.',
      'Errors and fixes:\n   - ECONNREFUSED 5432: the database was not up.',
    ])
  })

  test('no note is longer than 2,000 characters', () => {
    const paragraph = 'The consumer reads forty messages a second. '.repeat(20)
    const notes = notesInSummary([paragraph, paragraph, paragraph, paragraph].join('\n\n'))
    expect(notes.length).toBeGreaterThan(1)
    for (const { text } of notes) expect([...text].length).toBeLessThanOrEqual(2_000)
  })

  test('a commit is kept with its reason and files, without its trailers', () => {
    const commit = {
      hash: '3f2504e04f8941d39a0c0305e82c3301fe2c9d11',
      subject: 'Read jobs from Redis Streams',
      body: 'RabbitMQ cost an hour of care a week.\n\nSigned-off-by: N <n@example.com>',
      paths: ['src/queue.ts', 'test/queue.test.ts'],
    }
    expect(noteOfCommit(commit)?.text).toBe(
      'Commit 3f2504e04f: Read jobs from Redis Streams\nRabbitMQ cost an hour of care a week.\nFiles: src/queue.ts, test/queue.test.ts',
    )
    expect(noteOfCommit({ ...commit, subject: "Merge branch 'main' into feature" })).toBeUndefined()
  })

  test('a fix is kept with what made it pass, and not where nothing changed', () => {
    const error = 'Error: connect ECONNREFUSED 127.0.0.1:5432'
    const fixOf = (passed: string, { edited = [], ran = [] }: { edited?: string[]; ran?: string[] }) => {
      const failed = afterFailure({ failures: [], edited: [], ran: [] }, { command: 'npm test', error })
      let state = beforeEdit(failed, edited)
      for (const command of ran) ({ state } = afterPass(state, command))
      return afterPass(state, passed).notes.map(({ text }) => text)
    }
    expect(fixOf('npm test', { edited: ['compose.yml'] })).toEqual([
      '`npm test` failed with "Error: connect ECONNREFUSED 127.0.0.1:5432" and then passed after changes to compose.yml.',
    ])
    expect(fixOf('CI=1 npm test', {})[0]).toContain('passed as `CI=1 npm test`')
    expect(fixOf('npm test', {})).toEqual([])
    const looks = ['ls -la', 'git status', 'cat a.ts', 'cat b.ts', 'cat c.ts', 'cat d.ts']
    expect(fixOf('npm test', { edited: ['a.ts'], ran: ['docker compose up -d db', ...looks] })[0]).toContain(
      'and then passed after `docker compose up -d db` and changes to a.ts.',
    )
    expect(fixOf('npm test', { ran: ['ls -la'] })).toEqual([])
  })

  test('a command that failed twice was mended once, and what was done before is over then', () => {
    const before = { failures: [], edited: [], ran: [], shown: [1] }
    const once = afterFailure(before, { command: 'npm test', error: 'Error: no table t' })
    const twice = afterFailure(beforeEdit(once, ['a.ts']), { command: 'npm test', error: 'Error: no row' })
    const { state, notes } = afterPass(twice, 'npm test')
    expect(notes.map(({ text }) => text)).toEqual([
      '`npm test` failed with "Error: no row" and then passed after changes to a.ts.',
    ])
    expect(state).toEqual(before)
  })

  test('of many failures the latest ten are looked back on, and nothing that is a script of its own', () => {
    const none = { failures: [], edited: [], ran: [] }
    const failures = Array.from({ length: 12 }, (_, at) => ({ command: `make t${at}`, error: 'Error: x' }))
    const after = failures.reduce((state, one) => afterFailure(state, one), none)
    expect(after.failures).toEqual(failures.slice(2))
    const script = 'x'.repeat(2_001)
    expect(beforeEdit(after, [script, 'a.ts']).edited).toEqual(['a.ts'])
    expect(afterPass(after, `./${script}`).state).toBe(after)
    // While another failure stands, what was done stays known.
    const edited = beforeEdit(after, ['a.ts'])
    expect(afterPass(edited, 'make t5').state.edited).toEqual(['a.ts'])
    const silent = afterFailure(none, { command: 'make', error: '' })
    expect(afterPass(beforeEdit(silent, ['a.ts']), 'make').notes).toEqual([])
  })

  test('the telling line of an output is its error', () => {
    expect(
      firstErrorLine('> build\n> tsc\n\u001b[31msrc/a.ts(3,1): error TS2304: Cannot find name x\u001b[0m\n'),
    ).toBe('src/a.ts(3,1): error TS2304: Cannot find name x')
    expect(firstErrorLine('Command failed with exit code 1\n> vitest run\nError: no such table: t\n')).toBe(
      'Error: no such table: t',
    )
    // What a runner says on the way says less than what opens as an error, and a warning nothing.
    const run =
      'npm warn Unknown user config "nodedir".\n> shop@1.4.0 test\n FAIL  test/a.test.ts > adds\n 1 failed\nAssertionError: expected 3 to be 4'
    expect(firstErrorLine(run)).toBe('AssertionError: expected 3 to be 4')
    expect(firstErrorLine('npm warn old lockfile\nsh: 1: vitest: not found')).toBe('sh: 1: vitest: not found')
    expect(firstErrorLine('warning: nothing else was said')).toBe('warning: nothing else was said')
    expect(firstErrorLine('Exit code 1')).toBe('Exit code 1')
  })

  const redacted = 'DEPLOY_TOKEN=[redacted: key]'

  test.each([
    ['npm test', 'CI=1 npm test -- --run', true],
    ['npm test', 'npm run build', false],
    ['./run.sh --fast', './run.sh', true],
    ['cd /repo && npm test', 'npm test 2>&1 | tail -5', true],
    ['cd /repo && npm test', 'cd /repo && git status', false],
    ['(cd app; npm test)', 'set -euo pipefail\nexport CI=1\nnpm test', true],
    ['# once more\nsource .venv/bin/activate && pytest -q', 'pytest', true],
    [`${redacted} ./deploy.sh`, './deploy.sh', true],
    [`${redacted} ./deploy.sh`, `${redacted} ./clean.sh`, false],
    [`FOO="a b" BAR='c d' PATH="$HOME/my bin":$PATH ./x`, './x', true],
    ['FOO="a b" ./x', 'FOO="a b" ./y', false],
    ['cd /repo', 'cd /repo/app', false],
    [redacted, redacted, false],
  ])('what failed as %j and passed as %j is mended: %s', (failed, passed, mended) => {
    expect(mends(passed, { command: failed, error: 'Error: x' })).toBe(mended)
  })
})

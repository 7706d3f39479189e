/** What an import may take of a machine, whatever it reads. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runBuilt } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/**
 * Megabytes that an import of the longest texts there are may take; half more than it takes, less than if it held whole
 * pages of them.
 */
const bound = 200

const tell = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`

/** Fills a file, a piece at a time. */
function fill(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, 'w')
  for (const piece of pieces) writeSync(descriptor, piece)
  closeSync(descriptor)
}

const count = 1_000
const long = 'tea kettle shop '.repeat(4_000)

test.each([
  [
    'notes, a line each',
    'notes.jsonl',
    function* () {
      for (let at = 0; at < count; at += 1) yield `${JSON.stringify({ text: `${at} ${long}` })}\n`
    },
  ],
  [
    "another tool's JSON in one piece",
    'mem0.json',
    function* () {
      for (let at = 0; at < count; at += 1)
        yield `${at === 0 ? '[' : ','}${JSON.stringify({ id: `m${at}`, memory: `${at} ${long}` })}`
      yield ']'
    },
  ],
])('an import of %s stays below its bound', async (_, name, pieces) => {
  const directory = temporaryDirectory()
  fill(join(directory, name), pieces())
  await runBuilt(directory, ['init', '--yes'])
  const { code, stdout, stderr } = await runBuilt(directory, ['import', name], {
    env: { NODE_OPTIONS: `--import "${tell}"` },
  })
  expect([code, stdout]).toEqual([0, `imported ${count.toLocaleString('en')} memories into default\n`])
  expect(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(bound)
})

/** Commits as `git fast-import` takes them. */
function* commits(messages: Iterable<string>): Generator<string> {
  let mark = 0
  for (const message of messages) {
    mark += 1
    yield `commit refs/heads/main\nmark :${mark}\ncommitter n <n@example.com> ${1_700_000_000 + mark} +0000\n`
    yield `data ${Buffer.byteLength(message)}\n${message}\n`
    if (mark > 1) yield `from :${mark - 1}\n`
  }
}

function* messages(): Generator<string> {
  // One that is longer than all that may be held of it, among many that are long.
  yield `the longest\n\n${'word '.repeat(16_000_000)}`
  for (let at = 1; at < count; at += 1) yield `change ${at}\n\n${at} ${long}`
}

test('an import of a history of long messages stays below its bound', async () => {
  const directory = temporaryDirectory()
  fill(join(directory, 'history'), commits(messages()))
  execFileSync(
    'sh',
    ['-c', 'git init -q -b main repository && git -C repository fast-import --quiet <history'],
    {
      cwd: directory,
    },
  )
  await runBuilt(directory, ['init', '--yes'])
  const { code, stdout, stderr } = await runBuilt(directory, ['import', '--git', 'repository'], {
    env: { NODE_OPTIONS: `--import "${tell}"` },
  })
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`imported ${count.toLocaleString('en')} memories into default\n`),
  ])
  expect(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024).toBeLessThan(bound)
})

/**
 * Every hook of every agent over a large brain, as whole processes: `node bench/hooks.js [notes] [runs]`. An agent waits
 * for each, so that the slowest matters. The brain has flags, and the person one of their own; the directory is a git
 * repository with work at hand. Processor time, of git's processes as well, is told beside the wall's, as a multiple of an
 * empty node's: a busy machine changes it little. Needs bash, which knows the processor time of a child.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brain, brainOf, command, scratch } from './brains.js'
import { cleanEnvironment, printMachine, printTable, say } from './measure.js'
import { createNotes } from './notes.js'

const [size = 100_000, runs = 9] = process.argv.slice(2).map(Number)

const { directory } = await brainOf(size)
const data = join(scratch, 'person')
const environment = { ...cleanEnvironment, XDG_DATA_HOME: data }
const notes = createNotes(7)

if (!existsSync(join(directory, '.git'))) {
  say('making it a repository with flags and work at hand')
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], { cwd: directory })
  for (let flag = 0; flag < 40; flag += 1) brain(directory, 'flag', `Never ${notes.note()}`)
  writeFileSync(join(directory, '.gitignore'), 'notes.jsonl\ndone\n')
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.gitignore')
  git('commit', '--quiet', '--message', 'Begin')
  git('checkout', '--quiet', '-b', 'feature/invoice-export')
  git('commit', '--quiet', '--allow-empty', '--message', notes.query())
  writeFileSync(join(directory, 'export.ts'), '')
}
if (!existsSync(data)) {
  mkdirSync(data, { recursive: true })
  for (let note = 0; note < 50; note += 1)
    spawnSync(process.execPath, [command, '--global', 'remember', notes.note()], { env: environment })
}

/** As people write to an agent: many sentences, of which some tell a time. */
const long = Array.from({ length: 8 }, () => notes.query()).join('. ')
const timed = `${notes.query()} yesterday, after the deploy on Friday`
const bash = { tool_name: 'Bash', tool_input: { command: 'npx prisma migrate deploy --schema prod' } }
const edit = { tool_name: 'Edit', tool_input: { file_path: join(directory, 'export.ts'), new_string: 'x' } }
/** As agents commit: the message is longer than what is done. */
const commit = `git commit -m "$(cat <<'EOF'\n${notes.query()}\n\n${Array.from({ length: 6 }, () => notes.query()).join('.\n')}\nEOF\n)" && git push`
const error = 'Error: connect ECONNREFUSED 127.0.0.1:5432'
/** Something new each time: what the brain knows already is not kept again, which is quicker. */
const decision = () => `**Decision:** ${notes.note()}`
const summary = () => `## Done\n${notes.note()}\n\n## Open\n${notes.note()}`

/** What each agent sends, by its own names. */
const calls = [
  ['claude-code', 'SessionStart', { source: 'startup' }],
  ['claude-code', 'UserPromptSubmit', { prompt: notes.query() }],
  ['claude-code', 'UserPromptSubmit', { prompt: long }, 'long'],
  ['claude-code', 'UserPromptSubmit', { prompt: timed }, 'with a time'],
  ['claude-code', 'PreToolUse', bash],
  ['claude-code', 'PreToolUse', edit, 'an edit'],
  ['claude-code', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: commit } }, 'a commit'],
  ['claude-code', 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git status' } }, 'a look'],
  ['claude-code', 'PostToolUseFailure', { ...bash, error }],
  ['claude-code', 'PostToolUse', { ...bash, tool_response: { stdout: 'ok' } }],
  ['claude-code', 'Stop', () => ({ last_assistant_message: decision() })],
  ['claude-code', 'PostCompact', () => ({ compact_summary: summary() })],
  ['claude-code', 'SessionEnd', { reason: 'exit' }],
  ['codex', 'SessionStart', { source: 'startup' }],
  ['gemini', 'BeforeAgent', { prompt: notes.query() }],
  ['gemini', 'BeforeTool', { tool_name: 'run_shell_command', tool_input: bash.tool_input }],
  ['cursor', 'beforeShellExecution', bash.tool_input],
]

let session = 0

/** Milliseconds of a node process: the wall's, and the processor's. */
function time(words, input) {
  const start = performance.now()
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'time', process.execPath, ...words],
    { cwd: directory, env: { ...environment, LC_ALL: 'C' }, input },
  )
  const wall = performance.now() - start
  const told = stderr.toString().trim()
  if (status !== 0 || !/^\S+ \S+$/.test(told)) throw new Error(`${words.join(' ')}: ${told}`)
  const [user, system] = told.split(' ').map(Number)
  return { wall, processor: (user + system) * 1000 }
}

/** One hook, in a session of its own, so that nothing was shown yet. */
function timeHook([agent, event, sent]) {
  session += 1
  const id = `bench-${process.pid}-${session}`
  const own = typeof sent === 'function' ? sent() : sent
  const input = JSON.stringify({ session_id: id, conversation_id: id, cwd: directory, ...own })
  return time([command, 'hook', agent, event], input)
}

const tasks = [
  { name: 'an empty node', run: () => time(['--eval', '']) },
  ...calls.map((call) => ({
    name: [call[0], call[1], call[3] ?? ''].join(' ').trim(),
    run: () => timeHook(call),
  })),
]
for (const { run } of tasks) run()
const taken = tasks.map(() => [])
// In turns, so that a busy moment of the machine falls on all alike.
for (let run = 0; run < runs; run += 1) for (const [at, task] of tasks.entries()) taken[at].push(task.run())
const least = taken.map((samples) => Math.min(...samples.map(({ processor }) => processor)))
printMachine()
printTable(
  `Hooks over ${size} notes, whole process, milliseconds (bound: 300)`,
  ['hook', 'wall, p50', 'wall, slowest', 'processor, least', '× an empty node'],
  tasks.map(({ name }, at) => {
    const sorted = taken[at].map(({ wall }) => wall).toSorted((a, b) => a - b)
    const walls = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    return [
      name,
      ...[...walls, least[at]].map((value) => value.toFixed(0)),
      (least[at] / least[0]).toFixed(1),
    ]
  }),
)

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBrainPlace, createPlace, type Place } from '../cli/command-line.ts'

const personal = (place: Place): string => join(place.directory, 'home', '.local', 'share', 'brain', '.brain')

/** What an agent is told at an event. */
async function callHook(place: Place, event: string, sent: object): Promise<string> {
  const stdin = JSON.stringify(sent)
  const { code, stdout, stderr } = await place.run(['hook', 'claude-code', event], { stdin })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext
}

const ask = (place: Place, prompt: string, session = 's1', directory = place.directory): Promise<string> =>
  callHook(place, 'UserPromptSubmit', { session_id: session, cwd: directory, prompt })

const begin = (place: Place, source: string, directory = place.directory): Promise<string> =>
  callHook(place, 'SessionStart', { session_id: 's1', cwd: directory, source })

const heading = "From the person's own brain (`brain --global`):"

test('the person’s own brain is made by its first use, private, in the data directory', async () => {
  const place = createPlace()
  expect((await place.run(['prime'])).code).toBe(4)
  expect(existsSync(personal(place))).toBe(false)
  expect((await place.run(['--global', 'remember', 'small commits'])).code).toBe(0)
  expect(statSync(personal(place)).mode & 0o777).toBe(0o700)
  const elsewhere = join(place.directory, 'data')
  await place.run(['--global', 'remember', 'other'], { environment: { XDG_DATA_HOME: elsewhere } })
  expect(existsSync(join(elsewhere, 'brain', '.brain', 'brain.db'))).toBe(true)
  // Without the option there is no brain here still.
  expect((await place.run(['list'])).code).toBe(4)
})

test('prime reads both, and says which line is from which', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'The queue is on Redis Streams'])
  expect((await place.run(['prime'])).stdout).not.toContain(heading)
  await place.run(['--global', 'remember', 'Small commits with telling messages'])
  const { stdout } = await place.run(['prime'])
  const [ours, theirs] = stdout.split(`${heading}\n`)
  expect(ours).toMatch(/^From this project's brain:\n- memory 1, [\d-]{10}: The queue is on Redis Streams\n$/)
  expect(theirs).toMatch(/^- memory 1, [\d-]{10}: Small commits with telling messages\n/)
  // Of the person's own brain alone: what it is said to be.
  expect((await place.run(['--global', 'prime'])).stdout.startsWith(`${heading}\n- memory 1,`)).toBe(true)
})

test('what is in it belongs to no project, whichever is at hand', async () => {
  const place = await createBrainPlace({ BRAIN_PROJECT: 'web' })
  await place.run(['--global', 'remember', 'Small commits with telling messages'])
  await place.run(['remember', 'The queue is on Redis Streams'])
  expect((await place.run(['prime'])).stdout).toContain('Small commits')
  expect(JSON.parse((await place.run(['--global', 'projects', '--json'])).stdout).projects).toMatchObject([
    { name: 'default', memories: 1 },
  ])
})

test('a prompt finds what is in both, each once a session', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'The replica in Oslo lags ten minutes after a vacuum'])
  await place.run(['--global', 'remember', 'Ask before a vacuum of any replica'])
  const prompt = 'why does the replica lag after the vacuum?'
  const told = await ask(place, prompt)
  expect(told).toContain('The replica in Oslo')
  expect(told.split(`${heading}\n`)[1]).toContain('Ask before a vacuum')
  expect(await ask(place, prompt)).toBe('')
  expect(await ask(place, prompt, 's2')).toContain('Ask before a vacuum')
})

test('a session that is resumed is told of neither brain what it was told before', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'The replica in Oslo lags ten minutes after a vacuum'])
  await place.run(['--global', 'remember', 'Small commits with telling messages'])
  expect(await begin(place, 'startup')).toContain('Small commits')
  expect(await begin(place, 'resume')).toBe('')
  await place.run(['--global', 'remember', 'Ask before a vacuum of any replica'])
  const resumed = await begin(place, 'resume')
  expect(resumed.startsWith(`${heading}\n- memory 2,`)).toBe(true)
  expect(resumed).not.toContain('Small commits')
})

test('nor where the person’s own is the only one', async () => {
  const place = createPlace()
  const project = join(place.directory, 'project')
  mkdirSync(project)
  await place.run(['--global', 'remember', 'I like my commits small'])
  expect(await begin(place, 'startup', project)).toContain('I like my commits small')
  expect(await begin(place, 'resume', project)).toBe('')
})

test('where a project has no brain, its prompts find the person’s own, and nothing is kept there', async () => {
  const place = createPlace()
  const project = join(place.directory, 'project')
  mkdirSync(project)
  expect(await ask(place, 'how do I like my commits written?', 's1', project)).toBe('')
  expect(existsSync(personal(place))).toBe(false)
  await place.run(['--global', 'remember', 'I like my commits small'])
  const prompt = 'how do I like my commits written?\nRemember: this project deploys on Tuesdays.'
  expect(await ask(place, prompt, 's1', project)).toContain('I like my commits small')
  expect((await place.run(['--global', 'list', '--count'])).stdout).toBe('1\n')
})

test('two brains cannot be named at once', async () => {
  const place = await createBrainPlace()
  expect(await place.run(['--global', '--dir', '.', 'list'])).toMatchObject({
    code: 2,
    stderr: 'brain: --dir and --global name two brains: give one of them\n',
  })
})

test('one that cannot be opened is told of, and the project’s answers all the same', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'The queue is on Redis Streams'])
  mkdirSync(join(personal(place), 'brain.db'), { recursive: true, mode: 0o700 })
  const { code, stdout, stderr } = await place.run(['prime'])
  expect({ code, told: stdout.includes('Redis Streams') }).toEqual({ code: 0, told: true })
  expect(stderr).toContain('your own brain cannot be read')
})

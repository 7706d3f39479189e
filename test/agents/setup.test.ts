import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type SetupPlace, setupAgents } from '../../src/agents/setup/agents.ts'
import { describeChange, isChanged, planSetup, writeChanges } from '../../src/agents/setup/plan.ts'
import { createBrainPlace, createPlace, type Place, program } from '../cli/command-line.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

function makePlace(scope: SetupPlace['scope'] = 'project'): SetupPlace {
  const directory = temporaryDirectory()
  return {
    scope,
    project: join(directory, 'project'),
    home: join(directory, 'home'),
    program: ['node', '/opt/brain with space/bin/brain.js'],
  }
}

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Every file below a directory with its text. */
function filesIn(directory: string): Record<string, string> {
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found === undefined) return {}
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

const cases = setupAgents.flatMap((agent) =>
  (['project', 'user'] as const).map((scope) => [agent.name, scope, agent] as const),
)

test('a file that somebody changed since the plan was made stays as it is, and so do the others', () => {
  const [agent] = setupAgents
  const place = makePlace()
  if (agent === undefined) throw new Error('no agent')
  const plan = planSetup(agent, place, 'put')
  const [file] = plan
  put(String(file?.path), '{ "theirs": true }')
  const before = filesIn(place.project)
  expect(() => writeChanges(plan)).toThrow(/was changed meanwhile, and is left as it is: run this again/)
  expect(filesIn(place.project)).toEqual(before)
  // Another setup may have made the very same change.
  const second = planSetup(agent, place, 'put')
  writeChanges(planSetup(agent, place, 'put'))
  writeChanges(second)
  expect(planSetup(agent, place, 'put').filter(isChanged)).toEqual([])
})

describe('setup', () => {
  test.each(cases)(
    '%s in the %s: a second time changes nothing, and removing restores',
    (_name, scope, agent) => {
      const place = makePlace(scope)
      writeChanges(planSetup(agent, place, 'put'))
      const connected = filesIn(dirname(place.project))
      expect(Object.keys(connected).length).toBeGreaterThan(0)
      expect(planSetup(agent, place, 'put').filter(isChanged)).toEqual([])
      writeChanges(planSetup(agent, place, 'take'))
      expect(filesIn(dirname(place.project))).toEqual({})
      // Nor does a directory stay that would pass for a trace of the agent.
      const left = readdirSync(dirname(place.project), { recursive: true, encoding: 'utf8' })
      expect(left.filter((path) => /[\\/]/.test(path))).toEqual([])
    },
  )

  test.each(cases)('%s in the %s keeps what people wrote byte for byte', (_name, scope, agent) => {
    const place = makePlace(scope)
    for (const { path } of agent.files(place)) {
      if (/\.json$/.test(path)) {
        put(
          path,
          '{\n\t"version": 1,\n\t// ours, with a comment\n\t"theme": "dark", /* and another */\n\t"hooks": {\n\t\t"Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],\n\t},\n}\n',
        )
      } else if (/\.toml$/.test(path)) put(path, 'model = "o5"\n\n[mcp_servers.other]\ncommand = "x"\n')
      else put(path, '# Rules\r\n\r\nUse tabs.\r\n')
    }
    const before = filesIn(dirname(place.project))
    writeChanges(planSetup(agent, place, 'put'))
    const connected = filesIn(dirname(place.project))
    for (const [path, text] of Object.entries(connected)) {
      if (/\.json$/.test(path)) expect(text).toMatch(/ours, with a comment[\s\S]*and another/)
      expect(text).not.toBe(before[path])
    }
    writeChanges(planSetup(agent, place, 'take'))
    expect(filesIn(dirname(place.project))).toEqual(before)
  })

  test('a block that a person edited is refused and left as it is', () => {
    const place = makePlace()
    const [claude] = setupAgents
    if (claude === undefined) throw new Error('no agent')
    writeChanges(planSetup(claude, place, 'put'))
    const file = join(place.project, 'CLAUDE.md')
    writeFileSync(file, readFileSync(file, 'utf8').replace('outlives', 'survives'))
    const edited = filesIn(dirname(place.project))
    expect(() => planSetup(claude, place, 'put')).toThrow(/CLAUDE.md is left as it is: somebody edited/)
    expect(() => planSetup(claude, place, 'take')).toThrow(/somebody edited/)
    expect(filesIn(dirname(place.project))).toEqual(edited)
  })

  test('a block without its end and settings that were cut short are refused, and lines end as they did', () => {
    const place = makePlace()
    const [claude] = setupAgents
    if (claude === undefined) throw new Error('no agent')
    const file = join(place.project, 'CLAUDE.md')
    put(file, '# Rules\r\n')
    const block = planSetup(claude, place, 'put').find(({ path }) => path === file)?.after ?? ''
    expect(block).toMatch(/^# Rules\r\n\r\n<!-- brain:begin .*\r\n/)
    expect(block).not.toMatch(/[^\r]\n/)
    put(file, block.replace(/<!-- brain:end -->/, ''))
    for (const action of ['put', 'take'] as const)
      expect(() => planSetup(claude, place, action)).toThrow('it has a brain:begin without a brain:end')
    put(file, '')
    put(join(place.project, '.mcp.json'), '{"mcpServers": {}')
    expect(() => planSetup(claude, place, 'put')).toThrow('.mcp.json is left as it is: it is no JSON object')
  })

  test('does not write through a link', () => {
    const place = makePlace()
    const [claude] = setupAgents
    if (claude === undefined) throw new Error('no agent')
    put(join(place.home, 'secret'), 'text')
    mkdirSync(place.project, { recursive: true })
    symlinkSync(join(place.home, 'secret'), join(place.project, 'CLAUDE.md'))
    expect(() => planSetup(claude, place, 'put')).toThrow(/no regular file/)
  })

  test.each(setupAgents.map((agent) => [agent.name, agent] as const))(
    '%s: writes into no directory that a repository brought as a link, and into one that a home has',
    (_name, agent) => {
      const place = makePlace()
      const elsewhere = join(place.home, 'elsewhere')
      mkdirSync(elsewhere, { recursive: true })
      mkdirSync(place.project, { recursive: true })
      for (const root of [place.project, place.home])
        for (const name of ['.claude', '.codex', '.gemini', '.cursor'])
          symlinkSync(elsewhere, join(root, name))
      expect(() => planSetup(agent, place, 'put')).toThrow(/is a link: setup does not write through links/)
      const own: SetupPlace = { ...place, scope: 'user' }
      writeChanges(planSetup(agent, own, 'put'))
      expect(readdirSync(elsewhere).length).toBeGreaterThan(0)
    },
  )

  test('settings with thousands of hooks among ours, or nested without end, are worked through or refused at once', () => {
    const place = makePlace()
    const [claude] = setupAgents
    if (claude === undefined) throw new Error('no agent')
    const path = join(place.project, '.claude', 'settings.json')
    const group = (command: string) => ({ hooks: [{ type: 'command', command }] })
    const theirs = Array.from({ length: 4_000 }, (_, at) => group(`say ${at}`))
    const mixed = theirs.flatMap((one, at) => [group(`node brain.js hook claude-code X ${at}`), one])
    put(path, JSON.stringify({ hooks: { PreToolUse: mixed } }, undefined, 1))
    const [settings] = planSetup(claude, place, 'take')
    expect(JSON.parse(settings?.after ?? '')).toEqual({ hooks: { PreToolUse: theirs } })
    expect(settings && describeChange(settings, place.project)).toContain('more changes than can be shown')
    put(path, `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`)
    expect(() => planSetup(claude, place, 'put')).toThrow(/it is no JSON object: correct it first/)
  })

  test('an older path of this program is brought up to date, not added again', () => {
    const place = makePlace()
    const [claude] = setupAgents
    if (claude === undefined) throw new Error('no agent')
    writeChanges(planSetup(claude, place, 'put'))
    const moved: SetupPlace = { ...place, program: ['node', '/usr/lib/brain/bin/brain.js'] }
    writeChanges(planSetup(claude, moved, 'put'))
    const settings = readFileSync(join(place.project, '.claude', 'settings.json'), 'utf8')
    expect(settings).toContain('/usr/lib/brain/bin/brain.js')
    expect(settings).not.toContain('brain with space')
  })
})

test('brain init names the agents that are used here, and what connects them', async () => {
  const place = createPlace()
  mkdirSync(join(place.directory, '.cursor'))
  expect((await place.run(['init', '--yes'])).stdout).toContain(
    'Found Cursor: `brain setup cursor` connects it.',
  )
  mkdirSync(join(place.directory, 'home', '.claude'), { recursive: true })
  expect((await place.run(['init', '--yes'])).stdout).toContain('Found Claude Code, Cursor: `brain setup`')
  await place.run(['setup', 'cursor', '--yes'])
  const { stdout } = await place.run(['init', '--yes'])
  expect(stdout).toContain('Found Claude Code: `brain setup claude-code` connects it.')
  expect(stdout).not.toContain('Cursor')
})

test('brain setup says where the brain is missing that an agent is connected with', async () => {
  const place = createPlace()
  const missing = 'There is no brain here yet: `brain init` makes one.'
  for (const more of [['--yes'], ['--check']])
    expect((await place.run(['setup', 'codex', ...more])).stdout).toContain(missing)
  await place.run(['init', '--yes'])
  expect((await place.run(['setup', 'codex', '--check'])).stdout).not.toContain(missing)
})

test('brain setup shows a change, and writes it only when told', async () => {
  const place = await createBrainPlace()
  const { code, stderr } = await place.run(['setup', 'codex'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--print')])
  expect((await place.run(['setup', 'codex', '--print'])).stdout).toContain('+[mcp_servers.brain]')
  expect((await place.run(['setup', 'codex', '--check'])).code).toBe(1)
  expect((await place.run(['setup', 'codex', '--yes'])).code).toBe(0)
  expect((await place.run(['setup', 'codex', '--check'])).code).toBe(0)
  expect((await place.run(['setup'])).stdout).toContain('Codex: connected for this project')
  expect((await place.run(['setup', 'emacs'])).stderr).toContain(
    'agent must be one of: claude-code, codex, gemini, cursor',
  )
})

describe.skipIf(process.platform === 'win32')('what setup writes starts', () => {
  /** The command of the MCP server, and of a hook, with a directory of commands on the path. */
  async function writtenWith(commands: string, scope = '--project') {
    const place = await createBrainPlace({ PATH: `relative:${commands}:/usr/bin` })
    await place.run(['setup', 'claude-code', scope, '--yes'])
    const base = scope === '--user' ? join(place.directory, 'home') : place.directory
    const read = (path: string) => JSON.parse(readFileSync(join(base, path), 'utf8'))
    const { brain } = read(scope === '--user' ? '.claude.json' : '.mcp.json').mcpServers
    const { hooks } = read('.claude/settings.json')
    return [[brain.command, ...brain.args].join(' '), hooks.SessionStart[0].hooks[0].command]
  }

  const byName = ['brain mcp', 'brain hook claude-code SessionStart']
  const byPath = [`node ${program} mcp`, `node ${program} hook claude-code SessionStart`]

  /** A directory with a `brain` in it. */
  function commandsWith(target: string, directory = temporaryDirectory()): string {
    mkdirSync(directory, { recursive: true })
    symlinkSync(target, join(directory, 'brain'))
    return directory
  }

  test('brain in a project, where that is on the path and is this program', async () => {
    const commands = commandsWith(program)
    expect(await writtenWith(commands)).toEqual(byName)
    expect(await writtenWith(commands, '--user')).toEqual(byPath)
  })

  test('the script where brain is not on the path, is another program, or is there for one command only', async () => {
    expect(await writtenWith(temporaryDirectory())).toEqual(byPath)
    expect(await writtenWith(`${commandsWith('/bin/sh')}:${commandsWith(program)}`)).toEqual(byPath)
    const passing = join(temporaryDirectory(), 'node_modules', '.bin')
    expect(await writtenWith(commandsWith(program, passing))).toEqual(byPath)
  })
})

describe('setup --check --live', () => {
  const start = (place: Place, agent = 'claude-code') =>
    place.run(['hook', agent, 'SessionStart'], {
      stdin: JSON.stringify({ session_id: 's1', cwd: place.directory, source: 'startup' }),
    })

  test('plants a word that the start of a session tells the model, and says whether it was told', async () => {
    const place = await createBrainPlace()
    await place.run(['setup', 'claude-code', '--yes'])
    expect((await start(place)).stdout).toBe('')
    const check = ['setup', 'claude-code', '--check', '--live']
    const first = JSON.parse((await place.run([...check, '--json'])).stdout)
    expect(first).toMatchObject({
      connected: true,
      live: { word: expect.stringMatching(/^[a-z]+-\d{4}$/), handed_at: null },
    })
    const { word } = first.live
    expect((await start(place, 'codex')).stdout).toBe('')
    expect(JSON.parse((await start(place)).stdout).hookSpecificOutput.additionalContext).toContain(word)
    const { stdout } = await place.run(check)
    expect(stdout).toContain(`The code word is ${word}.`)
    expect(stdout).toContain('A session was told it at')
  })

  test('plants no word through a link that a repository brought', async () => {
    const place = await createBrainPlace()
    await place.run(['setup', 'claude-code', '--yes'])
    const elsewhere = temporaryDirectory()
    symlinkSync(elsewhere, join(place.directory, '.brain', 'sessions'))
    const { code, stderr } = await place.run(['setup', 'claude-code', '--check', '--live'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('sessions is no directory') })
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('plants nothing where the agent is not connected, and is no way to connect it', async () => {
    const place = await createBrainPlace()
    const { code, stdout } = await place.run(['setup', 'codex', '--check', '--live', '--json'])
    expect({ code, live: JSON.parse(stdout).live }).toEqual({ code: 1, live: undefined })
    expect((await place.run(['setup', 'codex', '--live'])).code).toBe(2)
  })
})

test('after setup --project is the place to connect, before it the project whose records are used', async () => {
  const place = await createBrainPlace()
  const printed = await place.run(['setup', 'claude-code', '--project', '--print', '--json'])
  expect(JSON.parse(printed.stdout).scope).toBe('project')
  const named = await place.run(['--project', 'web', 'setup', 'claude-code', '--user', '--print', '--json'])
  expect(JSON.parse(named.stdout).scope).toBe('user')
  expect(await place.run(['setup', 'claude-code', '--project', '--user'])).toMatchObject({
    code: 2,
    stderr: 'brain: --user and --project are two places: give one of them\n',
  })
  // Everywhere else it takes a name wherever it stands.
  expect((await place.run(['recall', 'x', '--project', 'web'])).stderr).toContain('project web is new')
})

test('a home that is relative is none: setup for all projects looks elsewhere than in this one', async () => {
  const place = await createBrainPlace({ HOME: 'home' })
  const { stdout } = await place.run(['setup', 'claude-code', '--user', '--print', '--json'])
  const paths: string[] = JSON.parse(stdout).files.map(({ path }: { path: string }) => path)
  expect(paths.filter((path) => !isAbsolute(path))).toEqual([])
})

test('the skill of the plugin has a heading that YAML reads', () => {
  const skill = readFileSync('packaging/extensions/claude-code/skills/brain/SKILL.md', 'utf8')
  const [, description = ''] = /^---\nname: brain\ndescription: (.*)\n---\n/.exec(skill) ?? []
  // A plain scalar with a colon in it would be refused; a string of JSON is one of YAML, too.
  expect(JSON.parse(description)).toMatch(/^The memory of a project: recall/)
})

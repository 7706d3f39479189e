/** A Claude Code plugin and a Gemini CLI extension, out of what `brain setup` writes: they call the `brain` on the path. */
import { basename, join } from 'node:path'
import { setupAgents } from '../src/agents/setup/agents.ts'
import { instructions } from '../src/agents/setup/instructions.ts'

const directory = 'packaging/extensions'
const about = 'The memory of a project: recall, warnings before risky steps, beliefs, predictions'

const toJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** What setup writes for an agent into an empty project, by the names of the files. */
function setupFiles(name: string): Map<string, string> {
  const agent = setupAgents.find((one) => one.name === name)
  if (agent === undefined) throw new Error(`no agent ${name}`)
  const files = agent.files({ scope: 'project', project: '', home: '', program: ['brain'] })
  return new Map(files.map((file) => [basename(file.path), file.put('')]))
}

function claudePlugin(version: string): [path: string, text: string][] {
  const files = setupFiles('claude-code')
  const skill = `---\nname: brain\ndescription: ${JSON.stringify(`${about}. Use it before work on anything that may have been decided, tried or broken before.`)}\n---\n\n${instructions}\n`
  return [
    ['.claude-plugin/plugin.json', toJson({ name: 'brain', version, description: about, license: 'MIT' })],
    ['hooks/hooks.json', files.get('settings.json') ?? ''],
    ['.mcp.json', files.get('.mcp.json') ?? ''],
    ['skills/brain/SKILL.md', skill],
  ]
}

function geminiExtension(version: string): [path: string, text: string][] {
  const settings: unknown = JSON.parse(setupFiles('gemini').get('settings.json') ?? '')
  const { hooks, mcpServers } = settings as { hooks: unknown; mcpServers: unknown }
  return [
    [
      'gemini-extension.json',
      toJson({ name: 'brain', version, description: about, mcpServers, contextFileName: 'GEMINI.md' }),
    ],
    ['hooks/hooks.json', toJson({ hooks })],
    ['GEMINI.md', `${instructions}\n`],
  ]
}

/** The files of both, by their paths in this repository. */
export const agentExtensions = (version: string): [path: string, text: string][] => [
  ...claudePlugin(version).map(([path, text]): [string, string] => [
    join(directory, 'claude-code', path),
    text,
  ]),
  ...geminiExtension(version).map(([path, text]): [string, string] => [
    join(directory, 'gemini', path),
    text,
  ]),
]

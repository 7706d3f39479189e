/** A team: clones of one repository, each with a brain, that share through it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlace, execute } from '../cli/command-line.ts'
import { compiledCode } from '../compiled-code.ts'

export interface Member {
  readonly directory: string
  /** Runs brain as this person; fails where it does. */
  brain(...argv: string[]): Promise<Record<string, never>>
  /** The same as nobody in particular. */
  ask(...argv: string[]): Promise<Record<string, never>>
  /** What brain tells this person and ends with, fail or not. */
  tells(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  git(...argv: string[]): Promise<string>
  /** Shares, commits and pushes. */
  give(): Promise<void>
  /** Merges what others pushed, and takes it in. */
  take(...argv: string[]): Promise<Record<string, unknown>>
}

/** A repository on a server and so many clones of it, each with a brain. */
async function createTeam(count: number): Promise<Member[]> {
  const { directory: root, run } = createPlace()
  const env = {
    ...process.env,
    HOME: join(root, 'home'),
    ...compiledCode,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.org',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.org',
  }
  const gitIn = async (cwd: string, argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await execute('git', argv, { cwd, env })
    if (code !== 0) throw new Error(`git ${argv.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  await gitIn(root, ['init', '--quiet', '--bare', '--initial-branch=main', 'server.git'])
  const members: Member[] = []
  for (let at = 0; at < count; at += 1) {
    const directory = join(root, `clone${at}`)
    await gitIn(root, ['clone', '--quiet', 'server.git', directory])
    const inside = { workingDirectory: directory }
    const ask = async (...argv: string[]) => {
      const { code, stdout, stderr } = await run(['--json', ...argv], inside)
      if (code !== 0) throw new Error(`brain ${argv.join(' ')}: ${stderr}`)
      return stdout.trim() === '' ? {} : JSON.parse(stdout)
    }
    const brain = (...argv: string[]) => ask('--agent', `person${at}`, ...argv)
    const git = (...argv: string[]) => gitIn(directory, argv)
    const member: Member = {
      directory,
      brain,
      ask,
      tells: async (...argv) => run(argv, inside),
      git,
      give: async () => {
        await brain('share')
        await git('add', '--all')
        await git('commit', '--quiet', '--allow-empty', '--message', 'what we know')
        if (at > 0 || members.length > 1)
          await git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
        await git('push', '--quiet', 'origin', 'HEAD:main')
      },
      take: async (...argv) => {
        await git('pull', '--quiet', '--no-rebase', '--no-edit', 'origin', 'main')
        return brain('share', '--pull', ...argv)
      },
    }
    await run(['init', '--yes'], inside)
    if (at === 0) {
      await git('checkout', '--quiet', '-b', 'main')
      await git('commit', '--quiet', '--allow-empty', '--message', 'begin')
      await git('push', '--quiet', 'origin', 'main')
    } else await git('checkout', '--quiet', '-B', 'main', 'origin/main')
    members.push(member)
  }
  return members
}

export const two = async (): Promise<[Member, Member]> => {
  const [one, other] = await createTeam(2)
  if (one === undefined || other === undefined) throw new Error('no team')
  return [one, other]
}

export const three = async (): Promise<[Member, Member, Member]> => {
  const [one, other, third] = await createTeam(3)
  if (one === undefined || other === undefined || third === undefined) throw new Error('no team')
  return [one, other, third]
}

export const texts = async (member: Member): Promise<string[]> => {
  // Who is named with --agent is whose records are listed.
  const { records } = (await member.ask('list')) as unknown as { records: { text: string }[] }
  return records.map(({ text }) => text).sort()
}

export const sharedFiles = ({ directory }: Member): string[] =>
  existsSync(join(directory, '.brain-shared', 'records'))
    ? readdirSync(join(directory, '.brain-shared', 'records'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.json'))
    : []

export const contentOfFile = (member: Member, name: string): string =>
  readFileSync(join(member.directory, '.brain-shared', 'records', name), 'utf8')

export const contentOf = (member: Member): string =>
  sharedFiles(member)
    .map((name) => contentOfFile(member, name))
    .join('')

/** Everything that is known, without what each brain numbers by itself and when it heard of it. */
export const everything = async (member: Member): Promise<string[]> => {
  const out: string[] = []
  const { stdout } = await member.tells('export')
  for (const line of stdout.trim().split('\n')) {
    const { id: _, memory_id: __, belief_id: ___, ...said } = JSON.parse(line)
    const { origin: ____, replaced_at: _____, superseded_by, ...record } = said
    out.push(JSON.stringify({ ...record, ...(superseded_by != null && { superseded: true }) }))
  }
  return out.sort()
}

/** `brain setup`: connects a coding agent with the brain, shows how the agents found here stand, disconnects. */

import { dirname } from 'node:path'
import { Argument, type Command, Option } from 'commander'
import { agentNames } from '../../agents/names.ts'
import type { SetupAgent, SetupPlace } from '../../agents/setup/agents.ts'
import type { FileChange } from '../../agents/setup/plan.ts'
import { homeOf } from '../../config/user-directories.ts'
import { counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import { shadowed } from '../commands.ts'
import { findScript, isOnPath } from '../own-script.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Options {
  readonly user?: boolean
  readonly ownProject?: boolean
  readonly check?: boolean
  readonly live?: boolean
  readonly remove?: boolean
  readonly print?: boolean
  readonly yes?: boolean
}

const loadSetup = async () => ({
  ...(await import('../../agents/setup/agents.ts')),
  ...(await import('../../agents/setup/plan.ts')),
})

function placeOf(session: Session, scope: SetupPlace['scope']): SetupPlace {
  const { environment } = session.terminal
  // Beside the brain, so that every directory of a project connects the same files.
  const brain = session.find()
  return {
    scope,
    project: brain === undefined ? session.terminal.workingDirectory : dirname(brain),
    home: homeOf(environment),
    // Looked for where it is to be written: to `brain init` an agent is worth a word, and no failure.
    get program(): SetupPlace['program'] {
      // Files of a project go to other people's machines, where a path of this one leads nowhere.
      return scope === 'project' && isOnPath(environment.PATH ?? '') ? ['brain'] : ['node', findScript()]
    },
  }
}

/** How an agent stands in one scope: connected, or the files that differ. */
type SetupState = {
  readonly connected: boolean
  readonly differing: readonly string[]
  readonly refused?: string
}

async function setupStateOf(agent: SetupAgent, place: SetupPlace): Promise<SetupState> {
  const { planSetup, isChanged } = await loadSetup()
  try {
    const changes = planSetup(agent, place, 'put')
    const differing = changes.filter(isChanged).map(({ path }) => path)
    return { connected: differing.length === 0, differing }
  } catch (error) {
    if (!(error instanceof BrainError)) throw error
    return { connected: false, differing: [], refused: error.message }
  }
}

/** Every agent, whether it is used here, and where it is connected. */
export async function agentsHere(session: Session) {
  const { findAgents, setupAgents } = await loadSetup()
  const [inProject, ofUser] = [placeOf(session, 'project'), placeOf(session, 'user')]
  const used = findAgents([inProject.project, inProject.home])
  return Promise.all(
    setupAgents.map(async (agent) => ({
      agent: agent.name,
      title: agent.title,
      found: used.includes(agent),
      project: (await setupStateOf(agent, inProject)).connected,
      user: (await setupStateOf(agent, ofUser)).connected,
    })),
  )
}

/** What a connected agent still lacks: its hooks do nothing where there is no brain. */
const missingBrain = (session: Session): string[] =>
  session.find() === undefined ? ['There is no brain here yet: `brain init` makes one.'] : []

async function listAgents(session: Session): Promise<void> {
  const found = await agentsHere(session)
  const { style } = session
  await session.print({ agents: found }, () =>
    [
      ...found.map(({ agent, title, found: seen, project, user }) => {
        const where = [...(project ? ['this project'] : []), ...(user ? ['all projects'] : [])].join(' and ')
        if (where !== '') return `${title}: ${style.green('connected')} for ${where}`
        const state = seen ? 'found, not connected' : 'not found'
        return `${title}: ${state}; \`brain setup ${agent}\` connects it`
      }),
      ...missingBrain(session),
    ].join('\n'),
  )
}

/** @throws BrainError `invalid` for options that contradict each other, or for none. */
function requireSense({ user, ownProject, check, live }: Options): void {
  if (user && ownProject)
    throw new BrainError('invalid', '--user and --project are two places: give one of them')
  if (live && !check) throw new BrainError('invalid', '--live is a way to check: give --check, too')
}

/** The word that the model is to know: the one issued last, so that asking twice shows the result of the first time. */
async function issueWord(session: Session, agent: SetupAgent) {
  const brain = session.locate()
  const { issueCheck, readIssued } = await import('../../agents/live-check.ts')
  const { word, revealedAt } =
    readIssued(brain, agent.name, Date.now()) ?? issueCheck(brain, agent.name, Date.now())
  return { word, handed_at: revealedAt === null ? null : new Date(revealedAt).toISOString() }
}

async function check(
  session: Session,
  agent: SetupAgent,
  place: SetupPlace,
  { live }: Options,
): Promise<void> {
  const state = await setupStateOf(agent, place)
  if (!state.connected) session.outcome.exitCode = 1
  const issued = live && state.connected ? await issueWord(session, agent) : undefined
  await session.print(
    { agent: agent.name, scope: place.scope, ...state, ...(issued && { live: issued }) },
    () =>
      state.connected
        ? [
            `${agent.title} is connected`,
            ...(issued === undefined ? [] : tellWord(agent, issued)),
            ...missingBrain(session),
          ].join('\n')
        : [
            `${agent.title} is not connected as this version does it:`,
            ...state.differing.map((path) => `  ${visible(path)} differs`),
            ...(state.refused === undefined ? [] : [`  ${visible(state.refused)}`]),
          ].join('\n'),
  )
}

function tellWord(
  { title }: SetupAgent,
  { word, handed_at: handed }: { word: string; handed_at: string | null },
) {
  const question = 'What is the code word of this brain? Answer from what you have read, and look nothing up.'
  return [
    `The code word is ${word}. For an hour, sessions of ${title} that start here are told it.`,
    handed === null
      ? 'No session has been told it yet.'
      : `A session was told it at ${handed}: the hook runs. Whether the model read it, it says itself.`,
    'Start one, and ask it:',
    `  ${question}`,
    `If it answers ${word}, the hooks reach the model. If not, look into .brain/hooks.log, and whether ${title} trusts its hooks.`,
  ]
}

async function confirm(session: Session, question: string): Promise<boolean> {
  const { confirm: ask, isCancel } = await import('@clack/prompts')
  const answer = await ask({ message: question, output: session.terminal.stderr })
  return !isCancel(answer) && answer
}

async function change(
  session: Session,
  agent: SetupAgent,
  place: SetupPlace,
  options: Options,
): Promise<void> {
  const { planSetup, isChanged, describeChange, writeChanges } = await loadSetup()
  const changes: FileChange[] = planSetup(agent, place, options.remove === true ? 'take' : 'put')
  const pending = changes.filter(isChanged)
  const diff = pending.map((one) => describeChange(one, place.project)).join('\n')
  const files = pending.map(({ path, purpose }) => ({ path, purpose }))
  const done = options.remove === true ? 'disconnected' : 'connected'
  if (options.print === true) {
    await session.print({ agent: agent.name, scope: place.scope, files, diff }, () => visibleDiff(diff))
    return
  }
  if (pending.length === 0) {
    await session.print({ agent: agent.name, scope: place.scope, files, written: false }, () =>
      options.remove === true ? `${agent.title} is not connected` : `${agent.title} is connected already`,
    )
    return
  }
  if (options.yes !== true) {
    if (!session.mayAsk) {
      throw new BrainError(
        'invalid',
        'nobody can be asked here: look at the change with --print, then say --yes',
      )
    }
    session.terminal.stderr.write(`${visibleDiff(diff)}\n`)
    if (!(await confirm(session, `Write ${counted(pending.length, 'file')}?`))) {
      await session.print(
        { agent: agent.name, scope: place.scope, files: [], written: false },
        () => 'nothing was written',
      )
      return
    }
  }
  writeChanges(pending)
  await session.print({ agent: agent.name, scope: place.scope, files, written: true }, () =>
    [
      `${agent.title} is ${done}:`,
      ...files.map(({ path, purpose }) => `  ${visible(path)} (${purpose})`),
      ...(options.remove === true ? [] : missingBrain(session)),
    ].join('\n'),
  )
}

const visibleDiff = (diff: string): string => diff.split('\n').map(visible).join('\n')

async function setup(session: Session, name: string | undefined, options: Options): Promise<void> {
  if (name === undefined) return listAgents(session)
  const { setupAgents } = await loadSetup()
  const agent = setupAgents.find((one) => one.name === name)
  if (agent === undefined) {
    throw new BrainError('invalid', `agent must be one of: ${agentNames.join(', ')}`)
  }
  requireSense(options)
  const place = placeOf(session, options.user === true ? 'user' : 'project')
  return options.check === true
    ? check(session, agent, place, options)
    : change(session, agent, place, options)
}

export function configureSetup(command: Command, open: () => Session): void {
  command
    .addArgument(new Argument('[agent]', `the agent to connect: ${agentNames.join(', ')}; none lists them`))
    .option('--user', 'for all your projects, not only this one')
    .option('--project', 'only for this project, as without --user')
    .addOption(new Option(shadowed('--project')).hideHelp())
    .option('--check', 'change nothing; exit with 1 if something differs')
    .option(
      '--live',
      'with --check: issue a word that the hooks hand to the model, and say how to ask for it',
    )
    .option('--remove', 'remove what setup wrote')
    .option('--print', 'change nothing; print the change as a diff')
    .option('-y, --yes', 'write without asking')
    .action((name: string | undefined, options: Options) => setup(open(), name, options))
}

/**
 * `brain hook`: answers an agent's hook. Whatever goes wrong, the agent's session goes on: the exit code is 0, standard
 * output is empty, and the brain's log of hooks has a line.
 */
import type { Command } from 'commander'
import type { Dialect, HookCall } from '../../agents/hooks/dialect.ts'
import { findDialect } from '../../agents/hooks/index.ts'
import { agentNames } from '../../agents/names.ts'
import { checkoutFor, findCitedDirectory } from '../../config/cited-directory.ts'
import { findPersonalBrain, personalBrainDirectory } from '../../config/locate.ts'
import { defaultProject, unnamedAgent } from '../../core/agent-names.ts'
import { toName } from '../../core/circumstances.ts'
import { BrainError, reasonOf } from '../../core/errors.ts'
import type { Session } from '../session.ts'
import { inputOf, print, readUpTo } from '../terminal.ts'

/** Bytes of a hook's input that are read: an agent sends entire files with some tools. */
const maxInput = 8 * 1024 * 1024

/** What the agent sent. @throws BrainError `invalid`. */
async function readCall(session: Session, dialect: Dialect, event: string): Promise<HookCall> {
  if (!Object.hasOwn(dialect.events, event)) {
    const known = Object.keys(dialect.events).join(', ')
    throw new BrainError(
      'invalid',
      `${dialect.name} has no event ${event} that brain answers (it has ${known})`,
    )
  }
  const { bytes, complete } = await readUpTo(inputOf(session.terminal), maxInput)
  if (!complete) throw new BrainError('invalid', `the input is longer than ${maxInput} bytes`)
  const { Payload } = await import('../../agents/hooks/dialect.ts')
  return dialect.read(event, new Payload(JSON.parse(Buffer.from(bytes).toString('utf8'))))
}

/** The brain of the directory that the agent works in; where it has none, the one that goes with the person. */
function findBrainOf(session: Session, call: HookCall): { directory: string; own: boolean } {
  const { terminal } = session
  try {
    const directory = session.locate(call.directory)
    return { directory, own: directory === personalBrainDirectory(terminal.environment) }
  } catch (error) {
    const personal = findPersonalBrain(terminal.environment)
    if (!(error instanceof BrainError) || error.kind !== 'no-brain' || personal === undefined) throw error
    return { directory: personal, own: true }
  }
}

/** What git is asked; in an object, since nobody waits for it yet. */
async function askForWork({ directory }: HookCall) {
  if (directory === undefined) return undefined
  const { findWork } = await import('../../agents/git.ts')
  return { asked: findWork(directory) }
}

/** Answers, and reports the brain's directory as soon as it is known. */
async function answer(
  session: Session,
  { dialect, event, found }: { dialect: Dialect; event: string; found: (brain: string) => void },
): Promise<void> {
  const call = await readCall(session, dialect, event)
  const { terminal } = session
  const { directory, own } = findBrainOf(session, call)
  found(directory)
  const config = await session.config(directory, () => {})
  const host = {
    brain: directory,
    listens: dialect.listens,
    gate: config['gate.danger'],
    // What happens in a project without a brain stays out of the personal brain, which other projects read.
    capture: {
      lines: !own && config['capture.lines'],
      summaries: !own && config['capture.summaries'],
      commits: !own && config['capture.commits'],
      fixes: !own && config['capture.fixes'],
    },
  }
  const { isIdle } = await import('../../agents/idle.ts')
  if (isIdle(call, host)) return
  // Git takes its time while the brain is opened.
  const work = call.moment === 'start' ? await askForWork(call) : undefined
  const [{ openBrain }, { answerHook }] = await Promise.all([
    import('../../brain.ts'),
    import('../../agents/answer.ts'),
  ])
  const { environment } = terminal
  // Nobody would read warnings; recall falls back to keywords.
  const brain = await openBrain({
    directory,
    config,
    label: 'brain hook',
    as: 'hook',
    warn: () => {},
    environment,
    ...session.opening(directory),
  })
  try {
    const agent = config.agent === unnamedAgent ? dialect.name : config.agent
    const reply = await answerHook(
      {
        context: brain.context({
          project: own ? defaultProject : config.project,
          agent,
          session: toName(call.session),
          checkout: () => checkoutFor(directory, call.directory ?? terminal.workingDirectory),
          citesIn: () => findCitedDirectory(directory, call.directory ?? terminal.workingDirectory),
        }),
        agent: dialect.name,
        fault: (error) => log(directory, `${dialect.name} ${event}`, error),
        work: work?.asked,
        ...host,
      },
      call,
    )
    const output = dialect.write(event, reply)
    if (output !== undefined) await print(terminal, `${JSON.stringify(output)}\n`)
  } finally {
    await brain.close()
  }
}

/** Notes what went wrong; few hooks have anything to log. */
async function log(brain: string, called: string, error: unknown): Promise<void> {
  const { logHook } = await import('../../agents/hook-log.ts')
  logHook(brain, `${called}: ${reasonOf(error)}`, Date.now())
}

/** The brain whose log is told of a call that was not understood, if there is one. */
function findLoggingBrain(session: Session): string | undefined {
  try {
    return session.locate()
  } catch {
    return undefined
  }
}

async function hook(session: Session, agent = '', event = ''): Promise<void> {
  const called = `${agent || 'no agent'} ${event || 'without an event'}`
  let brain: string | undefined
  try {
    if (agent === '' || event === '') throw new BrainError('invalid', '`brain hook` needs AGENT and EVENT')
    const dialect = findDialect(agent)
    if (dialect === undefined) {
      throw new BrainError('invalid', `unknown agent ${agent}: one of ${agentNames.join(', ')}`)
    }
    const found = (directory: string): void => {
      brain = directory
    }
    await answer(session, { dialect, event, found })
  } catch (error) {
    // Without a brain there is nothing to report, and no log to write it to.
    if (error instanceof BrainError && error.kind === 'no-brain') return
    brain ??= findLoggingBrain(session)
    if (brain === undefined) return session.warn(`${called}: ${reasonOf(error)}`)
    await log(brain, called, error)
  }
}

export function configureHook(command: Command, open: () => Session): void {
  command
    // A usage error would end with 2, by which an agent takes the call that it asks about as forbidden.
    .argument('[agent]', `the agent that calls: ${agentNames.join(', ')}`)
    .argument('[event]', "the event, by the agent's own name")
    .allowUnknownOption()
    .allowExcessArguments()
    .action((agent?: string, event?: string) => hook(open(), agent, event))
}

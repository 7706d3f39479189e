/**
 * `brain demo`: a throw-away brain with three weeks of notes, and a walk through what can be asked of it. The
 * walk runs the real operations on it and shows what they really answer.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Brain, Caller } from '../../brain.ts'
import { brainDirectoryIn, makeBrainDirectory } from '../../config/locate.ts'
import { defaultProject, unnamedAgent } from '../../core/agent-names.ts'
import { BrainError } from '../../core/errors.ts'
import { definitions } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import { interruptible } from '../interrupt.ts'
import { hang } from '../render/layout.ts'
import type { Style } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

interface Stop {
  /** Why one would ask this. */
  readonly about: string
  /** As one would type it. */
  readonly command: string
  readonly operation: Operation | 'dream'
  readonly input: Readonly<Record<string, unknown>>
}

const walk: readonly Stop[] = [
  {
    about: 'Remember something.',
    command: 'brain remember "Standup moves to a quarter past ten while Leila is in Oslo"',
    operation: definitions.remember,
    input: { text: 'Standup moves to a quarter past ten while Leila is in Oslo' },
  },
  {
    about: 'Find by meaning: the words need not be those of the note.',
    command: 'brain recall "why are pictures from phones damaged" --limit 2',
    operation: definitions.recall,
    input: { query: 'why are pictures from phones damaged', limit: 2 },
  },
  {
    about: 'Ask for a gut feeling before doing something.',
    command: 'brain assess "run the season import tonight while the price job is active"',
    operation: definitions.assess,
    input: { topic: 'run the season import tonight while the price job is active' },
  },
  {
    about: 'Let it sleep on it. Thoughts come from the notes alone; the numbers after "from" are their ids.',
    command: 'brain dream --max 8',
    operation: 'dream',
    input: {},
  },
  {
    about: 'See a belief being tested by evidence, one observation at a time.',
    command: 'brain evidence-for 1',
    operation: definitions.evidence_for,
    input: { belief_id: 1 },
  },
  {
    about: 'The dream noticed that a prediction can be closed. Close it.',
    command: 'brain resolve 4 correct --actual "210 ms on average"',
    operation: definitions.resolve,
    input: { prediction_id: 4, outcome: 'correct', actual: '210 ms on average' },
  },
  {
    about: 'How far can these predictions be trusted?',
    command: 'brain calibration',
    operation: definitions.calibration,
    input: {},
  },
]

interface View {
  readonly caller: Caller
  readonly style: Style
  readonly signal: AbortSignal
}

/** One stop's output, and the same for people. */
interface Shown {
  readonly output: unknown
  readonly text: string
}

async function dream(brain: Brain, { caller, style, signal }: View): Promise<Shown> {
  const [{ dreamNight }, { hostTimeZone }, { toWireDream }, { render: renderDreams }] = await Promise.all([
    import('../../dreams/night.ts'),
    import('../../dreams/nightly.ts'),
    import('../../operations/dreams.ts'),
    import('../render/dreams.ts'),
  ])
  const kept = await dreamNight(brain.context(caller), {
    now: Date.now(),
    seed: 1,
    timeZone: hostTimeZone(),
    limit: 8,
    signal,
  })
  const output = { dreams: kept.map(toWireDream) }
  return { output, text: renderDreams(output, style) }
}

async function visit(brain: Brain, stop: Stop, view: View): Promise<Shown> {
  if (stop.operation === 'dream') return dream(brain, view)
  const output = await brain.call(stop.operation, view.caller, stop.input)
  const { render } = await import('../render/index.ts')
  return {
    output,
    text: await render(stop.operation.name, output, {
      style: view.style,
      config: brain.config,
      input: stop.input,
      options: {},
    }),
  }
}

interface Place {
  readonly directory: string
  readonly keep: boolean
}

async function runDemo(session: Session, { directory, keep }: Place, signal: AbortSignal): Promise<void> {
  // What a person tries is in nobody's database.
  const config = { ...(await session.config(directory)), 'store.url': null }
  const [{ openBrain }, { fillWithDemo }] = await Promise.all([
    import('../../brain.ts'),
    import('../demo-fill.ts'),
  ])
  const { style } = session
  const brain = await openBrain({
    directory,
    config,
    create: true,
    label: 'brain demo',
    as: 'server',
    warn: session.warn,
    environment: session.terminal.environment,
  })
  const say = async (text: string): Promise<void> => {
    if (session.options.json !== true) await write(session.terminal.stdout, `${text}\n`)
  }
  try {
    const caller = { project: defaultProject, agent: unnamedAgent }
    const filled = await fillWithDemo(brain, caller, Date.now())
    await say(
      hang(
        '',
        style.bold('Three weeks of a team of four that builds a booking app for boats: ') +
          `${filled.notes} notes, ${filled.beliefs} beliefs, ${filled.predictions} predictions.\n`,
        session.width,
      ),
    )
    const steps: unknown[] = []
    for (const stop of walk) {
      signal.throwIfAborted()
      const { output, text } = await visit(brain, stop, { caller, style, signal })
      steps.push({ command: stop.command, output })
      const about = hang('', style.dim(stop.about), session.width)
      await say(`${about}\n${style.cyan(hang('$ ', stop.command, session.width))}\n${text}\n`)
    }
    if (session.options.json === true) {
      await write(session.terminal.stdout, `${JSON.stringify({ ...filled, steps })}\n`)
    }
    const last = keep
      ? `The brain is in ${directory}. Look further: brain --dir ${join(directory, '..')} recall "…"`
      : 'This brain is gone now (--keep DIRECTORY keeps it). Make your own: brain init'
    await say(hang('', last, session.width))
  } finally {
    await brain.close()
  }
}

export function configureDemo(command: Command, open: () => Session): void {
  command
    .option('--keep <directory>', 'create the brain in this directory and keep it')
    .action(async (options: { keep?: string }) => {
      const session = open()
      const home = options.keep ? session.path(options.keep) : mkdtempSync(join(tmpdir(), 'brain-demo-'))
      try {
        const directory = brainDirectoryIn(home)
        if (existsSync(join(directory, 'brain.db'))) {
          throw new BrainError(
            'invalid',
            `there is a brain in ${home} already: --keep takes a directory without one`,
          )
        }
        makeBrainDirectory(directory)
        const place = { directory, keep: options.keep !== undefined }
        await interruptible(session.terminal, (signal) => runDemo(session, place, signal))
      } finally {
        if (options.keep === undefined) rmSync(home, { recursive: true, force: true })
      }
    })
}

/** `brain mcp`: the tools for one client over standard input and output, and the life of that process. */
import { type Command, Option } from 'commander'
import type { Brain } from '../../brain.ts'
import { BrainError, stackOf } from '../../core/errors.ts'
import type { Backfill } from '../../sleep/backfill.ts'
import type { Session } from '../session.ts'

/** How often `brain mcp` looks whether its parent is still there, in milliseconds. */
const parentInterval = 1_000

async function runMcp(session: Session, tools: string): Promise<void> {
  if (tools !== 'standard' && tools !== 'all') {
    throw new BrainError('invalid', 'tools must be one of: standard, all')
  }
  const { terminal, warn } = session
  // Told before any client is answered: without a brain, or with wrong settings, there is nothing to serve.
  const directory = session.locate()
  const config = await session.config(directory)
  const caller = session.caller(config, directory)
  const fault = (error: unknown): void => warn(`fault: ${stackOf(error)}`)

  let brain: Promise<Brain> | undefined
  let backfill: Backfill | undefined
  // Opened by the first call, so that a client's greeting is answered at once.
  const open = (): Promise<Brain> => {
    brain ??= import('../../brain.ts').then(({ openBrain }) =>
      openBrain({
        directory,
        config,
        as: 'server',
        label: 'brain mcp',
        warn,
        // What is ignored in a project's settings was reported at the start.
        reread: () => session.config(directory, () => {}),
        environment: terminal.environment,
        ...session.opening(directory),
      }),
    )
    brain.then(heal).catch(() => {
      // A brain that could not be opened (busy, a full disk) may open for the next call.
      brain = undefined
    })
    return brain
  }

  /** Embeds in the background what waits for it: where there is only this process, nobody else does. */
  const heal = async (opened: Brain): Promise<void> => {
    const { startBackfill } = await import('../../sleep/backfill.ts')
    backfill ??= startBackfill({ ...opened.context(caller), fault })
  }

  // A client that is gone must not leave its server behind: the first signal ends the input, a second one all.
  let signalled = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signalled) process.exit(1)
      signalled = true
      terminal.stdin.destroy()
    })
  }

  // Its input may be held open by others who inherited it, long after the client died.
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) terminal.stdin.destroy()
  }, parentInterval)
  watch.unref()

  const { serveMcp } = await import('../../mcp/stdio.ts')
  await serveMcp({
    input: terminal.stdin,
    output: terminal.stdout,
    tools,
    call: async (operation, input) => (await open()).call(operation, caller, input),
    fault,
  })
  clearInterval(watch)
  await backfill?.stop()
  await (await brain)?.close()
  // A client that is gone reads no more: what is left for it would keep the process for ever.
  if (!terminal.stdin.readableEnded && terminal.stdout.writableLength > 0) process.exit(0)
}

export function configureMcp(command: Command, open: () => Session): void {
  command
    .addOption(
      new Option('--tools <set>', 'the sixteen of the standard set, or all operations there are').default(
        'standard',
      ),
    )
    .action(({ tools }: { tools: string }) => runMcp(open(), tools))
}

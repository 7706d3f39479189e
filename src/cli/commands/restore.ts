/** `brain restore`: puts a backup in the place of the brain, in one step, and keeps the brain that was there. */
import type { Command } from 'commander'
import { brainDirectoryIn } from '../../config/locate.ts'
import { BrainError } from '../../core/errors.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'

/** The brain in use, or the place of one that is to be made. */
function placeOf(session: Session): string {
  try {
    return session.locate()
  } catch (error) {
    if (!(error instanceof BrainError) || error.kind !== 'no-brain') throw error
    return brainDirectoryIn(session.namedDirectory ?? session.terminal.workingDirectory)
  }
}

async function restore(session: Session, named: string): Promise<void> {
  session.requireFile('restore it with pg_restore, as docs/teams.md says')
  const directory = placeOf(session)
  const backup = session.path(named)
  const { restoreBrain } = await import('../../brain.ts')
  const { environment } = session.terminal
  const kept = (await restoreBrain({ directory, backup, environment, warn: session.warn })) ?? null
  const { style } = session
  await session.print({ directory, file: backup, kept }, () => {
    const done = `${style.green('restored')} ${visible(backup)} into ${visible(directory)}`
    return kept === null ? done : `${done}; what was there is kept as ${visible(kept)}`
  })
}

export function configureRestore(command: Command, open: () => Session): void {
  command
    .argument('<file>', 'a copy that `brain backup` made')
    .action((file: string) => restore(open(), file))
}

/** `brain backup`: a consistent copy of the whole brain while others go on writing. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { cannotWrite } from '../../config/file-faults.ts'
import { withProgress } from '../progress.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'

/** Checked first: once the brain is open, a fault of the copy's place cannot be distinguished from one of the brain. */
async function checkPlace(file: string): Promise<void> {
  try {
    // The dot makes a file in the directory's place a fault, too.
    await access(`${dirname(file)}/.`, constants.W_OK)
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

async function backUp(session: Session, named: string): Promise<void> {
  const file = session.path(named)
  await checkPlace(file)
  await session.withBrain('backup', ({ store }) =>
    withProgress(session.terminal, (progress) =>
      store.maintenance.backup(file, (done, total) => progress.update({ doing: 'copying', done, total })),
    ),
  )
  await session.print(
    { file },
    () => `backed up to ${visible(file)}; \`brain restore\` puts it back in the place of .brain/brain.db`,
  )
}

export function configureBackup(command: Command, open: () => Session): void {
  command
    .argument('<file>', 'the copy to make; it must not exist yet')
    .action((file: string) => backUp(open(), file))
}

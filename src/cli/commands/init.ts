/** `brain init`: makes the brain of a directory. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { brainDirectoryIn } from '../../config/locate.ts'
import type { Session } from '../session.ts'

export function shapeInit(command: Command, open: () => Session): void {
  command.option('--yes', 'ask nothing, take the defaults').action(async () => {
    const session = open()
    const directory = brainDirectoryIn(session.namedDirectory ?? session.terminal.workingDirectory)
    const existed = existsSync(join(directory, 'brain.db'))
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
    writeFileSync(join(directory, '.gitignore'), '*\n', { mode: 0o600 })
    const { openBrain } = await import('../../brain.ts')
    const config = session.config(directory)
    const brain = await openBrain({
      directory,
      config,
      create: true,
      label: 'brain init',
      warn: session.warn,
    })
    await brain.close()
    await session.print({ directory, created: !existed }, () =>
      existed ? `there is a brain already in ${directory}` : `made a brain in ${directory}`,
    )
  })
}

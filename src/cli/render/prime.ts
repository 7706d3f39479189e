/** Prime for people: the block as an agent reads it, for the work that git shows. */
import type { Session } from '../session.ts'
import type { Output } from './output.ts'
import { type Style, visible } from './style.ts'

export const render = ({ text }: Output<'prime'>, style: Style): string =>
  text === ''
    ? style.dim('Nothing is kept here yet; `brain remember` keeps a first note.')
    : text.split('\n').map(visible).join('\n')

/** Without `--for`, git describes the work at hand in the working directory. */
export async function complete(
  input: Readonly<Record<string, unknown>>,
  { terminal }: Session,
): Promise<Readonly<Record<string, unknown>>> {
  if (input.for !== undefined) return input
  const { describeWork, readWorkAtHand } = await import('../../agents/git.ts')
  const work = await readWorkAtHand(terminal.workingDirectory)
  const words = work === undefined ? '' : describeWork(work)
  return words === '' ? input : { ...input, for: words }
}

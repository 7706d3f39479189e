/** What became of what a record cites, for people; on a terminal they are asked whether it still holds. */
import * as clack from '@clack/prompts'
import type { Session } from '../session.ts'
import type { Output } from './output.ts'
import { day } from './output.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput } from './view.ts'

type State = Output<'verify'>['citations'][number]['state']

const words: Readonly<Record<State, string>> = {
  fresh: 'as it was',
  moved: 'the same, on other lines',
  changed: 'changed',
  gone: 'gone',
  unknown: 'cannot be told here',
}

const isSound = (state: State): boolean => state === 'fresh' || state === 'moved'

export function render({ kind, id, stamped, citations }: Output<'verify'>, style: Style): string {
  const lines = citations.map(({ path, state, now_at, stamped_at }) => {
    const told = state === 'moved' ? `${words[state]}: ${now_at}` : words[state]
    const coloured = isSound(state) ? style.green(told) : style.yellow(told)
    return `  ${visible(path)}  ${coloured}  ${style.dim(`stamped ${day(stamped_at)}`)}`
  })
  const head = stamped
    ? `${style.green('stamped')} what ${kind} ${style.bold(String(id))} cites`
    : `${kind} ${style.bold(String(id))} cites`
  const doubt = !stamped && citations.some(({ state }) => !isSound(state))
  const hint = doubt ? [style.dim(`read them; if it still holds: brain verify ${kind} ${id} --yes`)] : []
  return [`${head}:`, ...lines, ...hint].join('\n')
}

export async function after(
  { kind, id, stamped, citations }: Output<'verify'>,
  _told: RenderInput,
  session: Session,
): Promise<void> {
  if (stamped || !session.mayAsk || citations.every(({ state }) => state === 'fresh')) return
  const { terminal } = session
  const streams = { input: terminal.stdin, output: terminal.stderr }
  const answer = await clack.confirm({
    ...streams,
    message: `Does ${kind} ${id} still hold?`,
    initialValue: false,
  })
  if (answer !== true) return
  const { verify } = await import('../../operations/verify.ts')
  const output = await session.withBrain('verify', async (brain, caller) =>
    verify.run(brain.context(caller), { kind, id, holds: true }),
  )
  await session.print(output, () => render(output, session.style))
}

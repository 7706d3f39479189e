/** An edited memory for people; without a text on the command line their editor is asked for one. */
import type { Session } from '../session.ts'
import type { Output } from './output.ts'
import type { Style } from './style.ts'

/** What an edit made of the caution: that it is a flag from now on, or no longer one. */
function turnOf({ caution, previous_caution: before }: Output<'amend'>): string {
  if (caution === before) return ''
  if (caution === 0) return 'no longer a flag; '
  return before === 0 ? `a flag now, with caution ${caution}; ` : `caution ${caution} in place of ${before}; `
}

export function render(output: Output<'amend'>, style: Style): string {
  const { id, versions, semantic } = output
  const found = semantic ? '' : style.yellow(' (keyword only until an embedder answers)')
  const kept = `what it was before is version ${versions} of its history (brain show ${id})`
  return `${style.green('edited')} ${style.bold(String(id))}${found}: ${turnOf(output)}${kept}`
}

export async function complete(
  input: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<Readonly<Record<string, unknown>>> {
  const { memory_id: id, text, caution, if_text: read } = input
  if (text !== undefined || caution !== undefined || typeof id !== 'number' || !session.mayAsk) return input
  const { requireMemory } = await import('../../operations/own-memory.ts')
  const before = await session.withBrain('edit', (brain, caller) => requireMemory(brain.context(caller), id))
  const { editText } = await import('../editor.ts')
  // Whoever edits it meanwhile is not overwritten.
  return { ...input, text: await editText(session.terminal, before.text), if_text: read ?? before.text }
}

/** Nothing that was typed into an editor is lost with an edit that is refused. */
export async function failed(
  given: Readonly<Record<string, unknown>>,
  complete: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<void> {
  const { text, if_text: before } = complete
  if (given.text !== undefined || typeof text !== 'string' || text === before || text.trim() === '') return
  const { keepText } = await import('../editor.ts')
  session.warn(`what you typed is in ${keepText(text)}`)
}

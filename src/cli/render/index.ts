/** Which renderer shows which operation. A new operation does not compile until it has one. */
import type * as z from 'zod'
import type { definitions } from '../../operations/index.ts'
import { renderForget, renderRecall, renderRemember } from './memories.ts'
import type { Style } from './style.ts'

type Renderers = {
  [Name in keyof typeof definitions]: (
    output: z.output<(typeof definitions)[Name]['output']>,
    style: Style,
  ) => string
}

const renderers: Renderers = {
  remember: renderRemember,
  recall: renderRecall,
  forget: renderForget,
}

/** An operation's output as text for people. */
export function render(name: string, output: unknown, style: Style): string {
  // The key and the output come from the same operation; the list of operations erased that.
  const renderer = renderers[name as keyof typeof definitions] as (output: unknown, style: Style) => string
  return renderer(output, style)
}

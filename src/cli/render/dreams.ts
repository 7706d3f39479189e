/** Dreams for people. */
import { hang } from './layout.ts'
import { day, type Output, percent } from './output.ts'
import { type Style, visible } from './style.ts'

/** Kind and reasons, where `--explain` asked for them. */
function explained(dream: object, style: Style): string[] {
  if (!('kind' in dream) || !('reasons' in dream) || !Array.isArray(dream.reasons)) return []
  const said = 'feedback' in dream && typeof dream.feedback === 'string' ? `  you said ${dream.feedback}` : ''
  return [
    indent + style.dim(`${dream.kind}${said}`),
    ...dream.reasons.map((reason) => indent + style.dim(`- ${visible(String(reason))}`)),
  ]
}

const indent = '      '

export function render(output: Output<'recall_dreams'>, style: Style): string {
  if (output.dreams.length === 0)
    return style.dim('no dreams: `brain dream` thinks now, `brain serve` at night')
  return output.dreams
    .map((dream) => {
      const head = `${style.bold(String(dream.id).padStart(4))}  `
      const thought = hang(head, visible(dream.thought), Math.min(indent.length + 90, style.width))
      const sources = `from ${dream.source_memory_ids.join(', ') || 'memories since forgotten'}`
      const told = `${day(dream.created_at)}  ${sources}  ${percent(dream.novelty)} new`
      return [thought, indent + style.dim(told), ...explained(dream, style)].join('\n')
    })
    .join('\n')
}

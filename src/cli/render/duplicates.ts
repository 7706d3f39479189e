/** Groups of duplicate memories, for people. */
import { excerptOf } from '../../core/excerpt.ts'
import { hang } from './layout.ts'
import { day, minute, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput } from './view.ts'

/** Characters shown of a text. */
const maxExcerpt = 240

/** At 100,000 memories it takes some seconds. */
export const showsProgress = true

type Duplicate = Output<'duplicates'>['groups'][number]['newest']

function line({ id, text, created_at }: Duplicate, style: Style, mark: string): string {
  const head = `${mark}${style.bold(String(id).padStart(5))}  ${style.dim(day(created_at))}  `
  return hang(head, visible(excerptOf(text, maxExcerpt)), style.width)
}

export function render(
  { groups, more, merged }: Output<'duplicates'>,
  style: Style,
  { input: { of } }: RenderInput,
): string {
  if (groups.length === 0)
    return style.dim(of == null ? 'no two memories say the same' : `no other memory says the same as ${of}`)
  const ends = merged > 0 ? 'ends' : 'merged, it ends'
  const lines = groups.flatMap(({ newest, older, older_count, expires_at: end }) => [
    line(newest, style, ''),
    ...older.map((one) => line(one, style, '  ')),
    ...(older_count > older.length ? [style.dim(`   and ${older_count - older.length} more`)] : []),
    ...(end === undefined ? [] : [`   ${ends} ${minute(end)}`]),
  ])
  const [rest, end] =
    merged > 0
      ? [
          'groups that are not listed were merged, too',
          `${style.green('merged')} ${merged} into ${groups.length === 1 && !more ? 'the newest' : 'the newest of each'}; brain show tells their texts`,
        ]
      : [
          'there are more: --limit shows up to 100 groups',
          style.dim('the newest stands first; --merge makes the others its versions'),
        ]
  return [...lines, ...(more ? [style.dim(rest)] : []), end].join('\n')
}

/** A page of records for people. */

import { counted } from '../../core/counts.ts'
import { excerptOf } from '../../core/excerpt.ts'
import { pageSize } from '../../operations/list.ts'
import { agentFilter } from './agent-filter.ts'
import { cutBeside, moreOf, padEnd } from './layout.ts'
import { day, type Output } from './output.ts'
import { staleLabel } from './stale.ts'
import { type Style, visible } from './style.ts'
import type { RenderInput, View } from './view.ts'

/** Characters of a text where there is no terminal with a width. */
const maxExcerpt = 160
const kindWidth = 'observation'.length

export const complete: NonNullable<View<'list'>['complete']> = async (input, session, options) => ({
  ...input,
  ...agentFilter(session, options),
})

export function render(output: Output<'list'>, style: Style, { input, options }: RenderInput): string {
  if (options.count === true) return String(output.total)
  const limit = Number(input.limit ?? pageSize)
  if (output.records.length === 0) {
    const pages = Math.ceil(output.total / limit)
    return style.dim(
      pages === 0 ? 'no records' : `no records on page ${output.page}: there are ${counted(pages, 'page')}`,
    )
  }
  const lines = output.records.map(
    ({ kind, id, text, status, created_at, tags, pinned_at, expires_at, ...record }) => {
      const head = `${style.bold(String(id).padStart(5))}  ${padEnd(kind, kindWidth)}  ${style.dim(day(created_at))}  `
      const labels = [
        ...(status === null ? [] : [status]),
        ...(pinned_at === null ? [] : ['pinned']),
        ...(expires_at === null ? [] : [`${input.expired === true ? 'ended' : 'ends'} ${day(expires_at)}`]),
        ...tags.map((tag) => `#${tag}`),
      ]
      const told = labels.map((label) => `[${visible(label)}] `).join('') + staleLabel(record, style)
      return cutBeside(head, told + visible(excerptOf(text, maxExcerpt)), style.width)
    },
  )
  const count = output.records.length
  const more = moreOf(output, { limit, count })
  return [...lines, ...more.map(style.dim)].join('\n')
}

/** A pinned memory for people. */
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export const render = ({ id }: Output<'pin'>, style: Style): string =>
  `${style.green('pinned')} ${style.bold(String(id))}: first in every session`

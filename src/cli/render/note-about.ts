/** A noted observation for people. */
import type { Output } from './output.ts'
import { type Style, visible } from './style.ts'

export const render = (output: Output<'note_about'>, style: Style): string =>
  `${style.green('noted')} ${style.bold(String(output.id))} about ${visible(output.subject_agent)} as ${visible(output.observer_agent)}`

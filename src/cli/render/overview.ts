/** What a project holds and what opens it, for people. */
import { count, counted } from '../../core/counts.ts'
import { day, type Output } from './output.ts'
import { type Style, visible } from './style.ts'

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

export function render(output: Output<'overview'>, style: Style): string {
  const { counts, agents, keys, model } = output
  const held = [
    // Flags and unread dreams are counted in the number before them.
    `${counted(counts.memories, 'memory', 'memories')} (${counted(counts.flags, 'flag')} among them)`,
    counted(counts.beliefs, 'belief'),
    counted(counts.open_predictions, 'open prediction'),
    counted(counts.resolved_predictions, 'resolved prediction'),
    `${counted(counts.dreams, 'dream')} (${count(counts.unread_dreams)} unread)`,
    counted(counts.observations, 'observation'),
  ]
  const wrote = agents?.map(({ name, records }) => `${visible(name)} ${count(records)}`)
  const opens = keys
    .filter(({ revoked_at }) => revoked_at === null)
    .map(
      ({ id, label, last_used_at }) =>
        `  ${visible(id)}  ${visible(label ?? '-')}  ${last_used_at === null ? 'never used' : `last used ${day(last_used_at)}`}`,
    )
  return [
    `${style.bold(visible(output.project))}: ${held.join(', ')}`,
    ...(wrote === undefined ? [] : [`written by: ${wrote.length === 0 ? 'nobody yet' : wrote.join(', ')}`]),
    `${megabytes(output.size_bytes)}, read by ${model === null ? 'no model yet' : `${visible(model.name)} (${model.dimension})`}, brain ${output.version}`,
    ...(opens.length === 0 ? [] : ['keys:', ...opens]),
  ].join('\n')
}

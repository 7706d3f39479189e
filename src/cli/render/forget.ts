/** Forgotten records for people, who are shown what they are about to lose and asked. */
import type { Brain, Caller } from '../../brain.ts'
import { BrainError } from '../../core/errors.ts'
import { excerptOf } from '../../core/excerpt.ts'
import { day, type Output } from './output.ts'
import { type Style, visible } from './style.ts'
import type { Shell } from './view.ts'

type Input = Readonly<Record<string, unknown>>

/** Characters shown of a text. */
const maxExcerpt = 240

/** What is less likely to be meant than not is not forgotten by a query. */
const minScore = 0.5

export function render(
  { id, more = [], told_in_dreams: dreams = [], current_again: again = [] }: Output<'forget'>,
  style: Style,
): string {
  const forgot = `${style.green('forgot')} ${style.bold([id, ...more].join(', '))}`
  if (again.length > 0) {
    const [belief, them] = again.length === 1 ? ['belief', 'it'] : ['beliefs', 'them']
    return `${forgot}; ${belief} ${again.join(', ')}, replaced until now, ${again.length === 1 ? 'is' : 'are'} current again: \`brain forget belief ${again.join(' ')}\` forgets ${them}, too`
  }
  if (dreams.length === 0) return forgot
  const these = dreams.length === 1 ? 'a dream of it is' : 'dreams of it are'
  return `${forgot}; ${these} left and may quote it: \`brain forget dream ${dreams.join(' ')}\``
}

/** What recall finds, by its ids. @throws BrainError `refused` where it finds nothing. */
async function idsFor(query: string, brain: Brain, caller: Caller): Promise<number[]> {
  const { recall } = await import('../../operations/recall.ts')
  const { results } = await recall.run(brain.context(caller), { query, min_score: minScore })
  if (results.length === 0)
    throw new BrainError(
      'refused',
      `no memory fits ${query} with a score of ${minScore} or more, as one that a query forgets has to: nothing is forgotten; \`brain recall\` lists what is less near, and \`brain forget ID\` forgets it`,
    )
  return results.map(({ id }) => id)
}

type Shown = Output<'show'>['record']

function textOf(record: Shown): string {
  if ('thought' in record) return record.thought
  if ('observation' in record) return record.observation
  return 'prediction' in record ? record.prediction : record.text
}

/** A record in a line. */
const lineOf = (record: Shown): string =>
  `  ${record.kind} ${record.id}  ${day(record.created_at)}  ${visible(excerptOf(textOf(record), maxExcerpt))}\n`

/**
 * Shows what will be gone and asks for it. Returns the input: of one record, that it is still to say what was shown.
 * @throws Interrupted where the person says no.
 */
async function showAndAsk(input: Input, { brain, caller, session, options }: Shell): Promise<Input> {
  const { show } = await import('../../operations/show.ts')
  const { parseInput } = await import('../../operations/call.ts')
  const { record, more = [] } = await show.run(brain.context(caller), {
    ...parseInput(show, { kind: input.kind, id: input.memory_id }),
    ...(Array.isArray(input.more) && { more: input.more }),
  })
  const all = [record, ...more]
  for (const one of all) session.terminal.stderr.write(lineOf(one))
  const shown = all.length === 1 ? { if_text: textOf(record), ...input } : input
  if (options.yes === true || !session.mayAsk) return shown
  const { confirm } = await import('../missing.ts')
  await confirm(
    session.terminal,
    all.length === 1 ? 'Forget it for good?' : `Forget these ${all.length} for good?`,
  )
  return shown
}

export async function prepare(input: Input, shell: Shell): Promise<Input> {
  const { brain, caller, session, options } = shell
  const { query, yes } = options
  if (typeof query === 'string' && input.memory_id !== undefined)
    throw new BrainError('invalid', 'name ids or a query, not both')
  if (typeof query === 'string' && yes !== true && !session.mayAsk)
    throw new BrainError('invalid', 'query needs --yes where nobody can be asked: nothing is forgotten')
  const [first, ...rest] = typeof query === 'string' ? await idsFor(query, brain, caller) : []
  const whole =
    first === undefined ? input : { ...input, memory_id: first, ...(rest.length > 0 && { more: rest }) }
  const told = typeof query === 'string' || (session.mayAsk && yes !== true)
  return told && whole.memory_id !== undefined ? showAndAsk(whole, shell) : whole
}

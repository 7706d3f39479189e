/** Verify: whether the places that a record cites are unchanged, and, once somebody confirms the record, their new stamps. */
import * as z from 'zod/mini'
import { ownedRefusals, requireOwned } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import type { CitingKind } from '../store/citations.ts'
import { citation, type Looked, lookAt, toWireCitation } from './citations.ts'
import { type Context, defineOperation } from './operation.ts'
import { memoryRefusals, requireMemory } from './own-memory.ts'
import { about, flagged, id, oneOf, optional, recordId } from './schemas.ts'

const verifiedKinds = ['memory', 'flag', 'evidence'] as const

/** @throws BrainError `refused` where there is none of this id in the project. */
async function requireRecord(context: Context, kind: CitingKind, id: number): Promise<void> {
  if (kind === 'memory') return void (await requireMemory(context, id))
  requireOwned('evidence', id, await context.store.citations.beliefOf(context.project, id))
}

async function restamp(context: Context, kind: CitingKind, id: number, looked: readonly Looked[]) {
  const { files, store, project, now } = context
  if (files === undefined)
    throw new BrainError('refused', 'the files it cites are on another machine: verify it there')
  const at = files()
  const stamped = await Promise.all(
    looked.map(async ({ citation, state, place }) => {
      if (state === 'gone' || (state === 'unknown' && citation.hash !== '')) return citation
      const { path, firstLine, lastLine } = place
      return at.stamp({ path, firstLine, lastLine }, now())
    }),
  )
  await store.citations.replace(project, { kind, id }, stamped)
}

export const verify = defineOperation({
  name: 'verify',
  summary: 'Check what a memory, a flag or a piece of evidence cites; if it still holds, stamp it again.',
  help: { group: 'See', place: 4, examples: ['brain verify 12', 'brain verify evidence 7 --yes'] },
  errors: {
    refused: [
      ...memoryRefusals,
      ...ownedRefusals('evidence'),
      'KIND X cites nothing',
      'the files it cites are on another machine: verify it there',
    ],
  },
  members: {
    kind: about('Kind of record; memory stands for flags, too', optional(oneOf(verifiedKinds), 'memory')),
    id: about('Its id', id()),
    holds: about('Whether it still holds, as confirmed by somebody who checked', optional(flagged())),
  },
  output: () =>
    z.object({
      kind: z.enum(['memory', 'evidence']),
      id: recordId(),
      stamped: z.boolean(),
      citations: z.array(citation()),
    }),
  route: { method: 'POST', path: '/v1/verify' },
  effect: 'write',
  tool: false,
  command: { positional: ['kind', 'id'], names: { holds: 'yes' } },
  run: async (context, input) => {
    const { id: wanted } = input
    const kind: CitingKind = input.kind === 'evidence' ? 'evidence' : 'memory'
    await requireRecord(context, kind, wanted)
    const look = async () => (await lookAt(context, kind, [wanted])).get(wanted) ?? []
    const looked = await look()
    if (looked.length === 0) throw new BrainError('refused', `${kind} ${wanted} cites nothing`)
    const stamped = input.holds === true
    if (stamped) await restamp(context, kind, wanted, looked)
    const after = stamped ? await look() : looked
    return { kind, id: wanted, stamped, citations: after.map(toWireCitation) }
  },
})

/** Amend: replaces a memory's text; it keeps its id and its history. */
import * as z from 'zod/mini'
import { requireOwned } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import type { Memory } from '../core/records.ts'
import { amendMemory } from './embedding.ts'
import { defineOperation } from './operation.ts'
import { memoryRefusals, requireMemory } from './own-memory.ts'
import { about, count, id, number, optional, recordId, text } from './schemas.ts'

export const amend = defineOperation({
  name: 'amend',
  summary: 'Replace the text of a memory or flag; the previous one stays in its history, out of recall.',
  help: {
    group: 'Memories',
    place: 5,
    examples: ['brain edit 12 "Deploys go through staging, then canary"', 'brain edit 12'],
  },
  errors: {
    refused: [
      ...memoryRefusals,
      'memory X says so already',
      'memory X says something else by now, written by AGENT',
    ],
  },
  members: {
    memory_id: about('Id of the memory', id()),
    text: about('The new text', optional(text())),
    caution: about('New severity: 0 harmless to 1 never again', optional(number(0, 1))),
    if_text: about(
      'Only if this is still its text: an edit that came between is not replaced',
      optional(text()),
    ),
  },
  output: () =>
    z.object({
      id: recordId(),
      text: z.string(),
      caution: z.number(),
      /** What it was before: 0 made it an ordinary memory, anything above it a flag. */
      previous_caution: z.number(),
      semantic: z.boolean(),
      /** Number of earlier texts. */
      versions: count(),
    }),
  route: { method: 'POST', path: '/v1/amend' },
  effect: 'write',
  tool: false,
  command: { name: 'edit', positional: ['memory_id', 'text'], aliases: ['amend'] },
  run: async (context, input) => {
    const { agent } = context
    const wanted = input.memory_id
    const changeOf = (memory: Memory) => {
      const change = { text: input.text ?? memory.text, caution: input.caution ?? memory.caution }
      if (input.text == null && input.caution == null)
        throw new BrainError('invalid', 'text is required, or caution')
      if (input.if_text != null && input.if_text !== memory.text)
        throw new BrainError(
          'refused',
          `memory ${wanted} says something else by now, written by ${memory.agent}: read it again (\`brain show ${wanted}\`), and edit what it says then`,
        )
      if (change.text === memory.text && change.caution === memory.caution)
        throw new BrainError('refused', `memory ${wanted} says so already: nothing changes`)
      return change
    }
    let before = await requireMemory(context, wanted)
    const { memory, semantic } = await amendMemory(context, {
      id: wanted,
      before,
      text: changeOf(before).text,
      decide: (found) => {
        before = requireOwned('memory', wanted, found)
        return { ...changeOf(before), agent, now: context.now() }
      },
    })
    return {
      id: wanted,
      text: memory.text,
      caution: memory.caution,
      previous_caution: before.caution,
      semantic,
      versions: memory.versions,
    }
  },
})

/**
 * The circumstances in which a record is created: as stated by the caller, for operations that record, and for those
 * that show them.
 */
import * as z from 'zod/mini'
import { unnamedAgent } from '../core/agent-names.ts'
import type { Circumstances } from '../core/records.ts'
import type { Context } from './operation.ts'

/** The caller's circumstances. The unnamed agent counts as unknown. */
export const circumstancesOf = ({ agent, circumstances }: Context): Partial<Circumstances> => ({
  agent: agent === unnamedAgent ? null : agent,
  ...circumstances?.(),
})

/** The member of a record that shows them; absent if nothing is known. */
export const provenance = () =>
  z.exactOptional(
    z.object({
      agent: z.nullable(z.string()),
      session: z.nullable(z.string()),
      branch: z.nullable(z.string()),
      commit: z.nullable(z.string()),
      origin: z.nullable(z.string()),
    }),
  )

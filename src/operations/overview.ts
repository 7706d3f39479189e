/** Overview: the contents of a project, its authors, its size, its model and its keys. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { boundariesOf } from '../core/sprt.ts'
import { version } from '../version.ts'
import { defineOperation } from './operation.ts'
import {
  about,
  boundaries,
  count,
  flagged,
  nullableTimestamp,
  optional,
  timestamp,
  timestampOrNull,
  toTimestamp,
} from './schemas.ts'

export const overview = defineOperation({
  name: 'overview',
  summary: 'Report what this project holds, who wrote it, the size of its brain and its keys.',
  help: { group: 'See', place: 3, examples: ['brain overview'] },
  members: {
    brief: about('Leave out the authors: counting them reads every record', optional(flagged())),
  },
  output: () =>
    z.object({
      version: z.string(),
      project: z.string(),
      counts: z.object({
        memories: count(),
        flags: count(),
        beliefs: count(),
        open_predictions: count(),
        resolved_predictions: count(),
        dreams: count(),
        unread_dreams: count(),
        observations: count(),
      }),
      // Null when it was asked to be brief.
      agents: z.nullable(z.array(z.object({ name: z.string(), records: count() }))),
      size_bytes: count(),
      model: z.nullable(z.object({ name: z.string(), dimension: count() })),
      embedder: z.string(),
      embedding_backlog: count(),
      boundaries: boundaries(),
      keys: z.array(
        z.object({
          id: z.string(),
          label: z.nullable(z.string()),
          created_at: timestamp(),
          expires_at: nullableTimestamp(),
          revoked_at: nullableTimestamp(),
          last_used_at: nullableTimestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/overview' },
  effect: 'read',
  tool: false,
  command: {},
  run: async ({ store, project, config }, { brief }) => {
    const [held, agents, unread, backlog, size, model, keys] = await Promise.all([
      store.projects.count(project),
      brief ? null : store.records.agents(project),
      store.dreams.countUnread(project),
      store.index.backlog(project),
      store.maintenance.size(),
      store.index.servedModel(),
      store.keys.list(),
    ])
    return {
      version,
      project,
      counts: {
        memories: held.memories,
        flags: held.flags,
        beliefs: held.beliefs,
        open_predictions: held.openPredictions,
        resolved_predictions: held.resolvedPredictions,
        dreams: held.dreams,
        unread_dreams: unread,
        observations: held.observations,
      },
      agents,
      size_bytes: size,
      model: model === undefined ? null : { name: model.name, dimension: model.dimension },
      embedder: config.embedder,
      embedding_backlog: backlog,
      boundaries: boundariesOf(ratesOf(config)),
      keys: keys
        .filter((key) => key.project === project)
        .map(({ id, label, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
          id,
          label,
          created_at: toTimestamp(createdAt),
          expires_at: timestampOrNull(expiresAt),
          revoked_at: timestampOrNull(revokedAt),
          last_used_at: timestampOrNull(lastUsedAt),
        })),
    }
  },
})

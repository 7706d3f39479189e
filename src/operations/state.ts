/** State: how heavily the project uses its brain, and what needs attention. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import {
  adviseOn,
  attentionPeriod,
  type Contents,
  conditions,
  driversOf,
  effortOf,
  windowMinutes,
  windowStart,
} from '../core/activity.ts'
import { aheadBy } from '../core/durations.ts'
import { overdueAt } from '../core/predictions.ts'
import { boundariesOf, ratiosOf } from '../core/sprt.ts'
import { type Context, defineOperation } from './operation.ts'
import { count, nullableTimestamp, timestampOrNull } from './schemas.ts'

/** Number of overdue predictions listed by id. */
const namedOverdue = 10

async function totalsOf({ store, project, config }: Context, now: number): Promise<Contents> {
  const lately = now - attentionPeriod
  const [all, recent, overdue, contestedBeliefs, unreadDreams, embeddingBacklog] = await Promise.all([
    store.predictions.summarise(project),
    store.predictions.summarise(project, lately),
    store.predictions.listOverdue(project, { ...overdueAt(now), limit: namedOverdue }),
    store.beliefs.countContested(project, ratiosOf('accumulating', boundariesOf(ratesOf(config)))),
    store.dreams.countUnread(project),
    store.index.backlog(project),
  ])
  return {
    ...all,
    recentSurprise: recent.meanSurprise,
    overduePredictions: overdue.total,
    overdueIds: overdue.ids,
    contestedBeliefs,
    unreadDreams,
    embeddingBacklog,
  }
}

export const state = defineOperation({
  name: 'state',
  summary: 'Report how heavily this project uses its brain and what needs attention.',
  help: { group: 'Instinct', place: 4, examples: ['brain state'] },
  members: {},
  output: () =>
    z.object({
      state: z.enum(conditions),
      load: z.number(),
      // The specification names it so; it is the standard deviation of the calls per active minute.
      variance: z.number(),
      reserve: z.number(),
      active_minutes: count(),
      window_minutes: z.literal(windowMinutes),
      last_active: nullableTimestamp(),
      advice: z.string(),
      drivers: z.array(
        z.object({ name: z.string(), value: z.number(), weight: z.number(), why: z.string() }),
      ),
    }),
  route: { method: 'GET', path: '/v1/state' },
  effect: 'read',
  tool: true,
  command: {},
  counted: false,
  run: async (context) => {
    const now = context.now()
    const { minutes, lastActive } = await context.store.activity.window(
      context.project,
      windowStart(now),
      now + aheadBy,
    )
    const effort = effortOf(minutes.map(({ calls }) => calls))
    const drivers = driversOf(await totalsOf(context, now))
    return {
      state: effort.condition,
      load: effort.load,
      variance: effort.deviation,
      reserve: effort.reserve,
      active_minutes: effort.activeMinutes,
      window_minutes: windowMinutes,
      last_active: timestampOrNull(lastActive),
      advice: adviseOn(effort, drivers),
      drivers,
    }
  },
})

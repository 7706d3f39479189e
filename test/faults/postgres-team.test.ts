/** A team on one PostgreSQL, whose server is restarted, killed and replaced by its standby. The long form is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { postgresTools } from './postgres-server.ts'
import { teamDrill } from './postgres-team.ts'

it.skipIf(postgresTools === undefined)(
  'a team of four with eight agents loses nothing acknowledged when its server ends and a standby takes over',
  async () => {
    const figures = await teamDrill(temporaryDirectory(), { each: 1_000 })
    expect(figures.faults).toEqual([])
    expect(figures.checked).toBeGreaterThan(20)
    expect(figures.killed).toBeGreaterThan(2)
  },
)

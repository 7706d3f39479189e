/** Killed at any moment, a brain opens again and holds what was acknowledged. The long form is `npm run drill`. */
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { crashDrill } from './crash.ts'

const seed = 20_261_120

it('library processes that write, import and re-embed lose nothing acknowledged and leave nothing half', async () => {
  const figures = await crashDrill({
    directory: temporaryDirectory(),
    rounds: 8,
    seed,
    victims: ['mixed', 'import', 'reindex'],
  })
  expect(figures.faults).toEqual([])
  expect(figures.kills).toBeGreaterThanOrEqual(8)
  expect(figures.checked).toBeGreaterThan(0)
})

it('an import, a re-embedding and a backup of the command line are killed without a trace or gone on with', async () => {
  const figures = await crashDrill({
    directory: temporaryDirectory(),
    rounds: 5,
    seed,
    victims: ['import command', 'reindex command', 'backup'],
  })
  expect(figures.faults).toEqual([])
  expect(figures.kills).toBeGreaterThan(0)
  expect(figures.checked).toBeGreaterThan(0)
})

it('commands, the daemon and the MCP server lose nothing acknowledged and leave nothing half', async () => {
  const figures = await crashDrill({
    directory: temporaryDirectory(),
    rounds: 4,
    seed,
    victims: ['command', 'daemon', 'mcp'],
  })
  expect(figures.faults).toEqual([])
  expect(figures.kills).toBeGreaterThan(0)
  expect(figures.checked).toBeGreaterThan(0)
})

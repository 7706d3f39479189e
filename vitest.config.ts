import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Pure code and its neighbours: no build, no process, no server, no model evaluated at length. */
const unit = [
  'test/{core,operations,search}/**/*.test.ts',
  'test/dreams/**/!(processes|demo|strangers).test.ts',
  'test/simd/!(programs).test.ts',
  'test/config/!(keys|ownership).test.ts',
  'test/models/!(download|endpoint|fastembed|shipped-model|builtin|word-table|embedding-threads).test.ts',
  'test/cli/render/**/*.test.ts',
]
/** Faults and attacks on what is built. */
const drill = ['test/{faults,hostile}/**/*.test.ts']

const build = ['test/build.ts']
const processors = availableParallelism()
/** A file that waits for processes leaves its processor to others. */
const workers = { unit: Math.max(2, processors - 1), integration: processors + 1 }

/** Files that take much longer than others: begun last they would be waited for alone. */
const slow = /dreams\/strangers|faults\/(?:every-call|embedder|soak|import-memory)/
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const orderOf = ({ project, moduleId }: TestSpecification): number =>
      2 * project.config.sequence.groupOrder + (slow.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((a, b) => orderOf(a) - orderOf(b))
  }
}

export default defineConfig({
  define: { BRAIN_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    // What this user's own brains are known by stays out of it.
    env: { XDG_STATE_HOME: join(tmpdir(), 'brain-test-state') },
    // Long enough for a machine that is busy with other tests: nothing is timed by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A machine under load answers late, but answers: a page's waits are as long.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    sequence: { sequencer: SlowestFirst },
    // Counted by .ci/run.
    reporters: ['default', ['json', { outputFile: '.cache/test-results.json' }]],
    projects: [
      // Pure code leaves nothing behind, so the files of a worker share what it has loaded: half of the time.
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          isolate: false,
          maxWorkers: workers.unit,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          globalSetup: build,
          maxWorkers: workers.integration,
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...drill, ...unit],
        },
      },
      // Last: each starts several processes, and waits for them most of the time.
      {
        extends: true,
        test: {
          name: 'drill',
          globalSetup: build,
          include: drill,
          maxWorkers: workers.integration,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})

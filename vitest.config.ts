import { defineConfig } from 'vitest/config'

export default defineConfig({
  define: { BRAIN_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A machine under load answers late, but answers.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // Counted by .ci/run.
    reporters: ['default', ['json', { outputFile: '.cache/test-results.json' }]],
  },
})

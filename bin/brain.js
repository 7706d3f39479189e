#!/usr/bin/env node
try {
  require('../dist/start.cjs')
} catch (error) {
  // A clone that is not built yet.
  if (error?.code !== 'MODULE_NOT_FOUND' || !error.message.includes("'../dist/start.cjs'")) throw error
  process.stderr.write('brain: not built yet: run `npm ci && npm run build` in the clone\n')
  process.exitCode = 1
}

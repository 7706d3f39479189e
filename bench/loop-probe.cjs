/** Preloaded into a daemon by `blocking.js`: answers with the longest time that its event loop was held since it was asked last. */
const { writeFileSync } = require('node:fs')
const { createServer } = require('node:http')
const { monitorEventLoopDelay } = require('node:perf_hooks')

const file = process.env.LOOP_PROBE
if (file !== undefined && process.argv.includes('serve')) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const server = createServer((_request, response) => {
    response.end(String(delay.max / 1e6))
    delay.reset()
  })
  server.listen(0, '127.0.0.1', () => writeFileSync(file, String(server.address().port)))
  server.unref()
}

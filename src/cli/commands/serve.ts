/** `brain serve`: the daemon. */
import type { Command } from 'commander'
import type { Session } from '../session.ts'

export function addServe(program: Command, open: () => Session): void {
  program
    .command('serve')
    .description('Serve the HTTP API and MCP on this machine')
    .option('--host <address>', 'address to listen on')
    .option('--port <number>', 'port to listen on; 0 takes a free one')
    .action(async (options: { host?: string; port?: string }) => {
      const session = open()
      const { serve } = await import('../../http/serve.ts')
      await session.withBrain('serve', async (brain) => {
        const running = await serve({
          brain,
          host: options.host ?? brain.config['serve.host'],
          port: options.port === undefined ? brain.config['serve.port'] : Number(options.port),
        })
        await session.print(
          { url: running.url, pid: process.pid, dir: brain.directory },
          () => `brain is listening on ${running.url}`,
        )
        await new Promise<void>((resolve) => {
          process.once('SIGTERM', resolve)
          process.once('SIGINT', resolve)
        })
        await running.stop()
      })
    })
}

/** Composition root of the `brain` command: the process's own streams and environment, and nothing else. */
import { runCli } from './cli/program.ts'

// A reader that went away (`| head -1`) ends the command quietly.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  workingDirectory: process.cwd(),
  interactive: process.stdout.isTTY === true,
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
})

/** Ports for what is stopped and started again. */
import { createServer } from 'node:net'

/** A port of loopback that nobody takes while nothing listens on it: below those that a system gives to connections. */
export async function ownPort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const listening = createServer()
  const free = await new Promise<boolean>((settle) => {
    listening.once('error', () => settle(false))
    listening.listen(port, '127.0.0.1', () => listening.close(() => settle(true)))
  })
  return free ? port : ownPort()
}

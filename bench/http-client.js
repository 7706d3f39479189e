/** A lean HTTP client: one keep-alive socket a worker, so that the daemon is measured and not the client. */
import { Agent, request } from 'node:http'

/** `post(path, body)` resolves to the parsed answer. @throws when it is no 200. */
export function createClient({ url, key }, sockets = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })
  const post = (path, body) =>
    new Promise((resolve, reject) => {
      const content = body ? JSON.stringify(body) : ''
      const headers = {
        'x-svc-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(content),
      }
      const sent = request(`${url}${path}`, { method: body ? 'POST' : 'GET', agent, headers }, (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve(JSON.parse(text))
          else reject(new Error(`${path}: ${response.statusCode} ${text}`))
        })
      })
      sent.on('error', reject)
      sent.end(body ? content : undefined)
    })
  return { post, close: () => agent.destroy() }
}

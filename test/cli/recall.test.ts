import { expect, test } from 'vitest'
import { createBrainPlace } from './command-line.ts'

const filler = 'Nothing of this matters to anybody. '.repeat(40)
const long = `${filler}The deploy keys are in the vault. ${filler}`

test('a long text is shown by the part around what was asked, and whole when asked for', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', long])
  const cut = await place.run(['recall', 'deploy', 'keys'])
  expect(cut.stdout).toContain('The deploy keys are in the vault.')
  expect(cut.stdout.length).toBeLessThan(500)
  expect(cut.stdout).toContain('--full shows them whole')
  const whole = await place.run(['recall', 'deploy', 'keys', '--full'])
  expect(whole.stdout).toContain(long.trim())
  expect(whole.stdout).not.toContain('--full')
  // What programs read is the body of the HTTP answer.
  expect(JSON.parse((await place.run(['recall', 'deploy', '--json'])).stdout).results[0].text).toBe(long)
})

test('a short text is shown as it was kept, its lines included', async () => {
  const place = await createBrainPlace()
  await place.run(['remember', 'deploy:\n  one\n  two'])
  const { stdout } = await place.run(['recall', 'deploy'])
  expect(stdout).toMatch(/deploy:\n +one\n +two\n/)
  expect(stdout).not.toContain('--full')
})

test('a name alone shows every note that holds it, however many share what it may mean', async () => {
  const place = await createBrainPlace()
  for (const what of [
    'reboots at two',
    'has a new disk',
    'is full',
    'moved to the cellar',
    'runs the export',
  ])
    await place.run(['remember', `vault2 ${what}`])
  for (let at = 0; at < 8; at += 1) await place.run(['remember', `Lunch on day ${at} was soup`])
  const { stdout } = await place.run(['recall', 'vault2'])
  expect(stdout.match(/vault2/g)).toHaveLength(5)
  expect(stdout).not.toContain('soup')
})

test.each([
  ['what share of the traces do we keep', 'Traces'],
  ['who checks expensive orders before shipping', 'Orders'],
  ['where do images go after three months', 'Uploads'],
])('what stands in the middle of a long note is found: %s', async (query, heading) => {
  const place = await createBrainPlace({ BRAIN_EMBEDDER: 'builtin' })
  const matters = [
    ['Carts', 'A cart lives in Redis for two weeks and is dropped after that. Nobody is told of it.'],
    ['Search', 'The index is built by a worker within seconds. The nightly job is gone since spring.'],
    ['Traces', 'We sample spans at five percent in production. Staging keeps all of them for a day.'],
    ['Mail', 'Letters go out through Postmark. The sandbox has a token of its own in the vault.'],
    ['Orders', 'Everything above ten thousand euros is looked at by Lukas by hand before it is shipped.'],
    ['Prices', 'Swiss customers pay in francs. Sums are rounded to five Rappen at the end.'],
    ['Uploads', 'Images lie in a bucket of their own. After ninety days they go to Glacier.'],
    ['Tests', 'The flaky ones are run fifty times over the weekend. Whatever fails twice is rewritten.'],
  ]
  await place.run(['remember', matters.map(([name, text]) => `## ${name}\n\n${text}`).join('\n\n')])
  for (const other of ['Lunch is at noon', 'The office cat sleeps on the router', 'Standup is at ten'])
    await place.run(['remember', other])
  const { stdout } = await place.run(['recall', query, '--json'])
  const [first] = JSON.parse(stdout).results
  expect(first.text).toContain(`## ${heading}`)
  expect(first.score).toBeGreaterThan(0.3)
})

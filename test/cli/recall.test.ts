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

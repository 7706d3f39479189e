/** `brain doctor --security`: what it says of a brain as it should be, and of each way in which one is not. */
import { chmodSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace } from './command-line.ts'

interface Report {
  ok: boolean
  findings: { check: string; ok: boolean; detail: string }[]
}

async function lookAt(spoil: (brain: string) => unknown) {
  const place = await createBrainPlace()
  await place.run(['remember', 'the cache is warm'])
  const brain = join(place.directory, '.brain')
  await spoil(brain)
  const before = readdirSync(brain)
  const { code, stdout } = await place.run(['doctor', '--security', '--json'])
  expect(readdirSync(brain)).toEqual(before)
  const { findings } = JSON.parse(stdout) as Report
  return {
    code,
    findings,
    wrong: findings.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`),
  }
}

describe('brain doctor --security', () => {
  it('finds nothing wrong with a brain as it was made, and says what it looked at', async () => {
    // The README keeps a key for curl beside the brain.
    const { code, wrong, findings } = await lookAt((brain) =>
      writeFileSync(join(brain, 'key.header'), 'x-svc-key: x', { mode: 0o600 }),
    )
    expect({ code, wrong }).toEqual({ code: 0, wrong: [] })
    expect(findings.map(({ check }) => check)).toEqual([
      'owners',
      'modes',
      'kinds of files',
      'foreign files',
      'version control',
      'kept copies',
      'origin',
      'endpoints',
      "project's settings",
      'opening',
      'keys',
    ])
  })

  it.each<[string, (brain: string) => unknown, RegExp]>([
    [
      'what others can write',
      (brain) => [chmodSync(brain, 0o755), chmodSync(join(brain, 'brain.db'), 0o666)],
      /^modes: others can write brain\.db: run `chmod/,
    ],
    ['what others can read', (brain) => chmodSync(brain, 0o755), /^modes: others can read \.brain/],
    [
      'a link',
      (brain) => symlinkSync('/etc', join(brain, 'sessions')),
      /^kinds of files: links, pipes or devices: sessions/,
    ],
    [
      'a file with a second name',
      (brain) => linkSync(join(brain, '.gitignore'), join(brain, 'tally.x')),
      /^kinds of files: have a second name/,
    ],
    [
      'a file that is not ours',
      (brain) => [mkdirSync(join(brain, 'hooks')), writeFileSync(join(brain, 'hooks', 'run.sh'), 'x')],
      /^foreign files: no brain makes hooks, hooks\/run\.sh/,
    ],
    [
      'a brain that git takes in',
      (brain) => rmSync(join(brain, '.gitignore')),
      /^version control: git would take/,
    ],
    [
      'an endpoint that a project names',
      (brain) =>
        writeFileSync(join(brain, 'config.json'), '{"embedder":"http","embedder.url":"http://127.0.0.1:9"}', {
          mode: 0o600,
        }),
      /^project's settings: .*config\.json sets embedder, embedder\.url, which is ignored/,
    ],
    [
      'a schema that is not ours',
      (brain) => {
        const database = loadDatabase(join(brain, 'brain.db'))
        database.exec('CREATE TRIGGER t AFTER INSERT ON memory BEGIN DELETE FROM belief; END')
        database.close()
      },
      /^opening: .* holds trigger t/,
    ],
    [
      'a key of long ago',
      (brain) => {
        const database = loadDatabase(join(brain, 'brain.db'))
        database.exec(`INSERT INTO key (id, project_id, label, secret_hash, created_at)
          SELECT 'abcdefgh', 1, NULL, zeroblob(32), 1`)
        database.close()
      },
      /^keys: older than a year and without an end: abcdefgh/,
    ],
  ])('names %s', async (_, spoil, sentence) => {
    const { code, wrong } = await lookAt(spoil)
    expect(
      wrong.some((line) => sentence.test(line)),
      wrong.join('\n'),
    ).toBe(true)
    expect(code).toBe(1)
  })
})

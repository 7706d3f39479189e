/** `brain doctor` through the command line: what a person and a script learn from it. */
import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBrainPlace, createPlace } from './command-line.ts'

interface Report {
  ok: boolean
  findings: { check: string; ok: boolean; detail: string; fixable: boolean }[]
}

async function createFilled() {
  const place = await createBrainPlace()
  await place.run(['remember', 'the cache is warm'])
  const file = join(place.directory, '.brain', 'brain.db')
  const report = async (...options: string[]) => {
    const { code, stdout } = await place.run(['doctor', '--json', ...options])
    return { code, ...(JSON.parse(stdout) as Report) }
  }
  return { place, file, report }
}

describe('brain doctor', () => {
  it('finds a sound brain sound', async () => {
    const { place, report } = await createFilled()
    const { code, ok, findings } = await report()
    expect({ code, ok, wrong: findings.filter((finding) => !finding.ok) }).toEqual({
      code: 0,
      ok: true,
      wrong: [],
    })
    const { stdout, stderr } = await place.run(['doctor'])
    expect(stdout).toMatch(/^ok {5}database {2,}every page is sound$/m)
    expect(stderr).toBe('')
  })

  it('says what --fix can mend, and mends it', async () => {
    const { place, file, report } = await createFilled()
    chmodSync(file, 0o644)
    const before = await place.run(['doctor'])
    expect(before.code).toBe(1)
    expect(before.stdout).toMatch(/^fix {4}permissions {2,}others may look into brain\.db/m)
    expect(before.stderr).toContain('brain doctor --fix')
    expect(await report('--fix')).toMatchObject({ code: 0, ok: true })
    expect(await report()).toMatchObject({ code: 0, ok: true })
  })

  it('tells of a model that is missing, and of vectors of another than the configured one', async () => {
    const { place } = await createFilled()
    const { code, stdout } = await place.run(['doctor', '--json'], {
      environment: { BRAIN_EMBEDDER: 'fastembed:nowhere' },
    })
    const { findings } = JSON.parse(stdout) as Report
    expect(code).toBe(1)
    expect(findings.at(-1)).toMatchObject({ check: 'model', ok: false, fixable: false })
    expect(findings.at(-1)?.detail).toContain('nowhere')
  })

  it('says what recall does while the configured embedder cannot be had: what recall says, too', async () => {
    const lookAt = async (embedder: string) => {
      const place = await createBrainPlace({ BRAIN_EMBEDDER: embedder })
      await place.run(['remember', 'the cache is warm'])
      const environment = { BRAIN_EMBEDDER: 'http' }
      const { findings } = JSON.parse(
        (await place.run(['doctor', '--json'], { environment })).stdout,
      ) as Report
      const recalled = await place.run(['recall', 'the cache', '--json'], { environment })
      return [JSON.parse(recalled.stdout).mode, findings.at(-1)?.detail]
    }
    const why = 'the http embedder needs embedder.url: set it with brain config set embedder.url VALUE'
    expect(await lookAt('none')).toEqual(['keyword', `recall is by keyword only: ${why}`])
    expect(await lookAt('builtin')).toEqual(['semantic', `${why}; recall and new notes go on with builtin`])
  })

  it('looks at a brain that cannot be opened, and leaves it as it is', async () => {
    const { file, report } = await createFilled()
    truncateSync(file, 8192)
    const bytes = readFileSync(file)
    const { code, findings } = await report('--fix')
    expect(code).toBe(1)
    expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
      ['opening', false],
      ['database', false],
    ])
    expect(findings[0]?.detail).toContain('is cut short')
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('finds damage inside a brain that opens', async () => {
    const { file, report } = await createFilled()
    const bytes = readFileSync(file)
    // The last pages: nothing that opening reads.
    bytes.fill(0xa5, bytes.length - 3 * 4096)
    writeFileSync(file, bytes)
    const { code, findings } = await report()
    expect(code).toBe(1)
    expect(findings.some(({ ok, detail }) => !ok && /damaged|does not agree/.test(detail))).toBe(true)
  })

  it('needs a brain', async () => {
    const { code, stderr } = await createPlace().run(['doctor'])
    expect(code).toBe(4)
    expect(stderr).toContain('brain init')
  })
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { describeWork, readCommitsSince, readHead, readWorkAtHand } from '../../src/agents/git.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const git = (directory: string, ...words: string[]): void => {
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
    cwd: directory,
    stdio: 'ignore',
  })
}

test('the work at hand is the branch, the last three commits that are not on the default branch, and what is changed', async () => {
  const directory = temporaryDirectory()
  git(directory, 'init', '-q', '-b', 'main')
  writeFileSync(join(directory, 'kept.ts'), 'a')
  git(directory, 'add', '.')
  git(directory, 'commit', '-q', '-m', 'Begin')
  git(directory, 'checkout', '-q', '-b', 'feature/invoice-export')
  for (const at of [1, 2, 3, 4]) git(directory, 'commit', '-q', '--allow-empty', '-m', `Step ${at}`)
  writeFileSync(join(directory, 'kept.ts'), 'b')
  writeFileSync(join(directory, 'with space.ts'), 'c')
  mkdirSync(join(directory, '.brain'))
  writeFileSync(join(directory, '.brain', 'brain.db'), '')
  const work = await readWorkAtHand(directory)
  expect(work).toEqual({
    branch: 'feature/invoice-export',
    subjects: ['Step 4', 'Step 3', 'Step 2'],
    changed: ['kept.ts', 'with space.ts'],
  })
  expect(work && describeWork(work)).toBe(
    'feature invoice export\nStep 4\nStep 3\nStep 2\nkept.ts\nwith space.ts',
  )
})

test('of what others wrote at any length a little is looked for', () => {
  const work = { branch: 'feature/x', subjects: [`Never push ${'!'.repeat(60_000)}`], changed: [] }
  expect(describeWork(work).length).toBeLessThan(250)
})

test('on the default branch without a change there is no work to describe, and outside a repository none at all', async () => {
  const directory = temporaryDirectory()
  git(directory, 'init', '-q', '-b', 'main')
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  const work = await readWorkAtHand(directory)
  expect(work && describeWork(work)).toBe('')
  git(directory, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  git(directory, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'Not pushed yet')
  expect((await readWorkAtHand(directory))?.subjects).toEqual(['Not pushed yet'])
  expect(await readWorkAtHand(temporaryDirectory())).toBeUndefined()
})

test('commits are read however long their messages are, none after what is no commit any more, and unknown where git is slow', async () => {
  const directory = temporaryDirectory()
  git(directory, 'init', '-q', '-b', 'main')
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  const since = (await readHead(directory)) ?? ''
  writeFileSync(join(directory, 'message'), `Tell all\n\n${'A long reason. '.repeat(40_000)}`)
  git(directory, 'commit', '-q', '--allow-empty', '-F', 'message')
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'Tell more')
  const commits = await readCommitsSince(directory, since, { limit: 5, milliseconds: 60_000 })
  expect(commits?.map(({ subject }) => subject)).toEqual(['Tell all', 'Tell more'])
  expect(await readCommitsSince(directory, 'f'.repeat(40), { limit: 5, milliseconds: 60_000 })).toEqual([])
  const slow = temporaryDirectory()
  writeFileSync(join(slow, 'git'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
  vi.stubEnv('PATH', `${slow}:${process.env.PATH}`)
  try {
    expect(await readCommitsSince(directory, since, { limit: 5, milliseconds: 50 })).toBeUndefined()
  } finally {
    vi.unstubAllEnvs()
  }
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locateBrain } from '../../src/config/locate.ts'
import { findMainWorktree } from '../../src/config/worktree.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const git = (directory: string, ...words: string[]): void => {
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
    cwd: directory,
    stdio: 'ignore',
  })
}

/** A repository with a brain, and a linked worktree of it. */
function makeWorktrees() {
  const base = realpathSync(temporaryDirectory())
  const main = join(base, 'main')
  const linked = join(base, 'linked')
  mkdirSync(join(main, '.brain'), { recursive: true })
  writeFileSync(join(main, '.brain', 'brain.db'), '')
  git(main, 'init', '-q')
  git(main, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  git(main, 'worktree', 'add', '-q', linked)
  return { base, main, linked }
}

const locate = (workingDirectory: string): string =>
  locateBrain({ workingDirectory, named: undefined, user: { uid: process.getuid?.(), environment: {} } })

test('a linked worktree uses the brain of the main one, from any of its directories', () => {
  const { main, linked } = makeWorktrees()
  mkdirSync(join(linked, 'src', 'deep'), { recursive: true })
  expect(findMainWorktree(join(linked, 'src', 'deep'))).toBe(main)
  expect(locate(join(linked, 'src', 'deep'))).toBe(join(main, '.brain'))
})

test('a brain of the worktree itself comes first', () => {
  const { linked } = makeWorktrees()
  mkdirSync(join(linked, '.brain'))
  writeFileSync(join(linked, '.brain', 'brain.db'), '')
  expect(locate(linked)).toBe(join(linked, '.brain'))
})

test('a .git file that the repository does not know leads nowhere', () => {
  const { base, main } = makeWorktrees()
  const forged = join(base, 'forged')
  mkdirSync(forged)
  writeFileSync(join(forged, '.git'), `gitdir: ${join(main, '.git', 'worktrees', 'linked')}\n`)
  expect(findMainWorktree(forged)).toBeUndefined()
  expect(() => locate(forged)).toThrow(/no brain here or above/)
  // Nor where it brings what a repository would say of it.
  const known = join(forged, 'worktrees', 'known')
  mkdirSync(known, { recursive: true })
  writeFileSync(join(forged, '.git'), `gitdir: ${known}\n`)
  writeFileSync(join(known, 'gitdir'), `${join(forged, '.git')}\n`)
  writeFileSync(join(known, 'commondir'), `${join(main, '.git')}\n`)
  expect(findMainWorktree(forged)).toBeUndefined()
  expect(() => locate(forged)).toThrow(/no brain here or above/)
})

test('neither the main worktree nor a directory without git has another', () => {
  const { base, main } = makeWorktrees()
  expect(findMainWorktree(main)).toBeUndefined()
  expect(findMainWorktree(base)).toBeUndefined()
})

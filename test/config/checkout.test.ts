import { execFileSync } from 'node:child_process'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findReference, readCheckout } from '../../src/config/checkout.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const git = (directory: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...words], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

function makeRepository(): string {
  const directory = realpathSync(temporaryDirectory())
  git(directory, 'init', '-q', '-b', 'feature/queue')
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  return directory
}

const nothing = { branch: null, commit: null }

test('branch and commit are what git says, from any directory of the repository', () => {
  const repository = makeRepository()
  mkdirSync(join(repository, 'src', 'deep'), { recursive: true })
  const told = { branch: 'feature/queue', commit: git(repository, 'rev-parse', 'HEAD') }
  expect(readCheckout(join(repository, 'src', 'deep'))).toEqual(told)
  git(repository, 'pack-refs', '--all')
  expect(readCheckout(repository)).toEqual(told)
})

test('a linked worktree has a branch of its own', () => {
  const repository = makeRepository()
  const linked = join(realpathSync(temporaryDirectory()), 'linked')
  git(repository, 'worktree', 'add', '-q', '-b', 'other', linked)
  git(linked, 'commit', '-q', '--allow-empty', '-m', 'Go on')
  expect(readCheckout(linked)).toEqual({ branch: 'other', commit: git(linked, 'rev-parse', 'HEAD') })
  expect(readCheckout(repository).branch).toBe('feature/queue')
})

test('a detached head is on no branch, and a branch without a commit has none', () => {
  const repository = makeRepository()
  git(repository, 'checkout', '-q', '--detach')
  expect(readCheckout(repository)).toEqual({ branch: null, commit: git(repository, 'rev-parse', 'HEAD') })
  const fresh = realpathSync(temporaryDirectory())
  git(fresh, 'init', '-q', '-b', 'first')
  expect(readCheckout(fresh)).toEqual({ branch: 'first', commit: null })
})

test.each([
  ['leads out of the repository', 'ref: refs/heads/../../../secret\n'],
  ['is no reference', 'ref: /etc/passwd\n'],
  ['is longer than a line of git', `ref: refs/heads/${'x'.repeat(10_000)}\n`],
  ['is empty', ''],
])('a HEAD that %s tells nothing', (_, head) => {
  const directory = realpathSync(temporaryDirectory())
  mkdirSync(join(directory, '.git'))
  writeFileSync(join(directory, '.git', 'HEAD'), head)
  expect(readCheckout(directory)).toEqual(nothing)
})

test('links and devices in the place of git files are not followed', () => {
  const directory = realpathSync(temporaryDirectory())
  mkdirSync(join(directory, '.git', 'refs', 'heads'), { recursive: true })
  symlinkSync('/dev/zero', join(directory, '.git', 'HEAD'))
  expect(readCheckout(directory)).toEqual(nothing)
  const other = realpathSync(temporaryDirectory())
  mkdirSync(join(other, '.git', 'refs', 'heads'), { recursive: true })
  writeFileSync(join(other, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  execFileSync('mkfifo', [join(other, '.git', 'refs', 'heads', 'main'), join(other, '.git', 'packed-refs')])
  expect(readCheckout(other)).toEqual({ branch: 'main', commit: null })
})

test('outside a repository nothing is known', () => {
  expect(readCheckout(temporaryDirectory())).toEqual(nothing)
  expect(readCheckout(join(temporaryDirectory(), 'gone'))).toEqual(nothing)
})

const wanted = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master']

test('the first reference that is there is found: loose, packed, or by way of another', () => {
  const repository = makeRepository()
  const { commit } = readCheckout(repository)
  expect(commit).toMatch(/^[0-9a-f]{40}$/)
  expect(findReference(repository, wanted)).toBeUndefined()
  git(repository, 'branch', 'master')
  expect(findReference(repository, wanted)).toEqual({ name: 'refs/heads/master', commit })
  git(repository, 'branch', 'main')
  git(repository, 'pack-refs', '--all')
  expect(findReference(repository, wanted)).toEqual({ name: 'refs/heads/main', commit })
  git(repository, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
  expect(findReference(repository, wanted)).toEqual({ name: 'refs/heads/main', commit })
  git(repository, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  expect(findReference(repository, wanted)).toEqual({ name: 'refs/remotes/origin/HEAD', commit })
})

test.each([
  ['to itself', 'ref: refs/heads/main\n'],
  ['out of the repository', 'ref: refs/heads/../../../secret\n'],
])('a reference that leads %s is none', (_, line) => {
  const directory = realpathSync(temporaryDirectory())
  mkdirSync(join(directory, '.git', 'refs', 'heads'), { recursive: true })
  writeFileSync(join(directory, '.git', 'refs', 'heads', 'main'), line)
  writeFileSync(join(directory, 'secret'), `${'a'.repeat(40)}\n`)
  expect(findReference(directory, wanted)).toBeUndefined()
})

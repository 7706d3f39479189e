/**
 * Makes a release ready: `npm run release -- 0.2.0`, or for some Nodes alone, to try it: `-- 0.2.0 --nodes 20`. Version
 * and date in package.json and the changelog, a compiled SQLite for every supported Node, build, generated pages, the
 * package with its list of parts and checksums, and a trial of it in an empty directory without any package's own
 * scripts. It commits, tags and publishes nothing: the last lines say how.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv, env, exit, stderr, stdout } from 'node:process'
import { makeChecksums, makeSbom } from './sbom.js'

const root = resolve(import.meta.dirname, '..')
const supported = ['20', '22', '24']

const run = (program, words, options = {}) =>
  execFileSync(program, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options })
const read = (program, words, options) => run(program, words, { stdio: 'pipe', encoding: 'utf8', ...options })

function refuse(sentence) {
  stderr.write(`release: ${sentence}\n`)
  exit(1)
}

const [, , version, option, named] = argv
const nodes = option === '--nodes' ? (named ?? '').split(',') : supported
if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) refuse('name the version: npm run release -- 0.2.0')
if ((option !== undefined && option !== '--nodes') || nodes.some((node) => !supported.includes(node)))
  refuse(`--nodes takes some of ${supported.join(',')}`)
if (read('git', ['status', '--porcelain']) !== '') refuse('commit or stash what is changed first')
const changelog = join(root, 'CHANGELOG.md')
const history = readFileSync(changelog, 'utf8')
const heading = `## ${version} (unreleased)`
if (!history.includes(heading)) refuse(`CHANGELOG.md has no section "${heading}"`)

const today = new Date().toISOString().slice(0, 10)
writeFileSync(changelog, history.replace(heading, `## ${version} (${today})`))
run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'])
for (const node of nodes)
  run('npx', ['--ignore-scripts=false', '-y', '-p', `node@${node}`, 'node', 'packaging/native.js'])
run('npm', ['run', 'build'])
run('npm', ['run', 'generate'])
run('npm', ['run', 'check'])
const [{ filename }] = JSON.parse(read('npm', ['pack', '--json', '--ignore-scripts']))
const sbom = `brain-${version}.cdx.json`
writeFileSync(join(root, sbom), `${JSON.stringify(makeSbom(root), undefined, 2)}\n`)
writeFileSync(join(root, 'SHA256SUMS'), makeChecksums([join(root, filename), join(root, sbom)]))

const trial = mkdtempSync(join(tmpdir(), 'brain-release-'))
try {
  // Nobody who installs it needs to let a package's script run: here the compiled SQLite came with the package.
  run('npm', ['install', '--prefix', trial, '--no-save', '--ignore-scripts', join(root, filename)])
  // As somebody who has just come to it: without this user's settings, brains and caches.
  const own = Object.entries(env).filter(([name]) => !/^(BRAIN_|XDG_|npm_)/i.test(name))
  const stranger = { ...Object.fromEntries(own), HOME: trial, USERPROFILE: trial }
  const brain = (...words) =>
    read(join(trial, 'node_modules', '.bin', 'brain'), words, { cwd: trial, env: stranger })
  brain('init', '--yes')
  brain('remember', 'The staging database moved to port 5433')
  const { results } = JSON.parse(brain('recall', 'where does postgres listen in staging?', '--json'))
  if (brain('--version').trim() !== version || results.length !== 1)
    throw new Error('the installed package does not work')
} finally {
  rmSync(trial, { recursive: true, force: true })
}
stdout.write(`${filename} is ready. Now:
  git commit -am "Release ${version}" && git tag v${version} && git push --follow-tags
  npm publish --provenance ${filename}
Put ${filename}, ${sbom} and SHA256SUMS beside the release.
`)

/**
 * Puts the compiled SQLite of the running Node into native/, from where the package ships and loads it: copied
 * when better-sqlite3's installation made one that loads, else downloaded as its authors built it, else compiled
 * from the sources the registry delivered. Run it under every Node a release is to serve without a download.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { arch, env, execPath, platform, versions } from 'node:process'

const require = createRequire(import.meta.url)
const source = dirname(require.resolve('better-sqlite3/package.json'))
const built = join('build', 'Release', 'better_sqlite3.node')
const release = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')).version
const directory = join(import.meta.dirname, '..', 'native')
const target = join(directory, `better-sqlite3-${platform}-${arch}-${versions.modules}.node`)

/**
 * Whether a binary is free of the cleanup hooks of Node 24.19's ObjectWrap, with which a garbage collection may
 * end the process (see object-wrap.h).
 */
const isSound = (file) => existsSync(file) && !readFileSync(file).includes('RemoveEnvironmentCleanupHook')

/** Whether this very Node loads `file`, and may; tried in a process of its own. */
function loads(file) {
  if (!isSound(file)) return false
  const trial = `const D = require(${JSON.stringify(source)});
    new D(':memory:', { nativeBinding: ${JSON.stringify(file)} }).prepare('SELECT 1').get()`
  return spawnSync(execPath, ['-e', trial], { stdio: 'ignore' }).status === 0
}

/** A name of its own first: another build may be reading the old one. */
function install(file) {
  mkdirSync(directory, { recursive: true })
  const draft = `${target}.${process.pid}`
  copyFileSync(file, draft)
  renameSync(draft, target)
}

const isOfThisNode = (prefix) => {
  const header = join(prefix, 'include', 'node', 'node_version.h')
  const wanted = new RegExp(`define NODE_MODULE_VERSION ${versions.modules}\\b`)
  return existsSync(header) && wanted.test(readFileSync(header, 'utf8'))
}

/**
 * A prefix with this Node's headers, which node-gyp would fetch from nodejs.org: named to npm, beside the
 * executable, or in the registry's package of this very Node.
 */
function findHeaders(workplace) {
  const local = [env.npm_config_nodedir ?? '', dirname(dirname(realpathSync(execPath)))].find(isOfThisNode)
  if (local !== undefined) return local
  const name = `node-${platform}-${arch}`
  const quietly = { cwd: workplace, stdio: 'ignore' }
  spawnSync(execPath, [env.npm_execpath ?? 'npm', 'pack', `${name}@${versions.node}`], quietly)
  spawnSync('tar', ['-xzf', `${name}-${versions.node}.tgz`, 'package/include'], quietly)
  return [join(workplace, 'package')].find(isOfThisNode)
}

function download(workplace) {
  const script = join(dirname(require.resolve('prebuild-install/package.json')), 'bin.js')
  spawnSync(execPath, [script], { cwd: workplace, stdio: 'ignore', timeout: 60_000 })
}

function compile(workplace) {
  const nodeGyp = env.npm_config_node_gyp
  if (nodeGyp === undefined) throw new Error('node-gyp comes with npm: use `npm run build`')
  const headers = findHeaders(workplace)
  const { npm_config_nodedir: _, ...others } = env
  // Where no path of the user's can have a space that would tear the flag in two.
  copyFileSync(join(import.meta.dirname, 'object-wrap.h'), join(workplace, 'object-wrap.h'))
  const flags = `${env.CXXFLAGS ?? ''} -include ${join(workplace, 'object-wrap.h')}`
  const { status, stderr } = spawnSync(
    execPath,
    [nodeGyp, 'rebuild', '--release', '--jobs=max', ...(headers ? [`--nodedir=${headers}`] : [])],
    { cwd: workplace, env: { ...others, CXXFLAGS: flags }, encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  if (status !== 0) {
    process.stderr.write(stderr)
    throw new Error(
      'SQLite could not be compiled: it takes Python 3, make and a C++20 compiler, or access to github.com',
    )
  }
}

function build() {
  if (loads(join(source, built))) return install(join(source, built))
  const workplace = mkdtempSync(join(tmpdir(), 'brain-native-'))
  try {
    for (const part of ['package.json', 'binding.gyp', 'src', 'deps', 'lib']) {
      cpSync(join(source, part), join(workplace, part), { recursive: true })
    }
    download(workplace)
    if (!loads(join(workplace, built))) {
      process.stderr.write(`compiling better-sqlite3 ${release} for Node ${versions.node}, a minute or two\n`)
      compile(workplace)
    }
    if (!loads(join(workplace, built)))
      throw new Error(`Node ${versions.node} does not load the SQLite it built`)
    install(join(workplace, built))
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
}

// Binaries of another release of better-sqlite3 are stale whatever they load in.
const stamp = join(directory, 'release.txt')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== release) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeFileSync(stamp, release)
}
if (!loads(target)) build()
// For what loads better-sqlite3 by itself, benchmarks for one.
if (!isSound(join(source, built))) cpSync(target, join(source, built))

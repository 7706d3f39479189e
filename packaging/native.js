/**
 * Puts the compiled SQLite of the running Node into native/, from where the package ships and loads it: copied
 * when better-sqlite3's installation made one that loads, else downloaded as its authors built it, else compiled
 * from the sources the registry delivered. Run it under every Node a release is to serve without a download. Of an installed
 * package, which brings none of better-sqlite3, it is what a person runs where no compiled SQLite came with it.
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
const root = join(import.meta.dirname, '..')
/** A package that was installed is told from a checkout by what npm never publishes. */
const isCheckout = existsSync(join(root, 'package-lock.json'))
const directory = join(root, 'native')
/** Which release of better-sqlite3 the binaries are of; its JavaScript is bundled with brain's. */
const stamp = join(directory, 'release.txt')
const built = join('build', 'Release', 'better_sqlite3.node')
const target = join(directory, `better-sqlite3-${platform}-${arch}-${versions.modules}.node`)

/**
 * Whether a binary is free of the cleanup hooks of Node 24.19's ObjectWrap, with which a garbage collection may
 * end the process (see object-wrap.h).
 */
const isSound = (file) => existsSync(file) && !readFileSync(file).includes('RemoveEnvironmentCleanupHook')

/**
 * Whether this very Node loads `file`, and may; tried in a process of its own, with the JavaScript in `source` if there
 * is any.
 */
function loads(file, source) {
  if (!isSound(file)) return false
  const trial = source
    ? `const D = require(${JSON.stringify(source)});
      new D(':memory:', { nativeBinding: ${JSON.stringify(file)} }).prepare('SELECT 1').get()`
    : `process.dlopen({ exports: {} }, ${JSON.stringify(file)})`
  return spawnSync(execPath, ['-e', trial], { stdio: 'ignore' }).status === 0
}

/** A name of its own first: another build may be reading the old one. */
function install(file) {
  mkdirSync(directory, { recursive: true })
  const draft = `${target}.${process.pid}`
  copyFileSync(file, draft)
  renameSync(draft, target)
}

/** The npm that runs this, or else the one there is. */
const npm = (words, options) =>
  env.npm_execpath === undefined
    ? spawnSync('npm', words, { ...options, shell: platform === 'win32' })
    : spawnSync(execPath, [env.npm_execpath, ...words], options)

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
  npm(['pack', `${name}@${versions.node}`], quietly)
  spawnSync('tar', ['-xzf', `${name}-${versions.node}.tgz`, 'package/include'], quietly)
  return [join(workplace, 'package')].find(isOfThisNode)
}

function download(workplace) {
  const script = join(dirname(require.resolve('prebuild-install/package.json')), 'bin.js')
  spawnSync(execPath, [script], { cwd: workplace, stdio: 'ignore', timeout: 60_000 })
}

/**
 * The flags that compile a binary without the hooks. The header lies where no path of the user's can have a space that
 * would tear them in two.
 */
function findFlags(workplace) {
  copyFileSync(join(import.meta.dirname, 'object-wrap.h'), join(workplace, 'object-wrap.h'))
  return `${env.CXXFLAGS ?? ''} -include ${join(workplace, 'object-wrap.h')}`
}

function compile(workplace) {
  const nodeGyp = env.npm_config_node_gyp
  if (nodeGyp === undefined) throw new Error('node-gyp comes with npm: use `npm run build`')
  const headers = findHeaders(workplace)
  const { npm_config_nodedir: _, ...others } = env
  const { status, stderr } = spawnSync(
    execPath,
    [nodeGyp, 'rebuild', '--release', '--jobs=max', ...(headers ? [`--nodedir=${headers}`] : [])],
    {
      cwd: workplace,
      env: { ...others, CXXFLAGS: findFlags(workplace) },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
  if (status !== 0) {
    process.stderr.write(stderr)
    throw new Error(
      'SQLite could not be compiled: it takes Python 3, make and a C++20 compiler, or access to github.com',
    )
  }
}

function build(source, release) {
  if (loads(join(source, built), source)) return install(join(source, built))
  const workplace = mkdtempSync(join(tmpdir(), 'brain-native-'))
  try {
    for (const part of ['package.json', 'binding.gyp', 'src', 'deps', 'lib']) {
      cpSync(join(source, part), join(workplace, part), { recursive: true })
    }
    download(workplace)
    if (!loads(join(workplace, built), source)) {
      process.stderr.write(`compiling better-sqlite3 ${release} for Node ${versions.node}, a minute or two\n`)
      compile(workplace)
    }
    if (!loads(join(workplace, built), source))
      throw new Error(`Node ${versions.node} does not load the SQLite it built`)
    install(join(workplace, built))
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
}

/** In a checkout, where npm put better-sqlite3's sources. */
function buildFromCheckout() {
  const source = dirname(require.resolve('better-sqlite3/package.json'))
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  // Binaries of another release of better-sqlite3 are stale whatever they load in.
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
    writeFileSync(stamp, version)
  }
  if (!loads(target, source)) build(source, version)
  // For what loads better-sqlite3 by itself, benchmarks for one.
  if (!isSound(join(source, built))) cpSync(target, join(source, built))
}

/** In an installed package: npm fetches the release that was packed, and runs its script, which downloads or compiles it. */
function buildForInstalled() {
  if (loads(target)) {
    process.stdout.write(`${target} is there, and loads\n`)
    return
  }
  const release = readFileSync(stamp, 'utf8')
  const workplace = mkdtempSync(join(tmpdir(), 'brain-native-'))
  try {
    const source = join(workplace, 'node_modules', 'better-sqlite3')
    const headers = findHeaders(workplace)
    const words = [
      'install',
      '--prefix',
      workplace,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--foreground-scripts',
    ]
    const { status } = npm([...words, '--ignore-scripts=false', `better-sqlite3@${release}`], {
      cwd: workplace,
      stdio: 'inherit',
      env: {
        ...env,
        ...(headers && { npm_config_nodedir: headers }),
        ...(platform !== 'win32' && { CXXFLAGS: findFlags(workplace) }),
      },
    })
    if (status !== 0 || !loads(join(source, built), source))
      throw new Error(
        'SQLite could not be built: npm needs to reach its registry, and github.com or Python 3, make and a C++20 compiler',
      )
    install(join(source, built))
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
  process.stdout.write(`${target} is ready\n`)
}

try {
  if (isCheckout) buildFromCheckout()
  else buildForInstalled()
} catch (error) {
  if (isCheckout) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** A brain in PostgreSQL by the command line: where it is named, what is refused, and copies there and back. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { call, startTestDaemon } from '../http/daemon.ts'
import { startPostgres, type TestServer } from '../store/postgres.ts'
import { createBrainPlace, createPlace, type Place, runBuilt } from './command-line.ts'

let server: TestServer
let address: string
let password: string

beforeAll(async () => {
  server = await startPostgres()
  const url = new URL(server.url)
  password = url.password
  url.password = ''
  address = url.href
})
beforeEach(() => server.clear())
afterAll(() => server.close())

const place = (): Place => createPlace({ PGPASSWORD: password })
const stored = (): Place => createPlace({ PGPASSWORD: password, BRAIN_STORE: address })

/** Runs one; fails where it does. */
async function out(at: Place, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await at.run(argv)
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
  return stdout
}

describe('a brain in PostgreSQL', () => {
  test('is named by --store, BRAIN_STORE or the person’s own settings', async () => {
    const one = place()
    expect(await out(one, '--store', address, 'remember', 'by an option')).toContain('remembered 1')
    expect(await out(stored(), 'remember', 'by the environment')).toContain('remembered 2')
    await out(one, 'config', 'set', 'store.url', address, '--user')
    expect(await out(one, 'recall', 'environment')).toContain('by the environment')
    expect(await out(one, 'status')).toContain(
      `default: 2 memories, 0 beliefs, 0 open predictions  ${address}`,
    )
    expect(await out(place(), 'predictions', '--json', '--store', address)).toBe(
      await out(stored(), 'predictions', '--json'),
    )
    // The person's own stays in a file of theirs.
    expect(await out(one, '--global', 'remember', 'mine')).toContain('remembered 1')
    expect(await out(one, 'list')).not.toContain('mine')
  })

  test('is served by a daemon of its own, wherever it was named', async () => {
    const { directory } = await createBrainPlace()
    const ways = [
      { words: ['--store', address], env: { PGPASSWORD: password } },
      { words: [], env: { PGPASSWORD: password, BRAIN_STORE: address } },
    ]
    for (const { words, env } of ways) {
      const run = (...argv: string[]) => runBuilt(directory, [...words, ...argv], { env })
      expect(await run('remember', 'kept in the database')).toMatchObject({ code: 0 })
      const detached = await run('serve', '--detach', '--json', '--key-file', 'key')
      expect(detached).toMatchObject({ code: 0, stderr: '' })
      const { url } = JSON.parse(detached.stdout)
      const key = readFileSync(join(directory, 'key'), 'utf8').trim()
      const { body } = await call({ url, key }, '/v1/records')
      expect(JSON.stringify(body)).toContain('kept in the database')
      expect((await run('stop')).stdout).toContain(`stopped the daemon at ${url}`)
      rmSync(join(directory, 'key'))
      await server.clear()
    }
  })

  test('is never named by a project', async () => {
    const at = await createBrainPlace({ PGPASSWORD: password })
    expect(await at.run(['config', 'set', 'store.url', address])).toMatchObject({
      code: 2,
      stderr: 'brain: store.url is for your own settings alone: add --user\n',
    })
    const file = join(at.directory, '.brain', 'config.json')
    writeFileSync(file, JSON.stringify({ 'store.url': address }))
    await at.run(['trust'])
    const { code, stdout, stderr } = await at.run(['remember', 'stays here'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('remembered 1')])
    expect(stderr).toContain(`store.url in ${file} ignored: it is for your own settings (--user) alone`)
    expect(await out(stored(), 'list', '--json')).toContain('"total":0')
  })

  test('takes no password in its address, and one from a file that nobody else reads', async () => {
    const at = place()
    const url = new URL(address)
    url.password = 'secret'
    const told = await at.run(['--store', url.href, 'list'])
    expect(told.code).toBe(2)
    expect(told.stderr).toContain(
      'store.url must hold no password: put it into PGPASSWORD, ~/.pgpass or a file',
    )
    expect(told.stderr).not.toContain('secret')
    const file = join(at.directory, 'password')
    writeFileSync(file, `${password || 'any'}\n`, { mode: 0o644 })
    const named = { BRAIN_STORE: address, BRAIN_STORE_PASSWORD_FILE: file, PGPASSWORD: 'wrong' }
    const open = await at.run(['list'], { environment: named })
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining(`run \`chmod 600 ${file}\``) })
    chmodSync(file, 0o600)
    expect((await at.run(['list'], { environment: named })).code).toBe(0)
  })

  test('says what to do in the place of what is done to a file', async () => {
    const at = stored()
    expect(await at.run(['backup', 'copy.db'])).toMatchObject({ stderr: expect.stringContaining('pg_dump') })
    expect(await at.run(['restore', 'copy.db'])).toMatchObject({
      code: 2,
      stderr: 'brain: this brain is in PostgreSQL: restore it with pg_restore, as docs/teams.md says\n',
    })
    expect(await at.run(['--global', '--store', address, 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name two brains'),
    })
  })

  test('is looked over by doctor', async () => {
    const at = stored()
    await out(at, 'remember', 'looked at')
    const { findings } = JSON.parse((await at.run(['doctor', '--json'])).stdout) as {
      findings: { check: string; ok: boolean }[]
    }
    const checks = findings.map(({ check }) => check)
    for (const check of ['server', 'isolation', 'indexes', 'clock']) expect(checks).toContain(check)
    expect(findings.filter(({ ok, check }) => !ok && check !== 'built-in model')).toEqual([])
  })

  test('shares through git as one in a file does', async () => {
    const [one, other] = [stored(), await createBrainPlace({ PGPASSWORD: password })]
    await out(one, 'remember', 'from the database')
    await out(one, 'believe', 'it holds')
    await out(one, 'evidence', '1', '--supporting', '--strength', '0.5')
    await out(one, 'predict', 'it rains', '--domain', 'weather')
    mkdirSync(join(one.directory, '.brain'), { recursive: true })
    await out(one, 'share')
    const folder = join(one.directory, '.brain-shared')
    const { cpSync } = await import('node:fs')
    cpSync(folder, join(other.directory, '.brain-shared'), { recursive: true })
    await out(other, 'share', '--pull')
    await out(other, 'edit', '1', 'from the database, edited')
    await out(other, 'evidence', '1', '--refuting', '--strength', '0.3')
    await out(other, 'resolve', '1', 'correct', '--actual', 'it rained')
    await out(other, 'share')
    cpSync(join(other.directory, '.brain-shared'), folder, { recursive: true })
    expect(JSON.parse(await out(one, 'share', '--pull', '--json'))).toMatchObject({
      taken: { version: 1, evidence: 1, resolution: 1 },
    })
    expect(JSON.parse(await out(one, 'show', '1', '--json'))).toMatchObject({
      record: { text: 'from the database, edited', versions: [{ text: 'from the database' }] },
    })
    expect(JSON.parse(await out(one, 'show', 'belief', '1', '--json'))).toMatchObject({
      record: { evidence_count: 2 },
    })
    expect(JSON.parse(await out(one, 'show', 'prediction', '1', '--json'))).toMatchObject({
      record: { outcome: 'correct' },
    })
  })
})

describe('what is wrong with a database', () => {
  const refused = async (
    argv: readonly string[],
    sentence: string | RegExp,
    environment: Record<string, string> = {},
  ): Promise<void> => {
    const { code, stdout, stderr } = await stored().run(argv, { environment: { ...environment } })
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }

  test('is told in a sentence: a server that is not there', async () => {
    await refused(
      ['--store', 'postgres://brain@127.0.0.1:1/brain', 'list'],
      /cannot be reached.*nothing was written/,
    )
    await refused(['--store', 'postgres://brain@nowhere.invalid/brain', 'list'], /cannot be reached/)
  })

  test('a wrong password', async () => {
    // Answers as a server does that takes no such password.
    const sockets: Socket[] = []
    const listener = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => {
        const fields = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed\0\0')
        const length = Buffer.alloc(4)
        length.writeInt32BE(fields.length + 4)
        socket.end(Buffer.concat([Buffer.from('E'), length, fields]))
      })
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      listener.close()
    })
    const { port } = listener.address() as { port: number }
    await refused(
      ['--store', `postgres://brain@127.0.0.1:${port}/brain`, 'list'],
      /refuses this user: check the name and the password \(PGPASSWORD, ~\/\.pgpass or the file/,
    )
  })

  test('no password where one is asked for, and the connection is not left open', async () => {
    // Asks as a server does, and never hangs up.
    const listener = createServer((socket) => {
      socket.on('error', () => {})
      const ask = (kind: number, text: string): void => {
        const message = Buffer.from(`R\0\0\0\0\0\0\0\0${text}`)
        message.writeInt32BE(message.length - 1, 1)
        message.writeInt32BE(kind, 5)
        socket.write(message)
      }
      socket.once('data', () => {
        ask(10, 'SCRAM-SHA-256\0\0')
        socket.once('data', (answer) =>
          ask(11, `r=${/r=(.*)/.exec(answer.toString('latin1'))?.[1]}more,s=c2FsdA==,i=4096`),
        )
      })
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void listener.close())
    const { port } = listener.address() as { port: number }
    const env = { BRAIN_STORE: `postgres://brain@127.0.0.1:${port}/brain` }
    expect(await runBuilt(place().directory, ['list'], { env })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('the database asks for a password'),
    })
  })

  // PGlite asks nobody.
  test.skipIf(process.env.BRAIN_TEST_POSTGRES === undefined)(
    'no password, until ~/.pgpass has it',
    async () => {
      const at = place()
      const env = { BRAIN_STORE: address }
      expect(await runBuilt(at.directory, ['list'], { env })).toMatchObject({
        code: 5,
        stderr:
          'brain: the database asks for a password: put it into ~/.pgpass, PGPASSWORD or the file that store.password_file names\n',
      })
      mkdirSync(join(at.directory, 'home'), { recursive: true })
      const { username } = new URL(address)
      writeFileSync(join(at.directory, 'home', '.pgpass'), `*:*:*:${username}:${password}\n`, { mode: 0o600 })
      expect(await runBuilt(at.directory, ['list'], { env })).toMatchObject({ code: 0, stderr: '' })
    },
  )

  test('an old pgvector', async () => {
    const [before] = (await server.administer(
      "SELECT extversion FROM pg_extension WHERE extname = 'vector'",
    )) as {
      extversion: string
    }[]
    await server.administer("UPDATE pg_extension SET extversion = '0.8.3' WHERE extname = 'vector'")
    onTestFinished(async () => {
      await server.administer(
        `UPDATE pg_extension SET extversion = '${before?.extversion}' WHERE extname = 'vector'`,
      )
    })
    await refused(['list'], /pgvector 0\.8\.3 can corrupt its indexes: install 0\.8\.4 or newer/)
  })

  test('a role without rights', async () => {
    const role = new URL(address).username
    await server.administer(`REVOKE ALL ON ALL TABLES IN SCHEMA brain FROM ${role}`)
    onTestFinished(async () => {
      await server.administer(
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA brain TO ${role};
         REVOKE INSERT, UPDATE, DELETE ON brain.schema FROM ${role}`,
      )
    })
    await refused(['list'], /refuses this to the user of the brain: run `brain store init`/)
  })

  test('a schema of a newer version', async () => {
    await server.administer('INSERT INTO brain.schema (version, oldest_reader) VALUES (99, 99)')
    onTestFinished(async () => {
      await server.administer('DELETE FROM brain.schema WHERE version = 99')
    })
    await refused(['list'], /a newer brain \(schema 99\) than this version can use: upgrade brain/)
  })

  test('a connection that is lost, to whoever asks a daemon', async () => {
    const own = await startPostgres()
    const url = new URL(own.url)
    const config = { 'store.url': Object.assign(new URL(own.url), { password: '' }).href }
    process.env.PGPASSWORD = url.password
    const daemon = await startTestDaemon({ config })
    expect((await call(daemon, '/v1/remember', { body: { text: 'kept' } })).status).toBe(200)
    await own.close()
    const { status, body } = await call(daemon, '/v1/remember', { body: { text: 'lost' } })
    expect(status).toBe(503)
    // A server that goes on has dropped database and role by then.
    expect((body as { error: string }).error).toMatch(
      /connection|cannot be reached|refuses this user|no such database/,
    )
  })
})

describe('brain store', () => {
  test('init says what it will do, and does nothing without a word', async () => {
    const { username, pathname } = new URL(address)
    const administrator = Object.assign(new URL(process.env.BRAIN_TEST_POSTGRES ?? address), { pathname })
    const at = createPlace({ PGPASSWORD: administrator.password })
    administrator.password = ''
    const role = `${username}_else`
    const words = ['--role', role, '--owner', `${username}_owner`]
    expect(await at.run(['store', 'init', administrator.href, ...words])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^This will\\n {2}create the role ${role}, [^]*\\nbrain: nothing was done: say --yes to do it\\n$`,
        ),
      ),
    })
    expect(await server.administer(`SELECT 1 FROM pg_roles WHERE rolname = '${role}'`)).toEqual([])
    expect(await place().run(['store', 'init', address, '--role', 'a b'])).toMatchObject({
      code: 2,
      stderr: 'brain: --role must be a name of small letters, digits and _\n',
    })
    expect(await place().run(['store', 'init', 'mysql://x/y'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('must be an address such as postgres://user@host/database'),
    })
  })

  test('copy takes a brain there and back, and compares every record', async () => {
    const at = await createBrainPlace({ PGPASSWORD: password })
    for (const text of ['gone', 'one', 'two']) await out(at, 'remember', text, '--tag', 'a')
    await out(at, 'forget', '1', '--yes')
    await out(at, 'edit', '2', 'one, edited')
    await out(at, 'flag', 'mind the gap', '--caution', '0.7')
    await out(at, 'believe', 'it holds')
    await out(at, 'evidence', '1', '--supporting', '--strength', '0.6', '--source', 'log')
    await out(at, 'revise', '1', 'it holds still')
    await out(at, 'predict', 'it rains', '--domain', 'weather')
    await out(at, 'forecast', '1', '0.9')
    await out(at, 'note-about', 'planner', 'late')
    await out(at, '--project', 'other', 'remember', 'elsewhere')
    const key = (await out(at, 'key', 'create', '--name', 'ann')).trim()
    const copied = JSON.parse(await out(at, 'store', 'copy', '.', address, '--json'))
    expect(copied).toMatchObject({
      counts: { memory: 4, version: 1, belief: 2, evidence: 1, prediction: 1, observation: 1 },
      keys: 1,
      resumed: false,
    })
    expect(JSON.parse(await out(at, 'store', 'copy', '.', address, '--json'))).toEqual({
      ...copied,
      resumed: true,
    })
    expect(await out(stored(), 'export', '--all')).toBe(await out(at, 'export', '--all'))
    expect(await out(stored(), 'key', 'list')).toContain(key.slice(6, 14))
    const back = place()
    expect(JSON.parse(await out(back, 'store', 'copy', address, '.', '--json'))).toMatchObject({
      digest: copied.digest,
      counts: copied.counts,
    })
    expect(await out(back, 'export', '--all')).toBe(await out(at, 'export', '--all'))
    await out(at, 'remember', 'later')
    expect(await at.run(['store', 'copy', '.', address])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('copy into an empty one'),
    })
    expect(readFileSync(join(back.directory, '.brain', '.gitignore'), 'utf8')).toBe('*\n')
  })

  test('copy names what is no brain, and one brain given twice', async () => {
    const at = place()
    expect(await at.run(['store', 'copy', 'nowhere', address])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('no brain in'),
    })
    expect(await at.run(['store', 'copy', address, address])).toMatchObject({
      code: 2,
      stderr: 'brain: both are one brain: name two\n',
    })
  })
})

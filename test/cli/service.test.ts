import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createBrainPlace, createPlace } from './command-line.ts'

const systemd = ['--manager', 'systemd']

test('install writes a unit that serves this brain, once, and remove takes it away with its link', async () => {
  const place = await createBrainPlace()
  const installed = await place.run(['service', 'install', ...systemd])
  expect(installed.code).toBe(0)
  const path = /wrote (\S+\.service)/.exec(installed.stdout)?.[1] ?? ''
  expect(dirname(path)).toBe(join(place.directory, 'home', '.config', 'systemd', 'user'))
  expect(readFileSync(path, 'utf8')).toContain(
    `ExecStart="${process.execPath}" "${resolve('bin/brain.js')}" "serve" "--log" "json" "--dir" "${place.directory}"`,
  )
  expect(installed.stdout).toMatch(/systemctl --user enable --now brain-\S+\n/)
  const again = await place.run(['service', 'install', ...systemd, '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ path, changed: false })
  const link = join(dirname(path), 'default.target.wants', path.split('/').at(-1) ?? '')
  mkdirSync(dirname(link))
  writeFileSync(link, '')
  expect((await place.run(['service', 'remove', ...systemd])).stdout).toContain(`removed ${path}`)
  expect([path, link].map((one) => existsSync(one))).toEqual([false, false])
  expect((await place.run(['service', 'remove', ...systemd])).code).toBe(3)
})

test('install --print prints the file and writes nothing', async () => {
  const place = await createBrainPlace()
  for (const manager of ['systemd', 'launchd']) {
    const { code, stdout } = await place.run(['service', 'install', '--print', '--manager', manager])
    expect({ code, names: stdout.includes(place.directory) }).toEqual({ code: 0, names: true })
  }
  expect(existsSync(join(place.directory, 'home', '.config'))).toBe(false)
})

test('a file of the same name that brain did not make stays', async () => {
  const place = await createBrainPlace()
  const { path } = JSON.parse((await place.run(['service', 'install', ...systemd, '--json'])).stdout)
  writeFileSync(path, '[Unit]\n')
  for (const action of ['install', 'remove']) {
    const { code, stderr } = await place.run(['service', action, ...systemd])
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `brain: ${path} was not made by brain: move it away\n`,
    })
  }
  expect(readFileSync(path, 'utf8')).toBe('[Unit]\n')
})

test('odd names of directories reach the daemon as they are', async () => {
  const place = createPlace()
  const odd = join(place.directory, 'a "b" $HOME %n & <c>')
  mkdirSync(odd)
  await place.run(['--dir', odd, 'init', '--yes'])
  const print = async (manager: string): Promise<string> =>
    (await place.run(['--dir', odd, 'service', 'install', '--print', '--manager', manager])).stdout
  expect(await print('systemd')).toContain(`"${place.directory}/a \\"b\\" $$HOME %%n & <c>"`)
  expect(await print('launchd')).toContain(
    `<string>${place.directory}/a "b" $HOME %n &amp; &lt;c&gt;</string>`,
  )
})

test('the service of a database names it, wherever it was named, and no two have one file', async () => {
  const place = await createBrainPlace()
  const path = async (...argv: string[]) => {
    const { code, stdout } = await place.run([...argv, 'service', 'install', ...systemd, '--json'])
    expect(code).toBe(0)
    return String(JSON.parse(stdout).path)
  }
  const address = 'postgres://brain@db.example.org/team'
  const own = await path()
  const team = await path('--store', address, '--project', 'web')
  expect(readFileSync(team, 'utf8')).toContain(
    `"--dir" "${place.directory}" "--project" "web" "--store" "${address}"\n`,
  )
  expect(readFileSync(team, 'utf8')).toContain('Description=brain of postgres:db.example.org:5432/team\n')
  const named = createPlace({ BRAIN_STORE: address })
  for (const manager of ['systemd', 'launchd']) {
    const { stdout } = await named.run(['service', 'install', '--print', '--manager', manager])
    expect(stdout).toContain(address)
  }
  const other = await path('--store', 'postgres://brain@db.example.org/other')
  const personal = await path('--global')
  expect(readFileSync(personal, 'utf8')).toContain('"--log" "json" "--global"\n')
  expect(new Set([own, team, other, personal]).size).toBe(4)
  expect(readFileSync(own, 'utf8')).not.toContain('--store')
  const removed = await place.run(['--store', address, 'service', 'remove', ...systemd])
  expect([removed.code, existsSync(team), existsSync(own)]).toEqual([0, false, true])
})

test('the settings of a database without a directory are named to no service', async () => {
  const place = createPlace()
  const { stdout } = await place.run([
    ...['--store', 'postgres://brain@db.example.org/team'],
    ...['service', 'install', '--print', ...systemd],
  ])
  expect(stdout).toContain('"--log" "json" "--store" "postgres://brain@db.example.org/team"\n')
})

test('an address with a password is written into no service', async () => {
  const place = await createBrainPlace()
  const address = 'postgres://brain:secret@db.example.org/team'
  const { code, stderr } = await place.run(['--store', address, 'service', 'install', ...systemd])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('must hold no password') })
  expect(existsSync(join(place.directory, 'home', '.config', 'systemd'))).toBe(false)
})

test('a path with a control character, of ASCII or not, is refused', async () => {
  const place = createPlace()
  for (const name of ['a\u0007b', 'a\u0085b']) {
    await place.run(['--dir', name, 'init', '--yes'])
    expect(await place.run(['--dir', name, 'service', 'install', ...systemd])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a service cannot name a path with control characters'),
    })
  }
})

const verifies = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!verifies)('systemd finds nothing wrong with the unit', async () => {
  const place = await createBrainPlace()
  const { path } = JSON.parse((await place.run(['service', 'install', ...systemd, '--json'])).stdout)
  const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', path], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: place.directory, XDG_RUNTIME_DIR: place.directory },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('a manager that there is not is refused by name', async () => {
  const place = await createBrainPlace()
  const { code, stderr } = await place.run(['service', 'install', '--manager', 'cron'])
  expect(code).toBe(2)
  expect(stderr).toContain('systemd, launchd')
})

import { expect, test } from 'vitest'
import { baseDirectory, cacheDirectory, homeOf } from '../../src/config/user-directories.ts'

const unknown = (): string => {
  throw new Error('uv_os_homedir returned ENOENT')
}

test('home is what the environment says, then what the system knows, then the root, which is only root’s to write', () => {
  expect(homeOf({ HOME: '/home/ana' }, unknown)).toBe('/home/ana')
  expect(homeOf({ HOME: '' }, () => '/var/lib/ana')).toBe('/var/lib/ana')
  expect(homeOf({}, unknown)).toBe('/')
  // What a project may bring is no home.
  expect(homeOf({ HOME: 'relative' }, () => '/var/lib/ana')).toBe('/var/lib/ana')
  expect(homeOf({ HOME: '' }, () => '')).toBe('/')
})

test('a relative base directory is ignored', () => {
  expect(baseDirectory({ HOME: '/h', XDG_DATA_HOME: 'data' }, 'XDG_DATA_HOME', '.local')).toBe('/h/.local')
  expect(baseDirectory({ HOME: '/h', XDG_DATA_HOME: '/data' }, 'XDG_DATA_HOME', '.local')).toBe('/data')
})

test('the cache is where the platform keeps caches', () => {
  expect(cacheDirectory({ HOME: '/h' })).toBe('/h/.cache/brain')
  expect(cacheDirectory({ HOME: '/h', LOCALAPPDATA: '/local' })).toBe('/local/brain')
  expect(cacheDirectory({ HOME: '/h', LOCALAPPDATA: '/local', XDG_CACHE_HOME: '/cache' })).toBe(
    '/cache/brain',
  )
})

import { afterEach, expect, it, vi } from 'vitest'
import { hostTimeZone } from '../../src/dreams/nightly.ts'

afterEach(() => vi.unstubAllEnvs())

it.each(['', 'UTC', 'Europe/Berlin', 'Foo/Bar'])(
  'has a time zone that days can be told in where TZ is %j',
  (name) => {
    vi.stubEnv('TZ', name)
    expect(() => new Intl.DateTimeFormat('en', { timeZone: hostTimeZone() })).not.toThrow()
  },
)

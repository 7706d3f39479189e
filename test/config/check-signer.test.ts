/** The secret that proves whose a check is: kept outside every brain, for its owner alone. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CheckSigner } from '../../src/config/check-signer.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

const check = { project: 'default', id: 4, command: './test.sh' }

function openPlace() {
  const place = temporaryDirectory()
  const directory = join(place, '.brain')
  mkdirSync(directory)
  const environment = { HOME: join(place, 'home') }
  const file = join(place, 'home', '.local', 'share', 'brain', 'check.key')
  return { place, directory, environment, file, signer: new CheckSigner(environment, directory) }
}

describe('the secret of checks', () => {
  it('is made by the first proof, for its owner alone, whatever the umask', () => {
    const { signer, file } = openPlace()
    expect(signer.verify(check, '0'.repeat(64))).toBe(false)
    expect(existsSync(file)).toBe(false)
    const before = process.umask(0)
    try {
      expect(signer.verify(check, signer.sign(check))).toBe(true)
    } finally {
      process.umask(before)
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  it('stays the same, and is in no proof', () => {
    const { signer, file, environment, directory } = openPlace()
    const proof = signer.sign(check)
    const secret = readFileSync(file, 'utf8')
    expect(new CheckSigner(environment, directory).sign(check)).toBe(proof)
    expect(readFileSync(file, 'utf8')).toBe(secret)
    expect(secret).not.toContain(proof)
  })

  it('is refused once others can read it, it was changed or it is a link', () => {
    const { signer, file } = openPlace()
    const proof = signer.sign(check)
    chmodSync(file, 0o644)
    expect(() => signer.verify(check, proof)).toThrow('Remove it')
    chmodSync(file, 0o600)
    expect(signer.verify(check, proof)).toBe(true)
    writeFileSync(file, 'short')
    expect(() => signer.sign(check)).toThrow('Remove it')
    const other = openPlace()
    mkdirSync(join(other.file, '..'), { recursive: true })
    symlinkSync(file, other.file)
    expect(() => other.signer.sign(check)).toThrow('Remove it')
  })
})

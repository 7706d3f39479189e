/**
 * Proves which checks of predictions this user wrote on this machine. A brain may come with a cloned repository, and a
 * check is a command: it counts as the user's own only with a proof made with a secret stored outside every brain, for
 * this exact brain, project, prediction and command. Knows the secret's file; running checks is done elsewhere.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { BrainError } from '../core/errors.ts'
import { makeDirectories } from '../make-directories.ts'
import { cannotRead, cannotWrite, isFileFault } from './file-faults.ts'
import { dataDirectory, type Environment } from './user-directories.ts'

/** A check and the prediction it belongs to. */
export interface SignedCheck {
  readonly project: string
  /** The prediction's id. */
  readonly id: number
  readonly command: string
}

const secretFile = (environment: Environment): string => join(dataDirectory(environment), 'check.key')

const secretPattern = /^[0-9a-f]{64}$/

/** @throws BrainError `refused` for a secret that is none any more, naming the remedy. */
function readSecret(file: string): string | undefined {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    const others = process.platform === 'win32' ? 0 : found.mode & 0o077
    const secret = found.isFile() && found.size <= 128 ? readFileSync(file, 'latin1').trim() : ''
    if (others === 0 && secretPattern.test(secret)) return secret
  } catch (error) {
    throw isFileFault(error) ? cannotRead(file, error) : error
  }
  throw new BrainError(
    'refused',
    `${file} is not a valid secret: others can read it, or it was changed. Remove it, then trust checks again with \`brain check ID --trust\``,
  )
}

/** Creates the secret; if two processes do, one wins. */
function makeSecret(file: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}.draft`
  try {
    makeDirectories(dirname(file))
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, file)
  } catch (error) {
    if (!(isFileFault(error) && error.code === 'EEXIST')) {
      throw isFileFault(error) ? cannotWrite(file, error) : error
    }
  } finally {
    rmSync(draft, { force: true })
  }
  const secret = readSecret(file)
  if (secret === undefined) throw new BrainError('failed', `cannot write ${file}: it is gone again`)
  return secret
}

export class CheckSigner {
  readonly #file: string
  readonly #directory: string

  /** For the brain in the `.brain` directory `directory`. */
  constructor(environment: Environment, directory: string) {
    this.#file = secretFile(environment)
    this.#directory = realpathSync(directory)
  }

  #proofOf(secret: string, { project, id, command }: SignedCheck): string {
    // A list as JSON: no part can be moved into its neighbour.
    const text = JSON.stringify([this.#directory, project, id, command])
    return createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex')
  }

  /** The proof to store with a check. Creates the secret if there is none. @throws BrainError naming its file. */
  sign(check: SignedCheck): string {
    return this.#proofOf(readSecret(this.#file) ?? makeSecret(this.#file), check)
  }

  /** Whether `proof` was made for exactly this check, in this place, by this user. */
  verify(check: SignedCheck, proof: string | null): boolean {
    const secret = proof === null ? undefined : readSecret(this.#file)
    if (proof === null || secret === undefined || !secretPattern.test(proof)) return false
    return timingSafeEqual(Buffer.from(proof, 'hex'), Buffer.from(this.#proofOf(secret, check), 'hex'))
  }
}

/**
 * Names of agents: the same letters are the same name, composed (NFC) as most write them or decomposed (NFD) as macOS does;
 * and what agents and projects are called that nobody named.
 */

/** The agent of a caller that gives no name. */
export const unnamedAgent = 'default'

/** The project of a brain for which none is named. */
export const defaultProject = 'default'

/** The name as it is kept: without surrounding space, composed. */
export const agentNameOf = (given: string): string => given.trim().normalize('NFC')

/** A kept name as records may spell it: those of earlier versions hold names as they were given. */
export const spellingsOf = (name: string): [composed: string, decomposed: string] => [
  name.normalize('NFC'),
  name.normalize('NFD'),
]

/** The built-in models of earlier releases, by their hashes: vectors of them are replaced by today's without being asked for. */

export const predecessors: readonly string[] = [
  // brain-static-v1, of 0.1.0.
  '8f78727c04b29c64ea5abb1b21ce20cd',
]

/**
 * What brain promises about data, access and the life of its processes, and the tests that would fail if it did not
 * keep its word. docs/durability.md and SECURITY.md say the same at length.
 */

export interface Promised {
  readonly promise: string
  /** Titles by the file that holds them. */
  readonly proofs: Readonly<Record<string, readonly string[]>>
}

export const promises: Readonly<Record<number, Promised>> = {
  1: {
    promise:
      'An acknowledged write is there after any process was killed at any moment, and after power loss.',
    proofs: {
      'test/hostile/model/model.test.ts': [
        'random calls, kills, restarts, copies and changes of keys leave what a model says, to the last record',
      ],
      'test/faults/crash.test.ts': [
        'library processes that write, import and re-embed lose nothing acknowledged and leave nothing half',
        'commands, the daemon and the MCP server lose nothing acknowledged and leave nothing half',
      ],
      'test/faults/every-call.test.ts': [
        'killed in any system call, or failed by it, every command leaves all that was acknowledged, nothing half and a brain that opens',
      ],
      'test/faults/soak.test.ts': [
        'clients, kills, restarts and clocks set forward and back lose nothing acknowledged and date nothing wrong',
      ],
      'test/faults/ledger.test.ts': ['an acknowledged text that is not there is lost'],
      'test/store/durability.test.ts': ['is on the disk before it is acknowledged'],
    },
  },
  2: {
    promise: 'Row, keyword entry and vector commit together; no operation leaves a half.',
    proofs: {
      'test/store/memories.test.ts': [
        'are added all or none',
        'added at once all arrive, a refused one among them alone left out',
      ],
      'test/store/commits.test.ts': [
        'that is refused in the making leaves no project, index or model behind',
      ],
      'test/faults/crash.test.ts': [
        'library processes that write, import and re-embed lose nothing acknowledged and leave nothing half',
      ],
    },
  },
  3: {
    promise: 'Any number of processes work on one brain at once; who waits in vain is told who may hold it.',
    proofs: {
      'test/store/opening.test.ts': [
        'waits for who holds the whole file for a moment, as the last one to close it does',
      ],
      'test/faults/contention.test.ts': [
        'library processes, shells and a daemon with its clients write at once: no lock error, nothing lost',
      ],
      'test/store/commits.test.ts': [
        'is refused after the busy timeout, with the name of who may hold the lock; reads go on',
        'of one process is seen by another, through new projects, new models and models dropped',
      ],
      'test/http/limits.test.ts': ['a store that stays locked is a 503 with a time to try again'],
      'test/e2e/parallel.test.ts': ['1,000 observations of one belief: the exact sum and count'],
    },
  },
  4: {
    promise: 'A release of SQLite that can corrupt a log is refused.',
    proofs: {
      'test/store/opening.test.ts': ['refuses SQLite %s, which can corrupt a log', 'accepts SQLite %s'],
    },
  },
  5: {
    promise:
      'What is no brain, newer or damaged is refused in one sentence and left byte for byte as it was.',
    proofs: {
      'test/store/opening.test.ts': [
        'refuses %s in one sentence and leaves it as it was',
        'refuses a newer schema that stands in the log alone, and leaves file and log as they were',
        'finds damage inside the file after an unclean stop, and leaves it as it was',
      ],
      'test/faults/files.test.ts': ['on a brain that %s ends with 5 and one sentence'],
    },
  },
  6: {
    promise:
      'Migrations run once, under a lock, in one transaction, with a copy made first; killed, they leave old or new.',
    proofs: {
      'test/store/upgrading.test.ts': [
        'brings an older brain up to date once, with a copy of it made first',
        'that fails leaves the old schema and every record',
      ],
      'test/store/released-schemas.test.ts': [
        'reads as it did when it was made, is sound, and takes new notes',
        'comes to have the schema of a new brain',
      ],
      'test/faults/upgrade.test.ts': [
        'leaves the old schema or the new one, every record, and a copy made before',
      ],
    },
  },
  7: {
    promise: 'A brain deleted or replaced under a running process takes no further write.',
    proofs: {
      'test/store/unwritable.test.ts': [
        '%s takes no further write; reads go on',
        'takes no further write either after its directory was left alone for a while',
        'takes no further write when another brain stands in its place, and does that one no harm',
      ],
      'test/faults/files.test.ts': [
        'whose brain is %s acknowledges no further write, answers reads, and stops cleanly',
      ],
    },
  },
  8: {
    promise: 'Full, read-only or failing disk: a clear error, reads go on, writes too once there is room.',
    proofs: {
      'test/store/commits.test.ts': [
        'that meets a full disk acknowledges nothing it did not keep; reads go on, and writes once there is room',
        'of a full disk is refused to a process that opens it then, which can read all the same',
      ],
      'test/store/unwritable.test.ts': [
        'is read, in a directory and a file that are read-only; a write says so',
        'that may not be read at all is refused',
      ],
    },
  },
  9: {
    promise:
      'A backup is a consistent copy while others write; doctor finds what is wrong and mends what it can.',
    proofs: {
      'test/store/backup.test.ts': [
        'holds what the brain held at one moment, while others write',
        'is a brain: put in the place of a lost one, it is opened',
      ],
      'test/store/maintenance.test.ts': [
        'finds nothing wrong with a brain in use',
        'finds that %s; a repair mends it and loses no text',
      ],
      'test/cli/doctor.test.ts': ['says what --fix can mend, and mends it'],
      'test/faults/crash.test.ts': [
        'an import, a re-embedding and a backup of the command line are killed without a trace or gone on with',
      ],
    },
  },
  10: {
    promise:
      'Vectors are finite, not zero, of the right dimension and compared within one model; rows without are healed.',
    proofs: {
      'test/faults/embedder.test.ts': [
        'an endpoint that fails costs one warning and vectors that come later, never an answer or a memory',
        'a built-in model that is missing, cut, noise or another one costs no more than that',
        "a model's process and a move to another model are killed and started again; no process is left behind",
      ],
      'test/store/memories.test.ts': [
        'with a vector that is %s are refused',
        'with a vector of another dimension are refused',
      ],
      'test/store/index.test.ts': [
        'never compares with vectors of another model',
        'heals what waits, once, and leaves out what was forgotten meanwhile',
      ],
      'test/sleep/backfill.test.ts': [
        'every memory without a vector gets one, in batches, and is then found by meaning',
      ],
    },
  },
  11: {
    promise:
      'Export, import and export again is the same to the byte; import is atomic and names a wrong line.',
    proofs: {
      'test/transfer/export.test.ts': [
        'imported into an empty brain and exported again is the same to the byte',
      ],
      'test/transfer/import.test.ts': ['a wrong line is named and nothing is changed'],
      'test/cli/transfer.test.ts': ['killed at any moment takes nothing in, and goes on the next time'],
    },
  },
  12: {
    promise: 'Forgetting leaves no byte of the text: not in rows, log, keyword index or vectors.',
    proofs: {
      'test/store/forgetting.test.ts': [
        'leaves no byte of text, words, word beginnings or vectors, while others have the brain open',
        'waits for others to leave the log, and says so when they do not',
      ],
      'test/store/forgotten-beside.test.ts': [
        'a copy that a restoration kept forgets it too, keeps the rest, and that is said',
      ],
      'test/store/forgotten-pieces.test.ts': ['no piece of a forgotten text is left among %s flags'],
    },
  },
  13: {
    promise: 'Loopback unless told otherwise; elsewhere TLS, or a flag and a warning.',
    proofs: {
      'test/http/serve.test.ts': [
        'an address other machines can reach is refused without TLS, unless that is accepted',
        'with a certificate the daemon speaks HTTPS, and answers by the same rules',
      ],
    },
  },
  14: {
    promise: 'Every route wants a key, and the key alone says whose records they are; sums and verdicts too.',
    proofs: {
      'test/hostile/model/model.test.ts': [
        'random calls, kills, restarts, copies and changes of keys leave what a model says, to the last record',
      ],
      'test/http/auth.test.ts': [
        'every endpoint of /v1 but the OpenAPI document wants a key',
        'a key sees its own project and no other',
      ],
      'test/e2e/isolation.test.ts': [
        'is refused by every operation that takes an id, in words that name the id',
        'sees the same lists, sums and verdicts whether the first project is empty or full',
      ],
      'test/hostile/isolation.test.ts': [
        'what a project reads is the same whether its neighbour is empty or full',
      ],
    },
  },
  15: {
    promise: 'Host and Origin are checked before anything else; no CORS header unless an origin was allowed.',
    proofs: {
      'test/http/guard.test.ts': [
        'any other name is refused before path and key are looked at',
        'a second Host is refused, even when both are ours',
        'a target in absolute form is judged by its own host as well',
        'any origin is refused unless it was allowed, and no answer carries a CORS header',
        'a wildcard or a page cannot be allowed, only an origin',
      ],
      'test/hostile/browser.test.ts': [
        'what a browser sends for a page of another origin is refused, way by way',
      ],
    },
  },
  16: {
    promise: 'POST takes JSON alone; HEAD and OPTIONS change nothing.',
    proofs: {
      'test/hostile/catalogue.test.ts': [
        'each is refused with its sentence, as JSON, under a request id, and changes nothing',
      ],
      'test/http/guard.test.ts': ['a preflight is answered for an allowed origin only, and does nothing'],
    },
  },
  17: {
    promise:
      'Keys: 190 bits and more, a checksum, hashed at rest, shown once, in a header alone; revoked at once everywhere.',
    proofs: {
      'test/hostile/model/model.test.ts': [
        'random calls, kills, restarts, copies and changes of keys leave what a model says, to the last record',
      ],
      'test/config/keys.test.ts': [
        'a key has a typed prefix, eight public characters and thirty-eight more',
        'the store holds the hash of the secret and no part of it',
        'any single changed character of a key is told by its checksum',
        'rotation without grace ends the old key at once',
      ],
      'test/http/auth.test.ts': [
        'a doubled key header is refused, whatever the two say',
        'a key in the URL, in the body or as a bearer token opens nothing',
        'a key revoked by another process opens nothing from the next request on',
      ],
      'test/transfer/export.test.ts': ['of all projects keeps every record with its project, and no key'],
    },
  },
  18: {
    promise: 'Every refusal is an object with an error, without stack, SQL or paths.',
    proofs: {
      'test/hostile/catalogue.test.ts': [
        'each is refused with its sentence, as JSON, under a request id, and changes nothing',
      ],
      'test/http/limits.test.ts': [
        'a fault of ours says nothing outside, and everything in the log under the request id',
        'a client that dawdles over its headers or its body is told so, in JSON',
      ],
    },
  },
  19: {
    promise: 'Bounds before work: bodies, members, headers, times, sockets, query terms.',
    proofs: {
      'test/http/limits.test.ts': [
        'a body of exactly 1 MiB is read',
        'a client that dawdles over its headers or its body is told so, in JSON',
      ],
      'test/store/index.test.ts': ['answers more terms than a query may have'],
      'test/mcp/stdio.test.ts': ['a line over 1 MiB is refused without being kept'],
      'test/operations/recall.test.ts': ['a query of thousands of words is answered'],
    },
  },
  20: {
    promise: 'What is stored is what was sent; ill-formed text and numbers are refused, nothing is coerced.',
    proofs: {
      'test/hostile/properties.test.ts': [
        'a text comes back through HTTP as it was sent, to the last code point',
        'a text comes back through MCP as it was sent',
        'a text comes back through the command line as it was sent',
      ],
      'test/parity.test.ts': [
        'what only JSON can spell is refused in the same words wherever JSON is spoken',
      ],
    },
  },
  21: {
    promise: 'Directories 0700, files 0600, sidecars and copies included, whatever the umask.',
    proofs: {
      'test/store/opening.test.ts': ['makes a brain whole, for its owner only, whatever the umask'],
      'test/cli/init.test.ts': [
        'makes a brain that is its owner’s alone and invisible to git, whatever the umask',
      ],
      'test/store/maintenance.test.ts': ['finds files that others may read, and closes them'],
      'test/cli/transfer.test.ts': ['writes a file that is whole and its owner’s alone'],
    },
  },
  22: {
    promise: 'Memories are data: never executed, fetched or shown to a terminal as commands.',
    proofs: {
      'test/cli/frame.test.ts': ['control bytes of a text are shown, not sent'],
      'test/cli/judgement.test.ts': ['cannot move the cursor of whoever reads them'],
      'test/faults/network.test.ts': ['a daemon that is asked for everything reaches for no other machine'],
    },
  },
  23: {
    promise:
      "Settings that came with a repository name no endpoint, program or path, and another user's brain is not used, until they are trusted.",
    proofs: {
      'test/config/ownership.test.ts': [
        'is refused to brain %s in a sentence that says whose it is and what to do',
        'is used when it is named, by option or environment',
        'uses the brain of who called sudo, and of nobody else',
      ],
      'test/config/load.test.ts': [
        'name no endpoint, secret or address until they are trusted; one warning names the remedy',
        'are not trusted through a copy elsewhere',
        'does not follow a link that a cloned repository brought',
      ],
      'test/hostile/enormous.test.ts': [
        'whose schema has more entries than any brain makes is refused before SQLite reads it',
        'is looked at anew when a pull puts another one into its place',
      ],
      'test/hostile/clone.test.ts': [
        'cannot delete a file by a journal of %s',
        'brings no log with it, until its user says so',
        'with %s runs none of it',
        'that is a link to another project in the place of %s gives out nothing of it',
        'holds no command up by a pipe in the place of %s',
        'does not take in a log that a pull brought',
        'cannot have files of the user removed by an agent’s hooks',
      ],
      'test/hostile/clone-drill.test.ts': [
        'whatever a repository carries as its brain, commands end in words and touch nothing outside',
      ],
    },
  },
  24: {
    promise: 'Nothing reaches for another machine unless an endpoint or a download was asked for.',
    proofs: {
      'test/faults/network.test.ts': [
        'commands of every kind reach for no other machine',
        'a daemon that is asked for everything reaches for no other machine',
        'the watch itself sees what a program reaches for',
      ],
    },
  },
  25: {
    promise:
      'SIGTERM and SIGINT end a daemon with 0 within five seconds, its work done; a second one ends it at once.',
    proofs: {
      'test/http/life.test.ts': [
        'idle connections do not hold the daemon up',
        'a request that never ends is given up, and the exit code is still 0',
        'a second signal ends the process at once',
      ],
      'test/faults/load.test.ts': [
        'a daemon stopped under load ends with 0 within five seconds and keeps what it acknowledged',
      ],
    },
  },
  26: {
    promise: 'The MCP server ends with its client and writes nothing but JSON-RPC.',
    proofs: {
      'test/mcp/stdio.test.ts': [
        'the process ends when its client is killed',
        'every request that came before the end of input has its answer, and nothing else is on standard output',
        'a client that asks and does not read is read no further, and has every answer once it reads',
        'SIGTERM ends a process whose client asks and does not read',
      ],
      'test/hostile/mcp-drill.test.ts': [
        'whatever a client sends, the server lives, says nothing but JSON-RPC, and answers each request once',
      ],
    },
  },
  27: {
    promise: 'A reader that goes away ends a command quietly; long output is never cut.',
    proofs: {
      'test/cli/process.test.ts': [
        'output above 64 KiB arrives whole through a pipe',
        'a reader that goes away ends it quietly',
      ],
    },
  },
  28: {
    promise: 'An error nobody caught is logged and ends the process; nothing is acknowledged after it.',
    proofs: { 'test/http/life.test.ts': ['an error nobody caught is logged and ends the process with 1'] },
  },
  29: {
    promise: 'No request holds the event loop for more than 100 ms.',
    proofs: {
      'test/faults/blocking.test.ts': [
        'no request keeps the others waiting for more than 100 milliseconds of work',
      ],
    },
  },
}

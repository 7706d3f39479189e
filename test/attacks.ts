/**
 * What attacks on version 0.1.0 broke, each with the tests that fail where it can be done again. SECURITY.md and
 * docs/durability.md say what is promised instead.
 */
import type { Promised } from './promises.ts'

const clone = 'test/hostile/clone.test.ts'
const everyCall = {
  'test/faults/every-call.test.ts': [
    'killed in any system call, or failed by it, every command leaves all that was acknowledged, nothing half and a brain that opens',
  ],
}

export const attacks: Readonly<Record<string, Promised['proofs']>> = {
  'A journal in a clone names a file that SQLite then deletes': {
    [clone]: ['cannot delete a file by a journal of %s'],
    'test/hostile/clone-drill.test.ts': [
      'whatever a repository carries as its brain, commands end in words and touch nothing outside',
    ],
  },
  'A clone brings a log, a link, a pipe, a socket or a device, or files that others can write': {
    [clone]: [
      'brings no log with it, until its user says so',
      'does not take in a log that a pull brought',
      'that is a link to another project in the place of %s gives out nothing of it',
      'holds no command up by a pipe in the place of %s',
      'holds no command up by a socket',
      'reads and writes no device in the place of %s',
      'whose files others can write is refused, until they cannot',
      'with a log of another user in it is refused',
    ],
    'test/cli/doctor-security.test.ts': [
      'finds nothing wrong with a brain as it was made, and says what it looked at',
    ],
  },
  'The file is swapped between the look at it and its opening': {
    'test/store/opening.test.ts': [
      'refuses %s that takes the place of the file between the look and the opening',
    ],
    'test/store/tally-file.test.ts': ['is not written through a link that appears while the brain is open'],
  },
  'A schema runs a view, a trigger, an index or a virtual table of a stranger': {
    [clone]: ['with %s runs none of it'],
    'test/store/opening.test.ts': [
      'distrusts the schema and the pages of %s, and writes no table of its own by hand',
    ],
    'test/transfer/formats.test.ts': ['runs no view, trigger or computed column'],
  },
  'A database is of endless rows, values, entries or pages': {
    [clone]: ['with %s is refused before it is read'],
    'test/hostile/enormous.test.ts': [
      'with more %s than any brings is refused, and taken once its user says that it is theirs',
      'whose schema has more entries than any brain makes is refused before SQLite reads it',
      'that is larger than any may be is refused for its size alone',
      'whose schema is a page that leads to itself is damaged, and read once',
    ],
  },
  'Pieces of a forgotten text are left in pages, logs, copies, snapshots and vectors': {
    'test/store/forgotten-pieces.test.ts': ['no piece of a forgotten text is left among %s flags'],
    'test/store/forgotten-beside.test.ts': [
      'a copy that a restoration kept forgets it too, keeps the rest, and that is said',
      'a log kept aside and an import that was interrupted go where they hold it, and stay where they do not',
    ],
    'test/store/snapshots.test.ts': [
      'does not outlive what was forgotten, nor does what version 0.1.0 had instead, or a draft',
    ],
    ...everyCall,
  },
  'A reindex that is killed leaves the vectors of what is forgotten': {
    'test/store/forgetting.test.ts': ['leaves no vector of a model whose removal was cut off'],
    'test/sleep/reindex.test.ts': [
      'what a run left behind that was ended after the switch is cleared by the next',
    ],
    ...everyCall,
  },
  'Forgetting says that nothing was written where it was': {
    'test/store/forgetting.test.ts': [
      'says that the text is gone from the records where the disk fails afterwards',
      'that was cut off before the pages were written anew is finished by whoever opens the brain next',
    ],
    'test/http/limits.test.ts': [
      'what is forgotten although traces are left is not answered as if it were not, and names no path',
    ],
    ...everyCall,
  },
  'The file or its log is written into under a daemon': {
    'test/store/rewritten.test.ts': [
      'is opened anew when a backup is copied over its file, and the backup is what is there then',
      'does a backup no harm that is copied over its file before it is closed',
      'takes no write when its log is %s',
      'takes no write when its file is cut short',
      'is not taken for rewritten by what its own processes do',
    ],
    'test/faults/files.test.ts': [
      'whose file a backup was copied over acknowledges nothing into it, says so, and goes on with the backup',
    ],
  },
  'A backup is moved into place beside the log of the brain before, which is then replayed into it': {
    'test/cli/restore.test.ts': [
      '%s there beside the log of the one before is what is read; the log is kept aside',
      'puts a backup in the place of the brain, and keeps the brain that was there',
    ],
    ...everyCall,
  },
  'Damaged vectors, keyword indexes, word pieces, snapshots and counts answer wrongly, or end doctor and reindex':
    {
      'test/store/damaged-derived.test.ts': [
        'of %s gives no answer that is not true',
        'a word that is listed for a flag which has it not is told of none',
      ],
      'test/store/maintenance.test.ts': ['finds that %s; a repair mends it and loses no text'],
      'test/store/snapshots.test.ts': [
        'may be %s: everything is found, doctor tells, and it is made again',
        'is where single vectors are read when several are compared, the others and damaged ones where vec0 has them',
      ],
      'test/cli/start.test.ts': ['garbled at any byte is not taken, and replaced'],
    },
  'Damage deep in the file is an unexpected error': {
    'test/faults/damaged-pages.test.ts': ['no command is surprised by a page that is %s'],
    'test/hostile/extremes.test.ts': ['with every %s at %s no command meets an unexpected error'],
  },
  'A text of 64 KB holds the event loop': {
    'test/faults/blocking.test.ts': [
      'no request keeps the others waiting for more than 100 milliseconds of work',
    ],
  },
  'Headers sent by half, and answers that nobody reads, shut everyone out or fill the memory': {
    'test/http/limits.test.ts': [
      'thousands of half-sent headers shut nobody out, and cut off nobody who has shown a key',
      'whoever asks for much and reads nothing is cut off, before what waits for them grows',
    ],
    'test/http/connection-limiter.test.ts': [
      'one address on the network takes a quarter of the places, and then the place of its own longest idle',
      'many addresses take no place of those who have shown a key, nor of those who wait for an answer',
    ],
    'test/mcp/stdio.test.ts': [
      'a client that asks and does not read is read no further, and has every answer once it reads',
    ],
  },
  'Stored text moves the cursor, turns the direction of writing or hides on a terminal': {
    'test/hostile/terminal.test.ts': [
      'no command sends characters of a stored text to a terminal that do something there',
    ],
    'test/cli/frame.test.ts': ['characters of %s are shown, wherever a text is'],
    'test/cli/judgement.test.ts': ['cannot move the cursor of whoever reads them'],
  },
  'The first key goes into a log; a picture and a draft are open to all, or written through a link': {
    'test/cli/outputs.test.ts': [
      'writes its first key into no log, but into the file asked for',
      'that can give its first key to nobody ends, and says why in one sentence',
      'is written for its owner alone, and through no link',
      'sweeps the drafts that killed ones left in the clear',
    ],
  },
  'Ids of keys are told apart by the time that a refusal takes': {
    'test/store/keys.test.ts': ['a key that nobody has costs the same reading as one that somebody has'],
    'test/http/auth.test.ts': ['missing, mistyped, unknown, revoked and expired keys cannot be told apart'],
  },
  'A clock set forward ends nights for good, or makes the living count as lost with the machine': {
    'test/store/dreams.test.ts': ['are due although a night was claimed by a clock that ran ahead'],
    'test/store/activity.test.ts': ['counted by a clock that ran ahead are none'],
    'test/store/presence.test.ts': ['that the clock was set for is neither gone nor lost with the machine'],
    'test/faults/soak.test.ts': [
      'clients, kills, restarts and clocks set forward and back lose nothing acknowledged and date nothing wrong',
    ],
  },
  'Files beside the brain that are not ours, or not to be read, end forget and doctor': {
    [clone]: ['forgets and is looked over although files beside it are of other users or not to be read'],
  },
  'A pipe, a socket or a device that is named to a command holds it up': {
    'test/cli/named-files.test.ts': ['and a folder is read past those in it'],
    'test/cli/outputs.test.ts': ['holds no command up by a pipe that nobody reads'],
  },
  'Targets of other schemes are a fault of ours': {
    'test/http/guard.test.ts': ['a target of the form %s is no fault of ours: %i'],
  },
  'A killed night keeps a part': {
    'test/dreams/processes.test.ts': ['are kept by no night that was killed'],
    ...everyCall,
  },
  'A killed rotation revokes a key before its successor is shown': {
    'test/config/keys.test.ts': [
      'the old key opens until the new one was shown, so that whoever is cut off has one',
    ],
    ...everyCall,
  },
  'SIGHUP ends a daemon uncleanly, SIGUSR1 opens the inspector, brain mcp outlives its parent': {
    'test/cli/outputs.test.ts': [
      'stops cleanly when its terminal goes, and opens no inspector when asked to',
      'opens no inspector when asked to',
      'ends when its parent goes, though its input stays open',
    ],
  },
  'An import of long texts takes the memory': {
    'test/faults/import-memory.test.ts': [
      'an import of %s stays below its bound',
      'an import of a history of long messages stays below its bound',
    ],
  },
  'A release cannot be checked, or runs a script where it is installed': {
    'test/package/sbom.test.ts': [
      'the list of parts has what npm installs, what is bundled, SQLite and the models, and no tool of ours',
      'checksums are such as sha256sum checks',
      'nothing that npm installs with brain has a script of its own',
    ],
    'test/package/tarball.test.ts': ['nothing that it brings has a script to run at installation'],
  },
}

/**
 * What is asked of `brain` inside an agent's session, sentence by sentence, each with the tests that hold it.
 * docs/agents.md says it to users.
 */
import type { Promised } from './promises.ts'

const prime = 'test/operations/prime.test.ts'
const hooks = 'test/agents/hooks.test.ts'
const dialects = 'test/agents/dialects.test.ts'
const session = 'test/agents/session.test.ts'
const capture = 'test/agents/capture.test.ts'
const secrets = 'test/agents/secrets.test.ts'
const setup = 'test/agents/setup.test.ts'
const personal = 'test/agents/personal.test.ts'
const worktree = 'test/config/worktree.test.ts'
const tools = 'test/mcp/tools.test.ts'
const ordinary = 'test/operations/ordinary-steps.test.ts'

export const agentsLoop: Readonly<Record<string, Promised['proofs']>> = {
  'prime: one block, of at most its tokens, 2,000 at most': {
    [prime]: [
      'never takes more than its tokens, whatever the script, and says what it leaves out',
      'takes 2,000 tokens at most',
    ],
  },
  'prime: the work at hand is what git says; without git the newest notes stand in': {
    'test/agents/git.test.ts': [
      'the work at hand is the branch, the last three commits that are not on the default branch, and what is changed',
      'on the default branch without a change there is no work to describe, and outside a repository none at all',
    ],
    [prime]: ['lists open ends before memories, and the newest last'],
  },
  'prime: in order, each only if there is something': {
    [prime]: [
      'of an empty brain is empty',
      'lists open ends before memories, and the newest last',
      'tells of predictions that are late or due within three days, and of no other',
      'a belief is told for 14 days after its last evidence',
      'tells of every warning near the work, the nearest first',
      'of unread dreams two are told, and how many more there are',
      'pinned memories come first, and a text is cut at a word within 240 characters, with its labels before it',
      'tells a commit near the work without its files, and none as what was remembered last',
    ],
  },
  'prime: a line has kind, id, date, labels and at most 240 characters of text': {
    [prime]: [
      'pinned memories come first, and a text is cut at a word within 240 characters, with its labels before it',
    ],
    'test/operations/citations.test.ts': [
      'a changed place makes its records stale wherever they are answered, and no other; the ranking stays',
    ],
  },
  'prime: the same brain, work and clock give the same block; no dream is read by it': {
    [prime]: ['is the same for the same brain, work and clock, and reads no dream'],
  },
  'prime over HTTP, as a prompt and a resource of MCP': {
    [tools]: ['prompts and resources give what operations answer'],
    'test/parity.test.ts': ['every operation has samples, and every sample an operation'],
  },
  'hook: whatever goes wrong, the session goes on, and the log, which is bounded, has a line': {
    [hooks]: [
      'of a brain that cannot be opened, which leaves one line in the log',
      'whose log stays small',
      'by a call that it does not understand',
    ],
  },
  'hook: at the start of a session, and again after a compaction, prime': {
    [hooks]: [
      'tells %s what is known, in the envelope that it reads',
      'tells Cursor in its own form',
      'after a compaction of %s gets the start of the session again from the mark of %s',
      'after a start from %s under the same name brings what was shown before: %s',
    ],
    [session]: ['is told again after a compaction what it has lost, and not what its own summary says'],
  },
  'hook: with a prompt up to three memories in 400 tokens; nothing for a few words, nothing twice': {
    [hooks]: [
      'brings three memories at most, in 400 tokens',
      'brings what is known of it, once a session',
      'does not bring what the start of the session told',
      'of two words brings nothing',
      '%s is looked for as any other',
    ],
  },
  'hook: before a tool the gate; danger as gate.danger says, caution to the model, clear is silent': {
    [hooks]: [
      'by itself asks, and only tells the model where that is set',
      'of %s (%s) can %s',
      'says once a session what is only near, and names files as the project does',
      'judges what a long command does, and not what it says',
      'lets pass what no warning is about, and what only looks',
    ],
    [dialects]: [
      'a call of %s is left alone',
      'a call of %s is judged',
      'the command %s only looks',
      'the command %s is judged',
      'of a patch the files that it changes are judged, and not what it writes into them',
    ],
    [session]: [
      'a danger stops a push in every dialect where it is to be asked, and in none where it is told',
    ],
  },
  'hook: after a failed tool what is known of its error': {
    [hooks]: [
      'of an agent that does not say what failed, what opens as an error is looked up, and no fix is made of it',
    ],
    [dialects]: [
      'is told by an event of its own, a code, or an error',
      'is not guessed where the agent does not say',
    ],
    [capture]: ['the telling line of an output is its error'],
  },
  'hook: every dialect against what its agent publishes, and recorded sessions too': {
    [dialects]: [
      'every event that is answered is in the list of what its agent takes',
      '%s takes what we say at %s, whatever that is',
      'context is said wherever an agent takes it',
      'no context is longer than its agent takes',
    ],
    [hooks]: ['gives Codex no member that it would refuse'],
    [session]: [
      'what %s sends here is what it says that it sends, at every event that is answered',
      'is told what it lacks, each once, and nothing that only looks or is our own is judged',
      'a session of %s is told each thing once, and keeps no secret',
      'what Cursor finds in Claude Code’s settings says nothing there a second time',
    ],
  },
  'capture: lines that say so; of a person "Never" and "Do not" become flags': {
    [capture]: [
      'are found in their Markdown forms',
      'are single sentences of a longer line, too',
      'become flags where a person forbids something, and not where an agent does',
      'are not questions, quotations, code, pleasantries or private',
    ],
    [hooks]: ['that forbids something becomes a flag, and what is private stays out'],
  },
  'capture: a summary by its sections, commits, and what made a failing command pass': {
    [capture]: [
      'a summary is kept by its sections',
      'no note is longer than 2,000 characters',
      'a commit is kept with its reason and files, without its trailers',
      'a fix is kept with what made it pass, and not where nothing changed',
    ],
    [hooks]: [
      'commits made since it began, with their files',
      'what made a failing command pass',
      'commands that ran between a failure and the pass are told, and files by their names in the project',
    ],
  },
  'capture: each by a setting, with where it came from, and nothing that is known already': {
    [hooks]: [
      'nothing, where it is switched off',
      'the last message’s decisions, once',
      'says by whom, in which session, on which branch and commit it came',
      'what a hook keeps says by which agent, in which session, on which branch and commit',
    ],
  },
  'capture: secrets are kept out, 25 kinds and as many harmless look-alikes': {
    [secrets]: [
      'a $kind is taken out',
      'stays: %s',
      'the list has at least 25 kinds',
      'of several secrets in one text none stays',
    ],
    [session]: ['nothing that a session leaves on the disk holds a secret'],
  },
  'a deliberate note is kept as given, with a warning': {
    [secrets]: ['what a person deliberately gives is kept as given, with a warning on standard error'],
  },
  'setup: a diff, a question, files kept byte for byte, twice the same, taken out again': {
    [setup]: [
      '%s in the %s: a second time changes nothing, and removing restores',
      '%s in the %s keeps what people wrote byte for byte',
      'a block that a person edited is refused and left as it is',
      'does not write through a link',
      'an older path of this program is brought up to date, not added again',
      'brain setup shows a change, and writes it only when told',
    ],
  },
  'setup --check --live plants a word': {
    [setup]: [
      'plants a word that the start of a session tells the model, and says whether it was told',
      'plants nothing where the agent is not connected, and is no way to connect it',
    ],
  },
  'the plugin and the extension come from the same source; init names the agents': {
    'test/docs/generated.test.ts': [
      'the reference pages, openapi.json and NOTICE are what `npm run generate` makes',
    ],
    [setup]: [
      'the skill of the plugin has a heading that YAML reads',
      'brain init names the agents that are used here, and what connects them',
    ],
  },
  'a linked worktree uses the brain of the main one': {
    [worktree]: [
      'a linked worktree uses the brain of the main one, from any of its directories',
      'a brain of the worktree itself comes first',
      'a .git file that the repository does not know leads nowhere',
    ],
    'test/config/checkout.test.ts': ['a linked worktree has a branch of its own'],
  },
  '--global is the person’s own, read beside the project’s': {
    [personal]: [
      'the person’s own brain is made by its first use, private, in the data directory',
      'prime reads both, and says which line is from which',
      'a prompt finds what is in both, each once a session',
    ],
  },
  'MCP: sixteen tools within 3,000 tokens, which say when to call them; with --tools all the rest': {
    [tools]: [
      'exactly the sixteen tools of the specification are listed, readable in one context',
      'a tool says when to call it, and whether it reads',
      'tools that change nothing say so; recall_dreams, which marks, does not',
      'a record is read whole by its address, and no other kind of address is',
    ],
    'test/mcp/stdio.test.ts': [
      'with --tools all a record can be listed, shown, edited and forgotten, and beliefs have their ids',
    ],
  },
  'MCP: revision 2026-07-28 beside the older ones; the daemon’s own origin with a valid key': {
    [tools]: ['the revision without sessions needs no greeting, over HTTP: each request stands by itself'],
    'test/http/guard.test.ts': [
      'is let in with a valid key, as clients of the protocol send it',
      'opens nothing without one, and no page elsewhere is taken for it',
    ],
  },
  'the hook before a push refuses no ordinary subject': {
    [ordinary]: ['never refuses the ordinary subject "%s"', 'refuses a force push to main all the same'],
  },
}

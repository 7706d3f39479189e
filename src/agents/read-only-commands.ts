/**
 * Tools and commands that only look: nothing they do can come under a warning, or mend anything. Knows names and the
 * syntax of a shell; when in doubt a command does more.
 */
import { stepsOf } from '../core/shell.ts'
import type { ToolUse } from './hooks/dialect.ts'

/** Our own operations: another server's name may begin like ours. */
const ours =
  '(?:amend|assess|assess_feedback|beliefs|believe|calibration|dream_feedback|duplicates|evidence|evidence_for|evidence_from|expire|flag|forecast|forget|list|note_about|outside_views|overview|pin|predict|predictions|predictions_open|prime|recall|recall_calibration|recall_dreams|recall_feedback|remember|reopen|resolve|revise|show|state|tag|unpin|untag|verify)'

/** Tools that look, and our own, which are asked on purpose. */
const tools = new RegExp(
  `^(?:Read|Glob|Grep|LS|List|Search|WebSearch|WebFetch|read_file|list_directory|glob|search_file_content|mcp(?:__(?:plugin_brain_)?brain__|_brain_)${ours})$`,
)

/** Commands that look, but for the options below. */
const commands =
  /^(?:cat|cd|column|cut|date|df|diff|dirname|basename|du|echo|file|find|grep|egrep|head|jq|ls|nl|ps|pwd|realpath|rg|sort|stat|tail|tr|true|uname|uniq(?: -\w+)*(?= *$)|wc|which|whoami|sed -n [\d,$]+p(?= *$| [^-$\u0001][^ ]*(?: [^-][^ ]*)* *$)|git (?:blame|diff|log|ls-files|rev-parse|show|status|branch(?: -[avr]+| --show-current)?(?= *$))|docker (?:images|logs|ps)|kubectl (?:describe|get|logs))(?: |$)/

/** Characters of a command; a longer one is taken to do more. */
const maxCommand = 1_000
/** What stands for a quoted text or character. */
const data = '\u0001'
/**
 * With these they write, or run something else. What the shell puts in the place of a name may be such an option, and so may data
 * that is part of one or begins a word. Long options may be cut short.
 */
const doesMore =
  /[`'"<>&{}]|\$(?<!^sed -n [\d,]*\$)|^(?:sort|tree) .*-\w*o|^(?:sort|rg) .*--(?:comp|pre|hostname)|^date (?:.*-\w*s|\d)|^file .*(?:-\w*C|--c)| --?(?:out|ext-diff|delete|fls|fprint\w*|exec|execdir|ok|okdir)\b| --?out| -[^ =]*\u0001|\u0001[^\s/]/

/** Output that is thrown away, or joined with the other one. */
const harmlessRedirection = /\s*[12&]?>(?:&[12]|\s*\/dev\/null)(?=[\s;|&)]|$)/g

/**
 * A quoted text is data to the commands above unless it is an option; in double quotes the shell runs what stands in
 * `$()` or backticks.
 */
const withoutQuotations = (command: string): string =>
  command.replace(/\\[^\n]|'[^'\n]*'|"(?:[^"\\`$\n]|\\[^\n]|\$(?!\())*"/g, (quoted) =>
    /^.(?:[\d,$]+p.$|-)/.test(quoted) ? quoted.replace(/^.|['"]$/g, '') : data,
  )

function commandLooks(command: string): boolean {
  // Who looks says so in few words; and quotations of another kind end elsewhere.
  if (command.length > maxCommand || /\$['"]/.test(command)) return false
  const plain = withoutQuotations(command).replace(harmlessRedirection, '')
  const steps = stepsOf(plain, 'apart')
    .map((step) => step.text.trim().replace(/\s+/g, ' '))
    .filter((step) => step !== '')
  return steps.length > 0 && steps.every((step) => commands.test(step) && !doesMore.test(step))
}

/** Whether a tool's use only looks, by its name or its command. */
export const isReadOnly = ({ name, command }: Pick<ToolUse, 'name' | 'command'>): boolean =>
  tools.test(name) || (command !== undefined && commandLooks(command))

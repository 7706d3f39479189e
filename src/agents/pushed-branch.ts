/** Says what a bare `git push` would push, as git's default does: the branch that is checked out, under its own name. */
import { readCheckout } from '../config/checkout.ts'

/** A push that names no branch, with its options and its remote, where a command begins; and how it ends. */
const barePush =
  /((?:^|&&|\|\||;|\n)[ \t]*git push)((?:[ \t]+-[\w-]+)*)((?:[ \t]+(?![-&|;])[\w./@:-]+)?)(?=[ \t]*(?:$|&&|\|\||;|\n))/g
/** What pushes something else than a branch, or every branch. */
const otherPush = /--(?:all|branches|mirror|tags|delete|prune)\b|(?:^|\s)-\w*d/
/** What goes to another place or branch before the push. */
const elsewhere =
  /(?:^|[&|;\n])\s*(?:cd|pushd)\s|\bgit\s+(?:checkout|switch|branch|-C)\b|--git-dir|--work-tree/

/**
 * `command`, run in `directory`, with remote and branch of its bare pushes written out; as it is where git does not
 * tell them.
 */
export function namePushedBranch(command: string, directory: string): string {
  if (!command.includes('git push') || elsewhere.test(command)) return command
  const { branch } = readCheckout(directory)
  if (branch === null) return command
  return command.replace(barePush, (whole, push: string, options: string, remote: string) =>
    otherPush.test(options) ? whole : `${push}${options}${remote || ' origin'} ${branch}`,
  )
}

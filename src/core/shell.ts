/** How a line of a shell divides into commands. Knows quotes and what joins commands; not what commands do. */

/** One command of a line. */
export interface ShellStep {
  /** As written, with the blanks around it. */
  readonly text: string
  /** What joins it to the next: `&&`, `||`, `;`, `&`, `|` or a new line; nothing after the last. */
  readonly joint: string
}

/** Quoted texts, in which nothing is joined, and joints. "Don't" opens no quotation, and `2>&1` joins nothing. */
const quotedOrJoint = /\\[^\n]|(?<!\w)'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|(?<joint>&&|\|\||[;\n|]|(?<!>)&(?=\s|$))/g

/** The commands of a line; what is joined by pipes is one command unless `pipes` are `apart`. */
export function stepsOf(line: string, pipes: 'whole' | 'apart' = 'whole'): ShellStep[] {
  const steps: ShellStep[] = []
  let from = 0
  for (const { index, groups } of line.matchAll(quotedOrJoint)) {
    const joint = groups?.joint
    if (joint === undefined || (joint === '|' && pipes === 'whole')) continue
    steps.push({ text: line.slice(from, index), joint })
    from = index + joint.length
  }
  return [...steps, { text: line.slice(from), joint: '' }]
}

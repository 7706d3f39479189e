/** `brain completion`: the script that completes command lines of brain, made of the program itself. */
import { Argument, type Command } from 'commander'
import type { CommandOutline } from '../completion/outline.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

const shells: Readonly<Record<string, () => Promise<(program: CommandOutline) => string>>> = {
  bash: async () => (await import('../completion/bash.ts')).renderBash,
  zsh: async () => (await import('../completion/zsh.ts')).renderZsh,
  fish: async () => (await import('../completion/fish.ts')).renderFish,
}

async function print({ terminal, outcome }: Session, shell: string): Promise<void> {
  const [{ createProgram }, { outlineProgram }] = await Promise.all([
    import('../program.ts'),
    import('../completion/outline.ts'),
  ])
  const program = await createProgram({ terminal, outcome, full: () => true })
  const render = await shells[shell]?.()
  // The choice of the argument leaves no other.
  if (render !== undefined) await write(terminal.stdout, render(outlineProgram(program)))
}

export function configureCompletion(command: Command, open: () => Session): void {
  command
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(Object.keys(shells)))
    .action((shell: string) => print(open(), shell))
}

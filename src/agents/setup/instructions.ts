/** What an agent's instruction file says of the brain: when to ask it and what to keep. */

import { likelyFrom } from '../../core/ranking.ts'

export const instructions = `## Memory: brain

This project has a memory that outlives the session (\`brain\`, also as MCP tools).

- A block "From this project's brain" at the start of a session comes from it.
- \`recall\` before work on anything that may have been decided, tried or broken before. A result's \`score\` is the probability
  that it is what was asked for: below ${likelyFrom} it likely is not.
- \`assess\` before a migration, deployment, deletion, force-push, or anything hard to undo; a warning it quotes is read first.
- \`remember\` what the next session would want to know: a decision and its reason, a surprise, a constraint. One fact a note.
- \`flag\` what went wrong and must not happen again; \`believe\` what evidence could decide, with \`evidence\` as it comes in;
  \`predict\` what can be checked later, and \`resolve\` it.`

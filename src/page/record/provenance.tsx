/** Where a record came from: by whom, in which session, on which branch and commit it was kept, or out of which import. */
import { Agent } from '../parts/basics.tsx'
import { Fact } from '../parts/facts.tsx'
import { addressOf } from '../route.ts'
import type { Of } from './panel.tsx'

type Known = NonNullable<Of<'belief'>['provenance']>

const shortCommit = 10

/** As facts of a record; nothing where nothing is known. */
export function Provenance({ of }: { of: Known | undefined }) {
  if (of === undefined) return null
  const { agent, session, branch, commit, origin } = of
  return (
    <>
      {agent !== null && (
        <Fact name="Told by">
          <Agent name={agent} />
        </Fact>
      )}
      {session !== null && (
        <Fact name="In session">
          <code>{session}</code>
        </Fact>
      )}
      {(branch !== null || commit !== null) && (
        <Fact name="Checked out">
          {branch !== null && <a href={addressOf({ branch }, 'timeline')}>{branch}</a>}
          {branch !== null && commit !== null && ' at '}
          {commit !== null && <code title={commit}>{commit.slice(0, shortCommit)}</code>}
        </Fact>
      )}
      {origin !== null && <Fact name="Came from">{origin}</Fact>}
    </>
  )
}

/** The same in a line, for what stands in a list. */
export function ProvenanceLine({ of }: { of: Known | undefined }) {
  if (of === undefined) return null
  const { agent, branch, commit, session, origin } = of
  return (
    <span class="note">
      {agent !== null && <Agent name={agent} />}
      {branch !== null && ` on ${branch}`}
      {commit !== null && (
        <>
          {' '}
          at <code title={commit}>{commit.slice(0, shortCommit)}</code>
        </>
      )}
      {session !== null && ` in session ${session}`}
      {origin !== null && ` from ${origin}`}
    </span>
  )
}

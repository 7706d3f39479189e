/** What one agent noted about another. */
import { Agent, Time } from '../parts/basics.tsx'
import { Fact, Facts, Text } from '../parts/facts.tsx'
import { ForgetButton } from './forget.tsx'
import type { Of } from './panel.tsx'
import { Provenance } from './provenance.tsx'

export const ObservationFacts = ({ record }: { record: Of<'observation'> }) => (
  <>
    <Text>{record.observation}</Text>
    <Facts>
      <Fact name="Said by">
        <Agent name={record.observer_agent} />
      </Fact>
      <Fact name="About">
        <Agent name={record.subject_agent} />
      </Fact>
      {record.observation_kind !== null && <Fact name="As a">{record.observation_kind}</Fact>}
      <Fact name="Said">
        <Time at={record.created_at} />
      </Fact>
      <Provenance of={record.provenance} />
    </Facts>
    <div class="actions">
      <ForgetButton kind="observation" id={record.id} />
    </div>
  </>
)

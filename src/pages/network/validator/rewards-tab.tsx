import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useProfile } from '../../../api/current.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { Rewards } from '../../primary/address/rewards.tsx'
import { Choice } from '../../shared/choice.tsx'
import type { Node } from './node.ts'
import { delegatorRewards, ownRewards } from './reward-kinds.ts'

const schema = z.object({ whose: z.catch(z.enum(['own', 'delegators']), 'own') })

const options = [
  { id: 'own', label: 'Own rewards and fees' },
  { id: 'delegators', label: 'Of its delegators' },
] as const

/** The rewards of a validator, apart from those of its delegators where the deployment tells them apart. */
export function RewardsTab({ network, nodeId }: Node) {
  const [{ whose }, setSearch] = useSearchState(schema)
  const isOwn = useProfile()?.dataUrl === ''
  const of = useMemo(
    () => (!isOwn ? { nodeId } : whose === 'own' ? ownRewards(nodeId) : delegatorRewards(nodeId)),
    [isOwn, whose, nodeId],
  )
  return (
    <>
      {isOwn && (
        <div className="pb-4">
          <Choice
            label="Whose rewards"
            options={options}
            current={whose}
            onChange={(next) => setSearch({ whose: next }, { push: true })}
          />
        </div>
      )}
      <Rewards key={whose} network={network} of={of} name={nodeId} />
    </>
  )
}

import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { groupBy } from '../../lib/group-by.ts'
import { listed } from '../../lib/listed.ts'
import { sentence } from '../../lib/text.ts'

type Late = Pick<ChainStatus, 'chainName' | 'state' | 'reason'>

/** What a state means for one chain, and for several. */
const verbs: Readonly<Record<string, readonly [one: string, several: string]>> = {
  waiting: ['waits for its node', 'wait for their node'],
  syncing: ['is catching up', 'are catching up'],
  stopped: ['has stopped', 'have stopped'],
}

const maxNamed = 3

/**
 * Why chains are not at their head: a sentence for each state and reason, since chains that one node serves have theirs in
 * common. Empty without such chains.
 */
export function lateText(chains: readonly Late[]): string {
  const alike = groupBy(chains, ({ state, reason }) => `${state} ${reason ?? ''}`)
  return [...alike.values()]
    .map((group) => {
      const [{ state, reason }] = group as [Late, ...Late[]]
      const names = group.slice(0, maxNamed).map(({ chainName }) => chainName)
      if (group.length > maxNamed) names.push(`${formatInteger(group.length - maxNamed)} more`)
      const [one, several] = verbs[state] ?? [`is ${state}`, `are ${state}`]
      return sentence(
        `${listed(names)} ${group.length === 1 ? one : several}${reason === undefined ? '' : `: ${reason}`}`,
      )
    })
    .join(' ')
}

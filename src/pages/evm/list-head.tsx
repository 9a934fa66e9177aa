import { useQuery } from '@tanstack/react-query'
import { titleOf } from '../../../contract/pages.ts'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { statusOf, statusQuery } from '../../api/chains.ts'
import { useOffers, type ChainFacts } from '../../api/current.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { blockTimeText } from '../../lib/block-time.ts'
import { ChainCrumb } from '../shared/crumbs.tsx'

/** How many blocks there are, and how fast they come. */
function blocksSentence(status: ChainStatus): string {
  const { firstBlock = '0', indexedBlock, blockTime, state, nodeBlock } = status
  if (indexedBlock === undefined) return 'No block is indexed yet.'
  const count = BigInt(indexedBlock) - BigInt(firstBlock) + 1n
  const pace = blockTime === undefined ? '' : `, one every ${blockTimeText(blockTime)} over the last 100`
  const made = `${formatInteger(count)} ${plural(count, 'block')} up to block ${formatInteger(indexedBlock)}${pace}`
  return state === 'live' || nodeBlock === undefined
    ? `${made}.`
    : `${made}. The node has blocks up to ${formatInteger(nodeBlock)}.`
}

/** How many transactions there are, and how many of them are new. */
function transactionsSentence({ txCount, txCountDay }: ChainStatus): string {
  if (txCount === undefined) return 'The transactions of this chain are not counted at the moment.'
  const made = `${formatInteger(txCount)} ${plural(txCount, 'transaction')}`
  return txCountDay === undefined
    ? `${made}.`
    : `${made}, ${formatInteger(txCountDay)} of them in the last 24 h.`
}

const lists = {
  blocks: { heading: 'Blocks', sentenceOf: blocksSentence },
  transactions: { heading: 'Transactions', sentenceOf: transactionsSentence },
} as const

/** The chain, the heading and the first sentence of the list of all blocks or transactions of a chain. */
export function ListHead({ chain, of }: { chain: ChainFacts; of: keyof typeof lists }) {
  const { heading, sentenceOf } = lists[of]
  // Hosted services do not say how far they are.
  const offered = useOffers('listChainStatus')
  const { data, error } = useQuery({ ...statusQuery(), enabled: offered })
  const status = statusOf(data, chain.chainId)
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={titleOf(of, { chainId: chain.name })} heading={heading} />
      {offered && (
        <p className="-mt-2 mb-4 min-h-5 max-md:min-h-10">
          {status ? sentenceOf(status) : !data && !error && <Skeleton width="min(480px, 90%)" />}
        </p>
      )}
    </>
  )
}

import type { ReactNode } from 'react'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import type { NetworkName } from '../../api/current.ts'
import { PrimaryBlockLink } from '../../components/primary-link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { plural } from '../../lib/text.ts'
import { blockTypeLabel } from './block-columns.tsx'

type PrimaryBlockLineProps = {
  block: PrimaryBlock
  network: NetworkName
  chain: PrimaryChainAlias
  /** Below the number of transactions; by default the block's type. */
  note?: ReactNode
}

/** A block of a feed: height, age, transactions and a note. */
export function PrimaryBlockLine({ block, network, chain, note }: PrimaryBlockLineProps) {
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <span className="w-fit font-strong">
          <PrimaryBlockLink network={network} chain={chain} height={block.blockNumber} />
        </span>
        <span className="text-xs text-muted">
          <TimeAgo at={block.blockTimestamp} />
        </span>
      </span>
      <span className="flex min-w-0 flex-col items-end">
        <span className="whitespace-nowrap">
          {formatInteger(block.txCount)}{' '}
          <span className="text-muted">{plural(block.txCount, 'transaction')}</span>
        </span>
        <span className="max-w-full truncate text-xs text-muted">
          {note ?? blockTypeLabel(block.blockType)}
        </span>
      </span>
    </>
  )
}

import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import type { ChainFacts } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { Amount } from '../../components/amount.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatAmount, formatGwei, formatInteger, formatShare } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { Facts, type Fact } from '../shared/facts.tsx'
import { useBlockProposer } from './block-proposer.tsx'

type Props = { block: EvmBlockDetails; chain: ChainFacts }

const nobody = /^0x0{40}$/

/** What is asked of a block first: when, how much, by whom. */
export function BlockFacts({ block, chain }: Props) {
  const proposer = useBlockProposer(chain.chainId, block)
  const share = formatShare(block.gasUsed, block.gasLimit)
  return (
    <div className="flex flex-col gap-2">
      <Figures
        figures={[
          { label: 'Age', value: <TimeAgo at={block.blockTimestamp} /> },
          {
            label: 'Transactions',
            value: formatInteger(block.txCount),
            note:
              block.logCount !== undefined &&
              `${formatInteger(block.logCount)} ${plural(block.logCount, 'log')}`,
          },
          {
            label: 'Gas used',
            value: formatInteger(block.gasUsed),
            note: share && `${share} % of the limit`,
          },
          {
            label: 'Base fee',
            value: formatGwei(block.baseFee),
            note: block.settledHeight === undefined ? 'gwei' : 'gwei at most',
          },
          { label: 'Fees', value: formatAmount(block.feesSpent, chain.decimals), note: chain.symbol },
        ]}
      />
      <Facts
        label="Block"
        facts={[
          { label: 'Time', value: <TimeAgo at={block.blockTimestamp} both /> },
          proposer,
          ...settlementFacts(block, chain.chainId),
          block.miner !== undefined &&
            !nobody.test(block.miner) && {
              label: 'Fee recipient',
              value: <Address address={block.miner} chainId={chain.chainId} full copy />,
            },
        ]}
      />
    </div>
  )
}

/** The rest of a block's header, folded until it is asked for. */
export function BlockHeader({ block, chain }: Props) {
  return (
    <Disclosure look="note" summary="Header: gas limit, fees, parent, roots">
      <Facts
        label="Header"
        facts={[
          block.miner !== undefined &&
            nobody.test(block.miner) && {
              label: 'Fee recipient',
              value: <Address address={block.miner} chainId={chain.chainId} full copy />,
            },
          {
            label: 'Parent',
            value: namesNoParent(block) ? (
              'not named by the node'
            ) : (
              <Hash
                value={block.parentHash}
                name="parent hash"
                full
                copy
                to={block.blockNumber === '0' ? undefined : paths.block(chain.chainId, block.parentHash)}
              />
            ),
          },
          { label: 'Gas limit', value: formatInteger(block.gasLimit) },
          {
            label: 'Fees',
            help: 'Gas used times effective gas price, over the block',
            value: <Amount value={block.feesSpent} decimals={chain.decimals} symbol={chain.symbol} exact />,
          },
          block.gasCost !== '0' && { label: 'Block gas cost', value: formatInteger(block.gasCost) },
          block.blockSizeBytes !== undefined && {
            label: 'Size',
            value: `${formatInteger(block.blockSizeBytes)} bytes`,
          },
          block.cumulativeTransactions !== undefined && {
            label: 'Transactions so far',
            value: formatInteger(block.cumulativeTransactions),
            help: 'Of the chain, this block included',
          },
          block.stateRoot !== undefined && {
            label: 'State root',
            ...(block.settledHeight !== undefined && {
              help: `Of the state after block ${formatInteger(block.settledHeight)}`,
            }),
            value: <Hash value={block.stateRoot} name="state root" full copy />,
          },
          block.transactionsRoot !== undefined && {
            label: 'Transactions root',
            value: <Hash value={block.transactionsRoot} name="transactions root" full copy />,
          },
          block.receiptsRoot !== undefined && {
            label: 'Receipts root',
            ...(block.settledHeight !== undefined && { help: 'Of the blocks that this one settles' }),
            value: <Hash value={block.receiptsRoot} name="receipts root" full copy />,
          },
          block.extraData !== undefined &&
            block.extraData !== '0x' && {
              label: 'Extra data',
              value: <span className="font-mono text-mono break-all">{block.extraData}</span>,
            },
          block.nonce !== undefined && {
            label: 'Nonce',
            value: <span className="font-mono text-mono">{block.nonce}</span>,
          },
          block.difficulty !== undefined && { label: 'Difficulty', value: formatInteger(block.difficulty) },
        ]}
      />
    </Disclosure>
  )
}

/** Whether a block lacks its parent's hash: development nodes make such blocks when they skip ahead. */
const namesNoParent = ({ blockNumber, parentHash }: EvmBlockDetails): boolean =>
  blockNumber !== '0' && /^0x0{64}$/.test(parentHash)

/** For blocks executed after acceptance: which block settles this one, and which ones it settles. */
function settlementFacts(block: EvmBlockDetails, chainId: string): Fact[] {
  if (block.settledHeight === undefined) return []
  const link = (number: string) => (
    <Link to={paths.block(chainId, number)} className="link" data-value={number}>
      {formatInteger(number)}
    </Link>
  )
  return [
    {
      label: 'Settled by',
      help: 'The block whose header vouches for what these transactions did',
      value:
        block.settledBy === undefined ? <Pill state="pending">Not settled yet</Pill> : link(block.settledBy),
    },
    {
      label: 'Settles up to',
      help: 'Its state root, receipts root and bloom are those of the blocks that it settles',
      value: link(block.settledHeight),
    },
  ]
}

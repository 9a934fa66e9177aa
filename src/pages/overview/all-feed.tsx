import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { statusQuery } from '../../api/chains.ts'
import { useCurrentNetwork, useOffers, type ChainFacts, type NetworkName } from '../../api/current.ts'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { ChainDot } from '../shared/chain-dot.tsx'
import { FeedActions, FeedList, useStill } from './feed-list.tsx'
import {
  newBlocks,
  useFeeds,
  useFollowHeads,
  useHeads,
  type FeedBlocks,
  type FeedTransaction,
  type Heads,
} from './feed-sources.ts'
import type { FeedRow } from './fold.ts'
import { OfferedPart } from '../shared/offered-part.tsx'
import { BlockLine, TransactionLine } from './latest.tsx'
import { PrimaryTransactionLine } from './primary-lines.tsx'
import { PrimaryBlockLine } from '../primary/block-line.tsx'

const shownRows = 8

/**
 * A line of a feed behind its chain: its dot, and its name where there is room. A chain of the primary network has a
 * ring: it has no colour of its own beside the EVM chains.
 */
function Line({ chain, children }: { chain: ChainFacts | PrimaryChainAlias; children: ReactNode }) {
  const isPrimary = typeof chain === 'string'
  const name = isPrimary ? chainLabel(chain) : chain.name
  return (
    <div className="contents">
      <span className="flex w-20 shrink-0 items-center gap-2 text-xs text-muted max-md:w-auto" title={name}>
        {isPrimary ? (
          <span
            aria-hidden="true"
            className="inline-block size-2.5 shrink-0 rounded-full border-2 border-line-strong"
          />
        ) : (
          <ChainDot index={chain.index} />
        )}
        <span className="truncate max-md:sr-only">{name}</span>
      </span>
      <span className="flex min-w-0 flex-1 items-center justify-between gap-4">{children}</span>
    </div>
  )
}

type Newest = { readonly blockTimestamp: number; readonly blockNumber: string }

/** A run of empty blocks in one row. */
function RunLine({ run, to }: { run: FeedRow<Newest>; to: string }) {
  const { newest, oldest, count, open } = run
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <Link to={to} className="link w-fit truncate">
          {open ? `${formatInteger(count)} or more` : formatInteger(count)} empty blocks
        </Link>
        <span className="text-xs text-muted">
          <TimeAgo at={newest.blockTimestamp} />
        </span>
      </span>
      <span className="shrink-0 text-xs text-muted">
        {formatInteger(oldest.blockNumber)}–{formatInteger(newest.blockNumber)}
      </span>
    </>
  )
}

type RowProps<Row> = { row: Row; network: NetworkName }

function BlocksLine({ row, network }: RowProps<FeedBlocks>) {
  const to = row.kind === 'evm' ? paths.blocks(row.chain.chainId) : paths.primaryBlocks(network, row.chain)
  return (
    <Line chain={row.chain}>
      {row.run.count > 1 ? (
        <RunLine run={row.run} to={to} />
      ) : row.kind === 'evm' ? (
        <BlockLine block={row.run.newest} chain={row.chain} />
      ) : (
        <PrimaryBlockLine block={row.run.newest} chain={row.chain} network={network} />
      )}
    </Line>
  )
}

function OneTransaction({ row, network }: RowProps<FeedTransaction>) {
  return (
    <Line chain={row.chain}>
      {row.kind === 'evm' ? (
        <TransactionLine transaction={row.tx} chain={row.chain} />
      ) : (
        <PrimaryTransactionLine tx={row.tx} chain={row.chain} network={network} />
      )}
    </Line>
  )
}

/**
 * The newest blocks and transactions of `chains`, of the `listed` ones, in one order, those of the primary network among them; runs of empty
 * blocks are one row.
 */
export function AllFeed({ chains, listed }: { chains: readonly ChainFacts[]; listed: number }) {
  const note = listed > chains.length ? `${chains.length} busiest of ${listed} chains` : 'all chains'
  const network = useCurrentNetwork()
  const offered = useOffers('listChainStatus')
  const hasPrimaryBlocks = useOffers('listPrimaryBlocks')
  const heads = useHeads(network, useQuery({ ...statusQuery(), enabled: offered }).data)
  const { query, feeds } = useFeeds(network, chains, shownRows)
  const { still, paused, toggle, keep } = useStill()
  const [held, setHeld] = useState<Heads>(heads)
  if (!still && held !== heads) setHeld(heads)
  useFollowHeads(held)
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <Section
        title="Latest blocks"
        note={note}
        actions={
          <FeedActions
            waiting={still ? newBlocks(held, heads) : 0}
            onShow={() => setHeld(heads)}
            paused={paused}
            onToggle={toggle}
          />
        }
      >
        <OfferedPart name={hasPrimaryBlocks ? 'primaryBlocks' : 'blocks'}>
          <FeedList
            shown={shownRows}
            label="Latest blocks"
            query={query}
            keep={keep}
            failed="The latest blocks could not be loaded."
            empty="No chain has an indexed block yet."
            rows={feeds?.blocks.map((row) => (
              <BlocksLine
                key={`${row.run.chainId} ${row.run.newest.blockNumber}`}
                row={row}
                network={network}
              />
            ))}
          />
        </OfferedPart>
      </Section>
      <Section title="Latest transactions" note={note}>
        <FeedList
          shown={shownRows}
          label="Latest transactions"
          query={query}
          keep={keep}
          failed="The latest transactions could not be loaded."
          empty="No chain has an indexed transaction yet."
          rows={feeds?.transactions.map((row) => (
            <OneTransaction key={row.tx.txHash} row={row} network={network} />
          ))}
        />
      </Section>
    </div>
  )
}

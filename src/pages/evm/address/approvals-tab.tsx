import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Approval } from '../../../../contract/evm/approvals.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { approvalsQuery } from '../../../api/evm/approvals.ts'
import { Address } from '../../../components/address.tsx'
import { Button } from '../../../components/controls.tsx'
import { lazy } from '../../../components/lazy.ts'
import { Dialog, prefetchDialog } from '../../../components/overlays/dialog.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { column, dash, hashColumn, timeColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { plainTokenAmount, TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { NotKept } from '../../shared/not-kept.tsx'
import type { Subject } from './activity.tsx'
import { isUnlimited, summaryOf } from './approvals.ts'

const Revoke = lazy(() => import('../functions/revoke.tsx'), 'Revoke')

const rowKey = ({ kind, token, spender, tokenId }: Approval): string =>
  `${kind} ${token.address} ${spender.address} ${tokenId}`

function MayTake({ row }: { row: Approval }) {
  if (row.kind === 'COLLECTION') return <Pill state="stale">all of them</Pill>
  if (row.kind === 'NFT') return <>this one</>
  if (isUnlimited(row)) return <Pill state="stale">without limit</Pill>
  return <TokenAmount value={row.allowance ?? '0'} token={row.token} withSymbol />
}

const takeText = (row: Approval): string =>
  row.kind !== 'AMOUNT'
    ? row.kind === 'NFT'
      ? `#${row.tokenId}`
      : 'all'
    : isUnlimited(row)
      ? 'without limit'
      : plainTokenAmount(row.allowance ?? '0', row.token)

const columnsOf = ({ chainId }: ChainFacts, onRevoke: (row: Approval) => void): Column<Approval>[] => [
  {
    id: 'token',
    header: 'Token',
    always: true,
    narrow: 'title',
    cell: ({ token, tokenId }) => <TokenName {...token} tokenId={tokenId} chainId={chainId} />,
    text: ({ token }) => token.address,
  },
  {
    id: 'spender',
    header: 'May be taken by',
    narrow: 'below',
    cell: ({ spender, isContract }) => (
      <span className="inline-flex min-w-0 items-center gap-2">
        <Address {...spender} chainId={chainId} />
        {!isContract && <Pill state="neutral">account</Pill>}
      </span>
    ),
    text: ({ spender }) => spender.address,
  },
  {
    id: 'take',
    header: 'How much',
    align: 'right',
    width: '200px',
    narrow: 'side',
    cell: (row) => <MayTake row={row} />,
    text: takeText,
  },
  column(
    'balance',
    'Held now',
    ({ balance }: Approval) => balance,
    {
      show: (value, { token }) => <TokenAmount value={value} token={token} withSymbol />,
    },
    { align: 'right', width: '180px' },
  ),
  timeColumn('age', 'Since', (row: Approval) => row.blockTimestamp, { align: 'right', width: '110px' }),
  hashColumn('tx', 'Transaction', (row: Approval) => row.txHash, 'transaction hash', {
    to: (row) => paths.transaction(chainId, row.txHash),
    width: '150px',
    hidden: true,
  }),
  {
    id: 'revoke',
    header: 'Revoke',
    width: '90px',
    align: 'right',
    narrow: 'belowSide',
    cell: (row) => (
      <Button
        small
        onPointerEnter={prefetchDialog}
        onFocus={prefetchDialog}
        onClick={(event) => {
          event.stopPropagation()
          onRevoke(row)
        }}
      >
        Revoke
      </Button>
    ),
  },
]

/** Who may take which tokens of an address, how much and since when, and how to take that back. */
export function ApprovalsTab({ address, chain }: Subject) {
  const query = useQuery(approvalsQuery(chain.chainId, address))
  const [revoked, setRevoked] = useState<Approval>()
  const columns = useMemo(() => columnsOf(chain, setRevoked), [chain])
  if (query.error && !query.data) return <Failed title="The approvals could not be loaded." query={query} />
  const { approvals = [], isComplete = true } = query.data ?? {}
  if (query.data && approvals.length === 0)
    return (
      <>
        <NotKept kept={query.data} />
        <EmptyState title="Nobody may take tokens">
          {isComplete
            ? 'This address has approved nobody, or what it approved was used or taken back.'
            : 'What this address approved last was used or taken back; older approvals are not looked at.'}
        </EmptyState>
      </>
    )
  return (
    <>
      {query.data && <NotKept kept={query.data} />}
      <p className="min-h-8 pb-2">
        {query.data ? summaryOf(approvals) : dash}
        {!isComplete && <span className="text-muted"> Older approvals are not looked at.</span>}
      </p>
      <WholeTable
        id="address-approvals"
        label={`Approvals of ${address}`}
        noun="approval"
        columns={columns}
        rows={query.data && approvals}
        rowKey={rowKey}
        skeletonRows={6}
        all
        file={`approvals-${address}-${chain.chainId}`}
      />
      {query.data && (
        <p className="pt-2 text-xs text-muted">
          As the tokens said after block {formatInteger(query.data.blockNumber)}; approvals that are only
          signed (permits) leave no trace until they are used.
        </p>
      )}
      <Dialog open={revoked !== undefined} onClose={() => setRevoked(undefined)} title="Revoke the approval">
        {revoked && (
          <LazyPart title="The form" fallback={<SkeletonRows count={3} />}>
            <Revoke approval={revoked} owner={address} chain={chain} />
          </LazyPart>
        )}
      </Dialog>
    </>
  )
}

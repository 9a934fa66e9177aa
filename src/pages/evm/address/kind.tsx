import { useQuery } from '@tanstack/react-query'
import { addressOverviewQuery } from '../../../api/evm/addresses.ts'
import { Address } from '../../../components/address.tsx'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { paths } from '../../../lib/paths.ts'
import type { Subject } from './activity.tsx'

/** The kind of an address in a word, unless its heading has no name and says it, and who made a contract when. */
export function Kind({ address, chain, isNamed }: Subject & { isNamed: boolean }) {
  const { data } = useQuery(addressOverviewQuery(chain.chainId, address))
  const { tokenType, isContract, isIndexed, creation } = data ?? {}
  return (
    // On a phone a contract has two lines, whose place is kept while nobody knows whether it is one.
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 max-md:min-h-11">
      {data && (isNamed || !isContract) && <Pill state="neutral">{isContract ? 'Contract' : 'Account'}</Pill>}
      {isIndexed === false && <span className="text-muted">not indexed: only the node knows of it</span>}
      {tokenType !== undefined && tokenType !== 'UNKNOWN' && (
        <Link to={paths.token(chain.chainId, address)} className="link reach">
          {tokenType} token
        </Link>
      )}
      {creation && (
        <span className="flex min-w-0 items-center gap-1.5 text-muted">
          created <TimeAgo at={creation.blockTimestamp} /> by{' '}
          <Address address={creation.deployerAddress} chainId={chain.chainId} alone />
        </span>
      )}
    </div>
  )
}

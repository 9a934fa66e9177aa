import { useQuery } from '@tanstack/react-query'
import { addressOverviewQuery } from '../../../api/evm/addresses.ts'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { paths } from '../../../lib/paths.ts'
import type { Subject } from './activity.tsx'

/** The kind of an address in a word or two. */
export function Kind({ address, chain }: Subject) {
  const { data } = useQuery(addressOverviewQuery(chain.chainId, address))
  if (!data) return null
  const { tokenType, isContract } = data
  return (
    <>
      <Pill state="neutral">{isContract ? 'Contract' : 'Account'}</Pill>
      {tokenType !== undefined && tokenType !== 'UNKNOWN' && (
        <Link to={paths.token(chain.chainId, address)} className="link reach">
          {tokenType} token
        </Link>
      )}
    </>
  )
}

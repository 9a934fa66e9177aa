import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, isUnsupported } from '../../../api/errors.ts'
import { reindex } from '../../../api/tokens/nfts-reindex.ts'
import { nftQuery, type NftDetails } from '../../../api/tokens/nfts.ts'
import { useNow } from '../../../components/hooks.ts'

const POLL = 2_000
/** How long the page looks for what was read anew, in seconds. */
const PATIENCE = 60

/** Seconds as `59:04`. */
export function countdown(seconds: number): string {
  const left = Math.max(0, seconds)
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/**
 * Asks the service to read the metadata again. It does so once an hour for a token: until then the button
 * says how long that is.
 */
export function ReindexButton({ nft, chainId }: { nft: NftDetails; chainId: string }) {
  const now = useNow()
  const { address, tokenId } = nft
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const [refused, setRefused] = useState(0)
  const [asked, setAsked] = useState<{ at: number; before: number | undefined }>()
  const read = nft.metadata?.metadataLastUpdatedTimestamp
  const waiting = asked !== undefined && read === asked.before && now < asked.at + PATIENCE
  const query = useQuery({
    ...nftQuery(chainId, address, tokenId),
    refetchInterval: waiting ? POLL : false,
  })
  const ask = async (): Promise<void> => {
    setState({ busy: true })
    try {
      await reindex(chainId, address, tokenId)
      setAsked({ at: Math.floor(Date.now() / 1000), before: read })
      setState({ busy: false })
      await query.refetch()
    } catch (error) {
      const limited = error instanceof ApiError && error.status === 429
      if (limited) setRefused(Math.floor(Date.now() / 1000) + (error.retryAfter ?? 60))
      setState({ busy: false, ...(!limited && { error }) })
    }
  }
  const left = Math.max(nft.reindexableTimestamp, refused) - now
  const words = !nft.reindexing
    ? 'This service reads no metadata: its operator has turned that off.'
    : waiting
      ? 'The metadata is being refreshed.'
      : asked !== undefined && read !== asked.before
        ? 'The metadata was read again.'
        : asked !== undefined
          ? 'Requested; the service has not read it yet.'
          : state.error !== undefined
            ? isUnsupported(state.error)
              ? 'This service does not read metadata again.'
              : `The request failed: ${state.error instanceof Error ? state.error.message : 'unknown reason'}`
            : left > 0
              ? 'Metadata is read again once an hour at most.'
              : ''
  return (
    <div className="flex flex-wrap items-center gap-3">
      <button
        type="button"
        className="control"
        disabled={!nft.reindexing || left > 0 || state.busy}
        onClick={() => void ask()}
      >
        {left > 0 && nft.reindexing ? `Reindex in ${countdown(left)}` : 'Reindex'}
      </button>
      <output className="min-w-0 flex-1 text-xs text-muted">{words}</output>
    </div>
  )
}

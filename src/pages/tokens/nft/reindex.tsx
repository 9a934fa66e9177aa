import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, isUnsupported } from '../../../api/errors.ts'
import { queryClient } from '../../../api/query-client.ts'
import { reindex } from '../../../api/tokens/nfts-reindex.ts'
import { nftQuery, type NftDetails } from '../../../api/tokens/nfts.ts'
import { useNow } from '../../../components/hooks.ts'
import { Button } from '../../../components/controls.tsx'

const POLL = 2_000
/** How long the page polls for the new metadata, in seconds. */
const PATIENCE = 60

/** Seconds as `59:04`. */
function countdown(seconds: number): string {
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
  const read = nft.metadata?.metadataLastUpdatedTimestamp
  const options = nftQuery(chainId, address, tokenId)
  const request = useMutation({
    mutationFn: () => reindex(chainId, address, tokenId),
    onMutate: () => ({ before: read }),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: options.queryKey }),
  })
  const asked = request.isSuccess
    ? { at: Math.floor(request.submittedAt / 1000), before: request.context?.before }
    : undefined
  const { error } = request
  const limited = error instanceof ApiError && error.status === 429
  const refused = limited ? Math.floor(request.submittedAt / 1000) + (error.retryAfter ?? 60) : 0
  const waiting = asked !== undefined && read === asked.before && now < asked.at + PATIENCE
  useQuery({ ...options, refetchInterval: waiting ? POLL : false })
  const left = Math.max(nft.reindexableTimestamp, refused) - now
  const words = !nft.reindexing
    ? 'This service reads no metadata: its operator has turned that off.'
    : waiting
      ? 'The metadata is being refreshed.'
      : asked !== undefined && read !== asked.before
        ? 'The metadata was read again.'
        : asked !== undefined
          ? 'Requested; the service has not read it yet.'
          : error && !limited
            ? isUnsupported(error)
              ? 'This service does not read metadata again.'
              : `The request failed: ${error.message}`
            : left > 0
              ? 'Metadata is read again once an hour at most.'
              : ''
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={!nft.reindexing || left > 0 || request.isPending} onClick={() => request.mutate()}>
        {left > 0 && nft.reindexing ? `Refresh metadata in ${countdown(left)}` : 'Refresh metadata'}
      </Button>
      <output className="min-w-0 flex-1 text-xs text-muted">{words}</output>
    </div>
  )
}

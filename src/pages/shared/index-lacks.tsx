import { useEffect, useRef } from 'react'
import { useChainFacts, useCurrentNetwork, useFollowed } from '../../api/current.ts'
import type { ApiError } from '../../api/errors.ts'
import { usePrimaryFollowed } from '../../api/network/overview.ts'
import { useFirstToSay } from '../../components/hooks.ts'
import { HourglassIcon } from '../../components/icons.ts'
import { EmptyState, UnsupportedState } from '../../components/states.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import type { Followed } from '../../lib/freshness.ts'
import { chainAlias, chainLabel } from '../../lib/primary-chains.ts'
import { formatDuration } from '../../lib/time.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { useFeed } from './use-feed.ts'

type Props = {
  /** What failed, as a sentence: “The blocks could not be loaded.” */
  title: string
  error: ApiError
  onRetry?: (() => unknown) | undefined
}

/** What the index does not have: because the service has dropped it (410), or because it has not come so far (503). */
export function IndexLacks({ title, error, onRetry }: Props) {
  const [id = '', head = '-', node = '-'] = error.behind?.split(/[ ,]+/, 3) ?? []
  // What was dropped does not come back: asking again does not help.
  if (error.status === 410)
    return (
      <UnsupportedState title="Not kept here">
        <p>{error.message}</p>
      </UnsupportedState>
    )
  const alias = chainAlias(id)
  const Of = alias ? OfPrimary : OfEvm
  return (
    <EmptyState
      icon={<HourglassIcon className="text-accent" />}
      title={title.replace(/^(.*) could not .*$|^.*$/, (_all, subject?: string) =>
        subject === undefined ? 'Not indexed yet' : `${subject}: not indexed yet`,
      )}
    >
      <Of key={id} id={alias ?? id} head={head} node={node} onRetry={onRetry} />
    </EmptyState>
  )
}

type Chain = Pick<Props, 'onRetry'> & { id: string; head: string; node: string }

function OfEvm(chain: Chain) {
  return <Progress {...chain} name={useChainFacts(chain.id).name} followed={useFollowed(chain.id)} />
}

function OfPrimary(chain: Chain) {
  const network = useCurrentNetwork()
  const followed = usePrimaryFollowed(network, chain.id as PrimaryChainAlias)
  const name = chainLabel(chain.id) ?? chain.id
  return <Progress {...chain} id={`${network}/${chain.id}`} name={`the ${name}`} followed={followed} />
}

/** How often a part asks again for what is being indexed, in milliseconds. */
const interval = 10_000

/** Asks again at intervals if the index has moved: a part is a skeleton for a moment each time. */
function useRetry(head: string, onRetry: (() => unknown) | undefined): void {
  const latest = useRef({ head, onRetry })
  useEffect(() => {
    latest.current = { head, onRetry }
  })
  useEffect(() => {
    let asked = latest.current.head
    const timer = setInterval(() => {
      const now = latest.current
      if (now.head === asked) return
      asked = now.head
      void now.onRetry?.()
    }, interval)
    return () => clearInterval(timer)
  }, [])
}

/** How far a chain is indexed: by its status, which follows the heads, or as the answer said. Said once on a page. */
function Progress({
  id,
  name,
  head,
  node,
  followed,
  onRetry,
}: Chain & { name: string; followed: Followed | undefined }) {
  const { feed } = useFeed(followed, id)
  const isFirst = useFirstToSay(id)
  const [at, of] = [followed?.indexedBlock ?? head, followed?.nodeBlock ?? node]
  useRetry(at, onRetry)
  if (!isFirst) return null
  const left = feed.kind === 'catchingUp' && feed.left !== undefined && formatDuration(Math.max(1, feed.left))
  const begin = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return (
    <>
      <p>
        {at === '-'
          ? `No block of ${name} is indexed yet.`
          : `${begin} is indexed to block ${formatInteger(at)}${of === '-' ? '' : ` of ${formatInteger(of)}`}.`}
        {left && ` About ${left} left.`}
      </p>
      {onRetry && <p>This part loads by itself as soon as it is indexed.</p>}
    </>
  )
}

import { isForbidden, refreshWatch } from '../../../api/watch/call.ts'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { LazyExtra } from '../../../components/part.tsx'
import { EmptyState, UnsupportedState } from '../../../components/states.tsx'
import { SignedInNote, useSignedIn } from '../../sign-in/note.tsx'
import { Failed, type Failure } from '../../shared/failed.tsx'
import { Button } from '../../../components/controls.tsx'

const TokenBox = lazy(() => import('../../node/shared/token-box.tsx'), 'TokenBox')

/** Where the local token is, and a box for it. */
export const TokenForm = () => (
  <LazyExtra>
    <TokenBox onToken={() => refreshWatch()} />
  </LazyExtra>
)

/** The place of a fleet or a rule that is unknown to the service. `all` leads to the list of those that there are. */
export const NoneSuch = ({ what, all }: { what: 'fleet' | 'rule'; all: string }) => (
  <EmptyState title={`No such ${what}`}>
    <p>It was deleted, or the link belongs to another service.</p>
    <Link to={all} className="control text-text">
      All {what}s
    </Link>
  </EmptyState>
)

/** A failed request of the watch: refused for want of a privilege, not offered, or failed. `title` is a sentence. */
export function WatchFailed({
  title,
  query,
  error = query?.error,
  onRetry = query?.refetch,
}: Failure & { title: string }) {
  const isSignedIn = useSignedIn() !== undefined
  if (!isForbidden(error)) return <Failed title={title} error={error} onRetry={onRetry} />
  return (
    <UnsupportedState title="Access is restricted">
      <p>Only the operator, and API keys with the privilege “watch”, can see fleets and alarms.</p>
      {isSignedIn ? <SignedInNote /> : <TokenForm />}
      <Button className="text-text" onClick={() => void onRetry?.()}>
        Try again
      </Button>
    </UnsupportedState>
  )
}

import { lazy } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

// The console is code of its own, so that the page stands while it comes.
const loadConsole = () => import('./console.tsx')
const Console = lazy(() => loadConsole().then((all) => ({ default: all.Console })))

/** The console's code, under way beside the page's own. */
export function loader(): null {
  // The page itself says so when its code can't be fetched.
  loadConsole().catch(() => undefined)
  return null
}

/** The node console: administration, chains, validators, atomic transactions, calls and sockets of a node. */
export function Component() {
  return (
    <>
      <PageTitle document="Node" heading="Node" />
      <LazyPart title="The console" fallback={<SkeletonRows count={18} />}>
        <Console />
      </LazyPart>
    </>
  )
}

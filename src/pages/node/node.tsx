import { titleOf } from '../../../contract/pages.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { lazy } from '../../components/lazy.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'

const Console = lazy(() => import('./console.tsx'), 'Console')

/** Loads the console's code, which calls the node itself. */
export function loader(): null {
  return null
}

/** The node console: administration, chains, validators, atomic transactions, calls and sockets of a node. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('node')} heading="Node" />
      <LazyPart title="The console" fallback={<SkeletonRows count={18} />}>
        <Console />
      </LazyPart>
    </>
  )
}

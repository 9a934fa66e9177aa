import { lazy } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

// Form, decoder and tables are code of their own, so that the page stands while they come.
const part = () => import('./view.tsx')
const SignaturesView = lazy(() => part().then((module) => ({ default: module.SignaturesView })))

/** The code of the page's content. */
export function loader(): null {
  part().catch(() => undefined)
  return null
}

/** Has messages between chains signed by validators. */
export function Component() {
  return (
    <>
      <PageTitle document="Signatures" heading="Signatures" />
      <LazyPart title="The signatures" fallback={<SkeletonRows count={14} />}>
        <SignaturesView />
      </LazyPart>
    </>
  )
}

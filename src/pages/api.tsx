import { lazy, Suspense } from 'react'
import { useProfile } from '../api/current.ts'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'

// Forms and trees are code of their own, so that the page stands while they come.
const part = () => import('./api-parts/view.tsx')
const ApiView = lazy(() => part().then((module) => ({ default: module.ApiView })))

/** The code of the page's content. */
export function loader(): null {
  part().catch(() => undefined)
  return null
}

/** Every REST operation, to read and to try. */
export function Component() {
  const profile = useProfile()
  return (
    <>
      <PageTitle
        document="API"
        heading="API"
        actions={
          <>
            <a href="/docs" className="control">
              Documentation
            </a>
            <a href="/openapi.json" className="control">
              OpenAPI 3.1
            </a>
          </>
        }
      />
      <div className="flex min-w-0 flex-col gap-4">
        {profile && profile.dataUrl !== '' && (
          <p className="max-w-[80ch] text-muted">
            Requests go to <span className="font-mono text-mono break-all">{profile.dataUrl}</span>; the
            operations are those of the service that served this page.
          </p>
        )}
        <Suspense fallback={<SkeletonRows count={14} />}>
          <ApiView />
        </Suspense>
      </div>
    </>
  )
}

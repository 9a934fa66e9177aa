import { useSearchParams } from 'react-router'
import { useProfile } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

// Forms and trees are code of their own, so that the page stands while they come.
const part = () => import('./view.tsx')
const ApiView = lazy(() => part().then((module) => ({ default: module.ApiView })))

/** The code of the page's content. */
export function loader(): null {
  part().catch(() => undefined)
  return null
}

/** The title of the tab: the operation that the URL names comes first. */
function titleOf(operation: string): string {
  return /^[A-Za-z]\w{0,63}$/.test(operation) ? `${operation} · API` : 'API'
}

/** Every REST operation, to read and to try. */
export function Component() {
  const profile = useProfile()
  const [search] = useSearchParams()
  return (
    <>
      <PageTitle
        document={titleOf(search.get('op') ?? '')}
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
        <LazyPart title="The operations" fallback={<SkeletonRows count={14} />}>
          <ApiView />
        </LazyPart>
      </div>
    </>
  )
}

import { useSearchParams } from 'react-router'
import { useProfile } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Operations, operationsQuery } from './operations.tsx'

/** The operations. */
export function loader(): null {
  void queryClient.prefetchQuery(operationsQuery)
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
        <Operations />
      </div>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { titleOf } from '../../../contract/pages.ts'
import { useProfile } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'
import { urlOfFile } from '../../lib/place.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Failed } from '../shared/failed.tsx'
import { documentQuery } from './document.ts'

const Viewer = lazy(() => import('./viewer.tsx'), 'Viewer')

/** The document, and the code that shows it. */
export function loader(): null {
  void queryClient.prefetchQuery(documentQuery)
  Viewer.prefetch()
  return null
}

/** Every operation of the API, to read and to try. */
export function Component() {
  const profile = useProfile()
  const query = useQuery(documentQuery)
  return (
    <>
      <PageTitle
        document={titleOf('docs')}
        heading="API"
        actions={
          <>
            <Link to={paths.settings()} className="control">
              API key
            </Link>
            <a href={urlOfFile('openapi.json')} className="control">
              OpenAPI 3.1
            </a>
          </>
        }
      />
      {query.error ? (
        <Failed title="The operations could not be loaded." query={query} />
      ) : (
        query.data &&
        profile && (
          <div className="flex min-w-0 flex-col gap-4">
            {profile.dataUrl !== '' && (
              <p className="max-w-[80ch] text-muted">
                Requests go to <span className="font-mono text-mono break-all">{profile.dataUrl}</span>; only
                operations that it has are listed.
              </p>
            )}
            <LazyPart title="The operations" fallback={<SkeletonRows count={14} />}>
              <Viewer key={profile.id} document={query.data} profile={profile} />
            </LazyPart>
          </div>
        )
      )}
      {query.isPending && <SkeletonRows count={14} />}
    </>
  )
}

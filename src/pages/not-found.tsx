import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { paths } from '../lib/paths.ts'

/** No page has this address. */
export function Component() {
  return (
    <>
      <PageTitle document="Not found" heading="Page not found" />
      <p className="max-w-[64ch] text-muted">
        The address may be mistyped, or belong to another version. Search above for a height, hash, address or
        name, or go on from the{' '}
        <Link to={paths.overview()} className="link">
          overview
        </Link>
        .
      </p>
    </>
  )
}

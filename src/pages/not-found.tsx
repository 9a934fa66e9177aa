import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { paths } from '../lib/paths.ts'

/** No page has this address. */
export function Component() {
  return (
    <>
      <PageTitle document="Not found" heading="Page not found" />
      <p className="max-w-[64ch] text-muted">
        This page does not exist. Search above, or open the{' '}
        <Link to={paths.overview()} className="link">
          overview
        </Link>
        .
      </p>
    </>
  )
}

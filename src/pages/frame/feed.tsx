import type { ComponentProps } from 'react'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'

// Their code comes beside the page's data, which it judges, and is one chunk with that of `parts/feed.tsx`.
const LazyLink = lazy(() => import('./freshness-link.tsx').then((all) => ({ default: all.FreshnessLink })))
const LazyNotice = lazy(() =>
  import('./connection-notice.tsx').then((all) => ({ default: all.ConnectionNotice })),
)

/** The state of a chain in the top bar; its place stays while that is not known. */
export const FreshnessLink = (props: ComponentProps<typeof LazyLink>) => (
  <LazyExtra fallback={<span className="lg:min-w-44" />}>
    <LazyLink {...props} />
  </LazyExtra>
)

/** What lies over every page while the service does not answer. */
export const ConnectionNotice = () => (
  <LazyExtra>
    <LazyNotice />
  </LazyExtra>
)

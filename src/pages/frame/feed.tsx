import type { ComponentProps } from 'react'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'

// Loaded beside the page's data, in one chunk with `parts/feed.tsx`.
const LazyLink = lazy(() => import('./freshness-link.tsx').then((all) => ({ default: all.FreshnessLink })))
const LazyNotice = lazy(() =>
  import('./connection-notice.tsx').then((all) => ({ default: all.ConnectionNotice })),
)

/** The state of a chain in the top bar; its space is reserved while the state is unknown. */
export const FreshnessLink = (props: ComponentProps<typeof LazyLink>) => (
  <LazyExtra fallback={<span className="lg:min-w-44" />}>
    <LazyLink {...props} />
  </LazyExtra>
)

/** The notice over every page while the service does not answer. */
export const ConnectionNotice = () => (
  <LazyExtra>
    <LazyNotice />
  </LazyExtra>
)

import type { ComponentProps, ReactNode } from 'react'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'

/*
 * The components for the freshness of a page. Their code loads beside the page's data in one chunk, so that it is
 * present before the service fails.
 */
const drawn = (element: ReactNode, fallback?: ReactNode): ReactNode => (
  <LazyExtra fallback={fallback}>{element}</LazyExtra>
)

const LazyPill = lazy(() => import('./chain-state.tsx'), 'ChainPill')
const LazyCount = lazy(() => import('./chain-state.tsx'), 'LiveCount')
const LazyNotice = lazy(() => import('./chain-notice.tsx'), 'ChainNotice')
const LazyUpdates = lazy(() => import('./live-updates.tsx'), 'LiveUpdates')

/** A chain's state in a pill. */
export const ChainPill = (props: ComponentProps<typeof LazyPill>) =>
  drawn(<LazyPill {...props} />, <span className="inline-block h-5 w-16" />)

/** The number of live chains, as text. */
export const LiveCount = (props: ComponentProps<typeof LazyCount>) => drawn(<LazyCount {...props} />)

/** The notice of a chain's page that does not show the current state. */
export const ChainNotice = (props: ComponentProps<typeof LazyNotice>) => drawn(<LazyNotice {...props} />)

/** How updates of the chains arrive, and whether they do. */
export const LiveUpdates = () => drawn(<LazyUpdates />)

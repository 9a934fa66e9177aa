import type { ComponentProps, ReactNode } from 'react'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'

/*
 * What says how fresh the page is. Its code comes beside the page's data, which it judges, and is one chunk
 * (vite.config.ts), so that it is all there before the service is not.
 */
const drawn = (element: ReactNode, fallback?: ReactNode): ReactNode => (
  <LazyExtra fallback={fallback}>{element}</LazyExtra>
)

const LazyPill = lazy(() => import('./chain-state.tsx').then((all) => ({ default: all.ChainPill })))
const LazyCount = lazy(() => import('./chain-state.tsx').then((all) => ({ default: all.LiveCount })))
const LazyNotice = lazy(() => import('./chain-notice.tsx').then((all) => ({ default: all.ChainNotice })))
const LazyUpdates = lazy(() => import('./live-updates.tsx').then((all) => ({ default: all.LiveUpdates })))

/** A chain's state in a pill. */
export const ChainPill = (props: ComponentProps<typeof LazyPill>) =>
  drawn(<LazyPill {...props} />, <span className="inline-block h-5 w-16" />)

/** How many of some chains are live, in words. */
export const LiveCount = (props: ComponentProps<typeof LazyCount>) => drawn(<LazyCount {...props} />)

/** What a page of a chain says when it does not show the chain's present. */
export const ChainNotice = (props: ComponentProps<typeof LazyNotice>) => drawn(<LazyNotice {...props} />)

/** How news of the chains arrives, and whether it does. */
export const LiveUpdates = () => drawn(<LazyUpdates />)

import { lazy } from '../../../components/lazy.ts'
import { LazyExtra } from '../../../components/part.tsx'
import type { Watched } from '../../../lib/storage/watch-list.ts'

const WatchButton = lazy(() => import('./watch-button.tsx').then((all) => ({ default: all.WatchButton })))

/** The button that puts a page's subject on the watch list; disabled until its code has come. */
export function Watch(entry: Watched) {
  return (
    <LazyExtra
      fallback={
        <button type="button" className="control" disabled>
          Watch
        </button>
      }
    >
      <WatchButton {...entry} />
    </LazyExtra>
  )
}

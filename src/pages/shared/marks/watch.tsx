import { lazy } from '../../../components/lazy.ts'
import { LazyExtra } from '../../../components/part.tsx'
import type { Watched } from '../../../lib/storage/watch-list.ts'
import { Button } from '../../../components/controls.tsx'

const WatchButton = lazy(() => import('./watch-button.tsx'), 'WatchButton')

/** The button that puts a page's subject on the watch list; disabled until its code has come. */
export function Watch(entry: Watched) {
  return (
    <LazyExtra fallback={<Button disabled>Watch</Button>}>
      <WatchButton {...entry} />
    </LazyExtra>
  )
}

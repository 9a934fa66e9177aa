import { Layers } from '../../components/overlays/layers.tsx'
import { WatchLate } from '../watch/late/late.tsx'
import { useChainFollowing } from './following.ts'

/** What every page has and none needs for its first paint: tooltips and highlights, the watch, the current chain. */
export function Late() {
  useChainFollowing()
  return (
    <>
      <Layers />
      <WatchLate />
    </>
  )
}

import { useStore } from '../../../components/hooks.ts'
import { CheckIcon } from '../../../components/icons.ts'
import { holds, toggleWatched, watchList, type Watched } from '../../../lib/storage/watch-list.ts'
import { Button } from '../../../components/controls.tsx'

/** Puts an entry on the watch list of this browser, or takes it off. */
export function Watch(entry: Watched) {
  const on = useStore(watchList, (list) => holds(list, entry))
  return (
    <Button
      aria-pressed={on}
      title="The watch list is kept in this browser, on the page Watch list"
      onClick={() => toggleWatched(entry)}
    >
      {on && <CheckIcon size={14} />}
      Watch
    </Button>
  )
}

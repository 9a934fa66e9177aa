import * as z from 'zod/mini'
import { titleOf } from '../../../contract/pages.ts'
import { useStore } from '../../components/hooks.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Section } from '../../components/section.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { labels } from '../../lib/storage/labels.ts'
import { exportWatchList, importWatchList } from '../../lib/storage/watch-file.ts'
import { watchList } from '../../lib/storage/watch-list.ts'
import { FileTransfer } from '../shared/file-transfer.tsx'
import { countedWatched } from './counted-watched.ts'
import { Labelled } from './labelled.tsx'
import { PasteBox } from './paste-box.tsx'
import { WatchedList } from './watched-list.tsx'

const tabSchema = z.object({ tab: z.catch(z.enum(['watched', 'labels']), 'watched') })

/** What this browser watches, and the names that it keeps. */
export function Component() {
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const watched = useStore(watchList).length
  const named = useStore(labels, (all) => Object.keys(all).length)
  return (
    <>
      <PageTitle document={titleOf('watchList')} heading="Watch list" />
      <Tabs
        label="Lists of this browser"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'watched' as const, label: 'Watched', ...(watched > 0 && { count: watched }) },
          { id: 'labels' as const, label: 'Labels', ...(named > 0 && { count: named }) },
        ]}
      >
        {tab === 'labels' ? (
          <Labelled />
        ) : (
          <div className="flex flex-col gap-8">
            <WatchedList />
            <Section title="Add to the list" note="Kept in this browser, never sent">
              <div className="flex flex-col gap-4">
                <PasteBox />
                <FileTransfer
                  what="watch list"
                  name="ridgeline-watch-list.json"
                  empty={watched === 0}
                  save={exportWatchList}
                  read={(text) => {
                    const words = countedWatched(importWatchList(text))
                    return `${words.charAt(0).toUpperCase()}${words.slice(1)} added.`
                  }}
                />
              </div>
            </Section>
          </div>
        )}
      </Tabs>
    </>
  )
}

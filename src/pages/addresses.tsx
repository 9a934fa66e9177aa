import { PageTitle } from '../components/page-title.tsx'
import { Labelled, WatchList } from './address/watch-list.tsx'

/** The addresses that this browser watches, and those that it has a name for. */
export function Component() {
  return (
    <>
      <PageTitle document="Addresses" heading="Addresses" />
      <div className="flex max-w-[80ch] flex-col gap-8">
        <p className="text-muted">The addresses that you watch, and those that you gave a name.</p>
        <WatchList />
        <Labelled />
      </div>
    </>
  )
}

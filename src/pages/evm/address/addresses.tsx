import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { paths } from '../../../lib/paths.ts'
import { PasteBox } from './paste-box.tsx'
import { Labelled, WatchedValidators, WatchList } from './watch-list.tsx'

/** The watched addresses and validators of this browser, and those with a private label. */
export function Component() {
  return (
    <>
      <PageTitle document="Watch list" heading="Watch list" />
      <div className="flex max-w-[80ch] flex-col gap-8">
        <p className="text-muted">
          The addresses and validators that you watch, and those that you gave a name.{' '}
          <Link to={paths.settings()} className="link">
            Export or import them in Settings
          </Link>
        </p>
        <PasteBox />
        <WatchList />
        <WatchedValidators />
        <Labelled />
      </div>
    </>
  )
}

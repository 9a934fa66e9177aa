import { useQuery } from '@tanstack/react-query'
import { fleetsQuery } from '../../../api/watch/fleets.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { safeText } from '../../../lib/text.ts'

/** The path of a fleet's feed in the other format. */
const rssOf = (path: string): string => path.replace(/\.atom$/, '.rss')

/** The feeds of the fleets for feed readers. A feed's address is its key, so only those who may write see it. */
export function Feeds() {
  const { data } = useQuery(fleetsQuery())
  const fleets = (data ?? []).flatMap(({ fleetId, name, feedPath }) =>
    feedPath === undefined ? [] : [{ fleetId, name: safeText(name), feedPath }],
  )
  return (
    <>
      <ul aria-label="Feeds" className="border-t border-line">
        {fleets.map(({ fleetId, name, feedPath }) => (
          <li key={fleetId} className="flex min-h-9 flex-wrap items-center gap-x-4 border-b border-line">
            <span className="min-w-0 flex-1 basis-40 truncate">{name}</span>
            {[
              ['Atom', feedPath],
              ['RSS', rssOf(feedPath)],
            ].map(([label = '', path = '']) => (
              <span key={label} className="inline-flex items-center">
                <a className="link" href={path} aria-label={`${label} feed of ${name}`}>
                  {label}
                </a>
                <CopyButton
                  text={new URL(path, location.origin).href}
                  name={`address of the ${label} feed of ${name}`}
                />
              </span>
            ))}
          </li>
        ))}
      </ul>
      <p className="pt-2 text-xs text-muted">
        Anybody who has the address of a feed can read it. Treat it like a password.
      </p>
    </>
  )
}

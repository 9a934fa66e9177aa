import { pathOf } from '../../../contract/pages.ts'
import { watchFeedTypes, type watchFeedFormats } from '../../../contract/watch/alarms.ts'
import { markupText } from '../../kernel/markup.ts'
import type { AlarmRow, FleetRow } from '../../store/watch/read-watch.ts'

type Format = (typeof watchFeedFormats)[number]

const iso = (ts: number): string => new Date(ts * 1000).toISOString().replace('.000Z', 'Z')
const rfc822 = (ts: number): string => new Date(ts * 1000).toUTCString().replace('GMT', '+0000')

const updatedOf = (row: AlarmRow): number => Number(row.resolved_ts ?? row.opened_ts)

const headlineOf = (row: AlarmRow): string =>
  row.resolved_ts !== null && row.end_reason !== 'event' ? `Resolved: ${row.title}` : row.title

/**
 * The alarms of a fleet as an Atom feed (RFC 4287) or RSS 2.0. An entry keeps its id when its alarm ends, so that a
 * reader shows it as changed.
 */
export function alarmFeed(
  format: Format,
  fleet: FleetRow,
  rows: readonly AlarmRow[],
  origin: string,
): string {
  const title = markupText(`Alarms of ${fleet.name}`)
  const updated = rows.reduce((latest, row) => Math.max(latest, updatedOf(row)), Number(fleet.created_ts))
  const link = markupText(`${origin}${pathOf('alarms', { fleet: fleet.fleet })}`)
  if (format === 'atom') {
    const entries = rows.map(
      (row) => `
  <entry>
    <id>urn:uuid:${row.alarm}</id>
    <title>${markupText(headlineOf(row))}</title>
    <link href="${link}"/>
    <published>${iso(Number(row.opened_ts))}</published>
    <updated>${iso(updatedOf(row))}</updated>
    <category term="${markupText(row.severity)}"/>
    <summary>${markupText(row.text)}</summary>
  </entry>`,
    )
    return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${fleet.fleet}</id>
  <title>${title}</title>
  <author><name>Ridgeline</name></author>
  <link href="${link}"/>
  <updated>${iso(updated)}</updated>${entries.join('')}
</feed>
`
  }
  const items = rows.map(
    (row) => `
    <item>
      <guid isPermaLink="false">urn:uuid:${row.alarm}</guid>
      <title>${markupText(headlineOf(row))}</title>
      <link>${link}</link>
      <pubDate>${rfc822(Number(row.opened_ts))}</pubDate>
      <category>${markupText(row.severity)}</category>
      <description>${markupText(row.text)}</description>
    </item>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0">
  <channel>
    <title>${title}</title>
    <link>${link}</link>
    <description>${title}</description>
    <lastBuildDate>${rfc822(updated)}</lastBuildDate>${items.join('')}
  </channel>
</rss>
`
}

export const feedType = (format: Format): string => watchFeedTypes[format]

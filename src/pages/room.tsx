import { useLocation } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/chains.ts'
import { PageTitle } from '../components/page-title.tsx'
import { Section } from '../components/section.tsx'

type Room = {
  title: string
  intro: string
  will: readonly string[]
  operations: readonly string[]
  today?: string
}

const hosted =
  'The hosted service of this profile has these paths; the pages that show them come with the next versions.'

const rooms: Record<string, Room> = {
  node: {
    title: 'Node',
    intro: 'A console for the node behind this service.',
    will: [
      'log levels, profilers, aliases and virtual machines',
      'a JSON-RPC editor with batches of up to 40 calls, and websocket subscriptions',
      'chain and fee configuration, active rules, and genesis against the running configuration',
    ],
    operations: ['/ext/admin', '/ext/bc/C/rpc', '/ext/bc/C/admin'],
    today:
      'The service has no gateway to its node yet and answers these paths with 404 Not Found. The node itself has them, at the address that the configuration of each chain shows.',
  },
  api: {
    title: 'API',
    intro:
      'Everything that these pages show comes from the service’s own REST interface, which is open to you.',
    will: ['a page that tries out each operation with the key of this profile'],
    operations: [],
  },
}

function ApiLinks() {
  const session = useQuery(sessionQuery()).data
  return (
    <Section title="Documentation">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>
          <a href="/docs" className="link">
            The operations, to read and to try
          </a>
        </li>
        <li>
          <a href="/openapi.json" className="link">
            The OpenAPI 3.1 document
          </a>
        </li>
        {session && session.profile.dataUrl !== '' && (
          <li>
            This profile’s pages are read from{' '}
            <span className="font-mono text-mono break-all">{session.profile.dataUrl}</span>; the documents
            above are those of the service that served this page.
          </li>
        )}
      </ul>
    </Section>
  )
}

/** A room of the rail that a later version fills: what will be here, and what the service answers today. */
export function Component() {
  const { pathname } = useLocation()
  const id = pathname.split('/').find((part) => Object.hasOwn(rooms, part)) ?? ''
  const room = rooms[id]
  const own = useQuery(sessionQuery()).data?.profile.dataUrl === ''
  if (!room) return null
  return (
    <>
      <PageTitle document={room.title} heading={room.title} />
      <div className="flex max-w-[80ch] flex-col gap-8">
        <p className="text-muted">{room.intro}</p>
        {id === 'api' && <ApiLinks />}
        <Section title="What will be here">
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {room.will.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Section>
        {room.operations.length > 0 && (
          <Section title="What the service answers today">
            <p className="pb-3 text-muted">{own ? room.today : hosted}</p>
            <ul className="border-t border-line">
              {room.operations.map((path) => (
                <li key={path} className="border-b border-line py-2 font-mono text-mono break-all">
                  {path}
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </>
  )
}

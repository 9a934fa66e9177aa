import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { queryClient } from '../../../api/query-client.ts'
import { channelsQuery } from '../../../api/watch/channels.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { WatchFailed } from '../shared/failed.tsx'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { Button } from '../../../components/controls.tsx'
import { ChannelForm } from './channel-form.tsx'
import { ChannelRow } from './channel-row.tsx'
import { DeadLetters } from './dead-letters.tsx'

const schema = z.object({ add: z.catch(z.enum(['', 'yes']), '') })

/** Requests how things stand, the channels, and the messages that were given up. */
export function loader(): null {
  void queryClient.prefetchQuery(summaryQuery())
  void queryClient.prefetchQuery(channelsQuery())
  return null
}

function List({ mayWrite }: { mayWrite: boolean }) {
  const [{ add }, setSearch] = useSearchState(schema)
  const { data, error, isPending, refetch } = useQuery(channelsQuery())
  if (isPending) return <SkeletonRows count={4} height={56} />
  if (error && !data)
    return <WatchFailed title="The channels could not be loaded." error={error} onRetry={refetch} />
  return (
    <div className="flex flex-col gap-3">
      {add === 'yes' && mayWrite && <ChannelForm onClose={() => setSearch({ add: '' })} />}
      {data.length > 0 ? (
        <ul aria-label="Channels" className="border-t border-line">
          {data.map((channel) => (
            <ChannelRow key={channel.channelId} channel={channel} mayWrite={mayWrite} />
          ))}
        </ul>
      ) : (
        (add === '' || !mayWrite) && (
          <EmptyState title="No channels yet">
            <p>
              A channel is where messages go: a phone by ntfy, a chat, PagerDuty, e-mail or a webhook. Rules
              name the channels that they send to; a test shows at once whether messages arrive.
            </p>
            {mayWrite && (
              <Button className="text-text" onClick={() => setSearch({ add: 'yes' })}>
                Add a channel
              </Button>
            )}
          </EmptyState>
        )
      )}
    </div>
  )
}

function Channels() {
  const mayWrite = useMayWrite()
  const dead = useQuery(summaryQuery()).data?.deadDeliveries ?? 0
  return (
    <div className="flex flex-col gap-8">
      <List mayWrite={mayWrite} />
      {dead > 0 && (
        <Section title="Not delivered" note="after the last attempt">
          <DeadLetters mayWrite={mayWrite} />
        </Section>
      )}
    </div>
  )
}

function Actions() {
  const [, setSearch] = useSearchState(schema)
  return useMayWrite() ? <Button onClick={() => setSearch({ add: 'yes' })}>Add a channel</Button> : null
}

/** The ways by which alarms are sent, and the messages that did not arrive. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('channels')} heading="Channels" actions={<Actions />} />
      <WatchSections>
        <Channels />
      </WatchSections>
    </>
  )
}

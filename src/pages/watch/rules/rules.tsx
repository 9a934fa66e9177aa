import { useQuery } from '@tanstack/react-query'
import { titleOf } from '../../../../contract/pages.ts'
import type { WatchRule } from '../../../../contract/watch/rules.ts'
import { queryClient } from '../../../api/query-client.ts'
import { rulesQuery } from '../../../api/watch/rules.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { Address } from '../../../components/address.tsx'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { column, countColumn } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { WatchFailed } from '../shared/failed.tsx'
import { ruleCondition, ruleStanding } from '../shared/rule-words.ts'
import { useMayWrite, WatchSections } from '../shared/sections.tsx'
import { SeverityPill } from '../shared/severity.tsx'
import { Start } from '../shared/start.tsx'
import { countText } from '../shared/words.ts'
import { spanText } from '../../../lib/time.ts'
import { factsOf } from './draft.ts'

/** Requests how things stand and the rules. */
export function loader(): null {
  void queryClient.prefetchQuery(summaryQuery())
  void queryClient.prefetchQuery(rulesQuery())
  return null
}

const rowKey = ({ ruleId }: WatchRule): string => ruleId
const rowHref = ({ ruleId }: WatchRule): string => paths.rule(ruleId)

const columns: readonly Column<WatchRule>[] = [
  {
    id: 'name',
    header: 'Rule',
    always: true,
    narrow: 'title',
    cell: ({ ruleId, name, kind }) => (
      <span className="inline-flex max-w-full min-w-0 items-baseline gap-2">
        <Link to={paths.rule(ruleId)} className="link min-w-0 truncate">
          {safeText(name)}
        </Link>
        {factsOf(kind).title !== name && (
          <span className="shrink-0 text-xs text-muted max-md:hidden">{factsOf(kind).title}</span>
        )}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '130px',
    narrow: 'side',
    cell: (rule) => {
      const { state, text } = ruleStanding(rule)
      return <Pill state={state}>{text}</Pill>
    },
  },
  {
    id: 'for',
    header: 'For',
    width: '180px',
    narrow: 'below',
    cell: ({ fleetId, fleetName, network, chainId, address }) =>
      chainId !== undefined && address !== undefined ? (
        <Address address={address} chainId={chainId} />
      ) : chainId !== undefined ? (
        <Link to={paths.chain(chainId)} className="link">
          Chain {chainId}
        </Link>
      ) : fleetId === undefined ? (
        <span className="text-muted">{network ?? 'this service'}</span>
      ) : (
        <Link to={paths.fleet(fleetId)} className="link">
          {safeText(fleetName ?? 'Fleet')}
        </Link>
      ),
  },
  {
    id: 'condition',
    header: 'Fires when',
    width: '240px',
    cell: (rule) => <span className="text-muted">{ruleCondition(rule)}</span>,
  },
  {
    id: 'severity',
    header: 'Severity',
    width: '110px',
    cell: ({ severity }) => <SeverityPill severity={severity} />,
  },
  countColumn<WatchRule>('channels', 'Channels', ({ channelIds }) => channelIds.length, {
    width: '100px',
    narrow: 'belowSide',
    noun: 'channel',
  }),
  column<WatchRule, number>(
    'repeat',
    'Sent again',
    ({ repeatSeconds }) => repeatSeconds,
    { show: (seconds) => (seconds === 0 ? 'never' : `every ${spanText(seconds)}`) },
    { width: '130px', hidden: true },
  ),
]

function sentence(rules: readonly WatchRule[]): string {
  const silent = rules.filter(({ isEnabled, channelIds }) => isEnabled && channelIds.length === 0).length
  const off = rules.filter(({ isEnabled }) => !isEnabled).length
  const firing = rules.filter(({ isEnabled, states }) => isEnabled && states.firing > 0).length
  const parts = [
    firing > 0 ? `${countText(firing, 'is', 'are')} firing` : 'none is firing',
    silent > 0 && `${countText(silent, 'notifies', 'notify')} nobody`,
    off > 0 && `${countText(off, 'is', 'are')} off`,
  ].filter((part) => part !== false)
  return `${countText(rules.length, 'rule')}: ${parts.join('; ')}.`
}

function Rules() {
  const { data, error, isPending, refetch } = useQuery(rulesQuery())
  if (isPending) return <SkeletonRows count={8} />
  if (error && !data)
    return <WatchFailed title="The rules could not be loaded." error={error} onRetry={refetch} />
  if (data.length === 0) return <Start />
  return (
    <>
      <p className="mb-3">{sentence(data)}</p>
      <WholeTable
        id="watch-rules"
        label="Rules"
        noun="rule"
        columns={columns}
        rows={data ?? []}
        rowKey={rowKey}
        rowHref={rowHref}
      />
    </>
  )
}

function Actions() {
  return useMayWrite() ? (
    <Link to={paths.rule('new')} className="control">
      Add a rule
    </Link>
  ) : null
}

/** Every rule, with what fires it and its worst state. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('rules')} heading="Rules" actions={<Actions />} />
      <WatchSections>
        <Rules />
      </WatchSections>
    </>
  )
}

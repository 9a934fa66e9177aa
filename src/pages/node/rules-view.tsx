import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { chainConfigQuery, precompilesQuery, rulesQuery } from '../../api/node/node-queries.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { useNow, useZone } from '../../components/hooks.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { textColumn } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { Table } from '../../components/table/table.tsx'
import { momentForms, parseMoment } from '../../lib/moment.ts'
import { pagedRows } from '../../lib/paging.ts'
import { formatDay, formatTime } from '../../lib/time.ts'
import { SettingsTables } from '../network/blockchain/settings-table.tsx'
import { Button, Form, Input } from '../../components/controls.tsx'
import { NodeFailed } from './shared/node-failed.tsx'
import { ruleMoments, ruleRows, type RuleMoment, type RuleRow } from './rules.ts'
import { Labelled } from './shared/act.tsx'

const columns: Column<RuleRow>[] = [
  textColumn('name', 'Rule', ({ name }) => name, { always: true, width: '280px', narrow: 'title' }),
  {
    id: 'group',
    header: 'Of',
    width: '140px',
    narrow: 'below',
    cell: ({ group }) => <span className="text-muted">{group}</span>,
    text: ({ group }) => group,
  },
  textColumn('value', 'Then', ({ value }) => value, { width: '120px', narrow: 'side' }),
  {
    id: 'now',
    header: 'At the newest block',
    narrow: 'belowSide',
    cell: ({ value, now }) =>
      now === undefined || now === value ? (
        <span className="text-muted">the same</span>
      ) : (
        <span className="font-strong">{now}</span>
      ),
    text: ({ now }) => now ?? '',
  },
]
const rowKey = ({ group, name }: RuleRow): string => `${group} ${name}`

type LineProps = {
  moments: readonly RuleMoment[]
  at: number | undefined
  onAt: (at: number | undefined) => void
}

/** The rule changes of a chain in order, with the current time among them; each is a button. */
function TimeLine({ moments, at, onAt }: LineProps) {
  const zone = useZone()
  const now = useNow(60)
  const future = moments.findIndex((moment) => moment.at > now)
  const present = (
    <li key="now" className="flex flex-col items-stretch md:min-w-28">
      <Button
        className="h-auto! flex-col items-start! gap-0! py-1"
        aria-pressed={at === undefined}
        onClick={() => onAt(undefined)}
      >
        <span>Now</span>
        <span className="text-xs text-muted">newest block</span>
      </Button>
    </li>
  )
  const items = moments.map((moment) => (
    <li key={moment.at} className="flex min-w-0 flex-col items-stretch md:min-w-28">
      <Button
        className="h-auto! min-w-0 flex-col items-start! gap-0! py-1"
        aria-pressed={at === moment.at}
        title={`${moment.at === 0 ? 'From the start' : formatTime(moment.at, zone)}: ${moment.changes.join(', ')}`}
        onClick={() => onAt(moment.at)}
      >
        <span>{moment.at === 0 ? 'The start' : formatDay(moment.at, zone)}</span>
        <span className="max-w-56 truncate text-xs text-muted">
          {moment.changes.slice(0, 2).join(', ')}
          {moment.changes.length > 2 && ` and ${moment.changes.length - 2} more`}
        </span>
      </Button>
    </li>
  ))
  const place = future === -1 ? items.length : future
  return (
    <ol
      aria-label="Changes of the rules, oldest first; distances are not to scale"
      className="flex flex-wrap items-stretch gap-2 border-l-2 border-line-strong pl-3 md:border-t-2 md:border-l-0 md:pt-3 md:pl-0"
    >
      {[...items.slice(0, place), present, ...items.slice(place)]}
    </ol>
  )
}

type PickerProps = { at: number | undefined; onAt: (at: number | undefined) => void }

function TimePicker({ at, onAt }: PickerProps) {
  const id = useId()
  const zone = useZone()
  const shown = at === undefined ? '' : formatTime(at, zone)
  const [text, setText] = useState(shown)
  const [seen, setSeen] = useState(shown)
  const [wrong, setWrong] = useState(false)
  // The time line and Back change the field's value.
  if (seen !== shown) {
    setSeen(shown)
    setText(shown)
    setWrong(false)
  }
  return (
    <Form
      className="flex flex-wrap items-end gap-2"
      onSubmit={() => {
        const moment = parseMoment(text, zone)
        setWrong(moment === undefined)
        if (moment !== undefined) onAt(moment)
      }}
    >
      <Labelled label={`Moment, ${zone === 'utc' ? 'UTC' : 'local time'}`}>
        <Input
          className="w-64"
          placeholder="date or time"
          required
          title={momentForms}
          aria-invalid={wrong}
          aria-describedby={wrong ? id : undefined}
          value={text}
          onChange={(typed) => {
            setText(typed)
            setWrong(false)
          }}
        />
      </Labelled>
      <Button type="submit">Show the rules</Button>
      {wrong && (
        <span id={id} role="alert" className="w-full text-xs text-bad">
          Give a date such as {momentForms}.
        </span>
      )}
    </Form>
  )
}

type Props = PickerProps & { target: NodeTarget; chain: string; chainId: string | undefined }

function RulesTable({ target, chain, at }: Omit<Props, 'onAt' | 'chainId'>) {
  const then = useQuery(rulesQuery(target, chain, at))
  const now = useQuery(rulesQuery(target, chain, undefined))
  const rows = useMemo(() => then.data && ruleRows(then.data, now.data), [then.data, now.data])
  if (then.error && !rows)
    return (
      <NodeFailed
        title="The rules could not be read."
        query={then}
        absent="Chains of a subnet EVM tell their rules by time (eth_getActiveRulesAt); the C-Chain does not. Its network upgrades are the moments above."
      />
    )
  if (!rows) return <SkeletonRows count={14} />
  return (
    <div aria-busy={then.isPlaceholderData}>
      <Table id="node-rules" label="Rules" columns={columns} rows={pagedRows([rows])} rowKey={rowKey} />
    </div>
  )
}

function ActivePrecompiles({ target, chain, at, chainId }: Omit<Props, 'onAt'>) {
  const query = useQuery(precompilesQuery(target, chain, at))
  // The rules above show the same, with the reason if a node has neither.
  if (query.error || !query.data) return null
  if (Object.keys(query.data).length === 0)
    return <p className="text-muted">No precompile is active at this moment.</p>
  return <SettingsTables genesis={{ config: query.data }} chainId={chainId} />
}

/** The rules of a chain over time: their changes, and the rules at a chosen time. */
export function Rules({ target, chain, chainId, at, onAt }: Props) {
  const config = useQuery(chainConfigQuery(target, chain)).data
  const moments = useMemo(() => (config ? ruleMoments(config) : []), [config])
  return (
    <div className="flex flex-col gap-4">
      <TimeLine moments={moments} at={at} onAt={onAt} />
      <TimePicker at={at} onAt={onAt} />
      <RulesTable target={target} chain={chain} at={at} />
      <ActivePrecompiles target={target} chain={chain} at={at} chainId={chainId} />
    </div>
  )
}

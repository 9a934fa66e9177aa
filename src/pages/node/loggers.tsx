import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { askNode, loggersQuery, nodePaths } from '../../api/node/node-queries.ts'
import { emptyResult, type LoggerLevels } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { SkeletonRows } from '../../components/skeleton.tsx'
import type { Column } from '../../components/table/columns.ts'
import { Table } from '../../components/table/table.tsx'
import { useRequest } from '../../components/use-request.ts'
import { pagedRows } from '../../lib/paging.ts'
import { safeText } from '../../lib/text.ts'
import { Form, Select } from '../../components/controls.tsx'
import { AskedButton, OutcomeLine, Labelled } from './shared/act.tsx'
import { NodeFailed } from './shared/node-failed.tsx'

/** The log levels of a node, from none to all. */
const logLevels = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const

type Row = LoggerLevels & { name: string }

const columns: Column<Row>[] = [
  {
    id: 'name',
    header: 'Logger',
    always: true,
    narrow: 'title',
    cell: ({ name }) => (
      <span className="font-mono text-mono" title={name}>
        {safeText(name, 80)}
      </span>
    ),
    text: ({ name }) => name,
  },
  {
    id: 'log',
    header: 'In the file',
    width: '160px',
    narrow: 'below',
    cell: ({ logLevel }) => safeText(logLevel, 20),
    text: ({ logLevel }) => logLevel,
  },
  {
    id: 'display',
    header: 'On the screen',
    width: '160px',
    narrow: 'belowSide',
    cell: ({ displayLevel }) => safeText(displayLevel, 20),
    text: ({ displayLevel }) => displayLevel,
  },
]
const rowKey = ({ name }: Row): string => name

function LevelSelect({
  label,
  value,
  required,
  onValue,
}: {
  label: string
  value: string
  required: boolean
  onValue: (value: string) => void
}) {
  return (
    <Labelled label={label}>
      <Select
        value={value}
        required={required}
        options={[{ id: '', label: 'as it is' }, ...logLevels]}
        onChange={onValue}
      />
    </Labelled>
  )
}

/** The loggers of a node with their two levels, and a form to change one or all of them. */
export function Loggers({ target }: { target: NodeTarget }) {
  const query = useQuery(loggersQuery(target))
  const [logger, setLogger] = useState('')
  const [logLevel, setLogLevel] = useState('')
  const [displayLevel, setDisplayLevel] = useState('')
  const rows = useMemo(
    () => Object.entries(query.data?.loggerLevels ?? {}).map(([name, levels]): Row => ({ name, ...levels })),
    [query.data],
  )
  const request = useRequest(async (_: void, signal) => {
    const params = {
      ...(logger && { loggerName: logger }),
      ...(logLevel && { logLevel }),
      ...(displayLevel && { displayLevel }),
    }
    await askNode(target, nodePaths.admin, 'admin.setLoggerLevel', params, emptyResult, signal)
    await query.refetch()
    return 'The levels are changed.'
  })
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The loggers could not be read."
        query={query}
        administration={{ of: 'node', target }}
      />
    )
  if (!query.data) return <SkeletonRows count={6} />
  const changes = [
    logLevel && `what goes to the file to ${logLevel}`,
    displayLevel && `what goes to the screen to ${displayLevel}`,
  ].filter(Boolean)
  return (
    <div className="flex flex-col gap-3">
      <Table id="node-loggers" label="Loggers" columns={columns} rows={pagedRows([rows])} rowKey={rowKey} />
      <Form className="flex flex-wrap items-end gap-3" onSubmit={() => undefined}>
        <Labelled label="Logger">
          <Select
            value={logger}
            className="max-w-60"
            options={[
              { id: '', label: 'every logger' },
              ...rows.map(({ name }) => ({ id: name, label: safeText(name, 60) })),
            ]}
            onChange={setLogger}
          />
        </Labelled>
        <LevelSelect
          label="In the file"
          value={logLevel}
          required={changes.length === 0}
          onValue={setLogLevel}
        />
        <LevelSelect label="On the screen" value={displayLevel} required={false} onValue={setDisplayLevel} />
        <AskedButton
          target={target}
          label="Change levels"
          title="Change the levels of the log?"
          disabled={request.isPending}
          onConfirm={() => request.mutate()}
        >
          <p>
            Sets {changes.join(' and ')} for{' '}
            {logger === '' ? 'every logger' : <span className="font-mono text-mono break-all">{logger}</span>}
            .
          </p>
        </AskedButton>
      </Form>
      <OutcomeLine request={request} />
    </div>
  )
}

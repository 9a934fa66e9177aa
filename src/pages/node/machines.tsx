import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { askNode, nodePaths, vmsQuery } from '../../api/node/node-queries.ts'
import { loadedVms } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Hash } from '../../components/hash.tsx'
import { Pill } from '../../components/pill.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { useRequest } from '../../components/use-request.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural, safeText } from '../../lib/text.ts'
import { Facts } from '../shared/facts.tsx'
import { AskedButton, OutcomeLine } from './shared/act.tsx'
import { NodeFailed } from './shared/node-failed.tsx'

const namesText = (names: readonly string[]): string =>
  names.length === 0 ? 'without an alias' : safeText(names.join(', '), 200)

/** The virtual machines of a node, by id. */
export function Machines({ target }: { target: NodeTarget }) {
  const query = useQuery(vmsQuery(target))
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The virtual machines could not be read."
        query={query}
        absent="Nodes of an older release do not tell their virtual machines."
      />
    )
  if (!query.data) return <SkeletonRows count={3} />
  return (
    <Facts
      label="Virtual machines"
      facts={Object.entries(query.data.vms).map(([id, names]) => ({
        label: namesText(names),
        value: <Hash value={id} name="virtual machine ID" full copy />,
      }))}
    />
  )
}

/** Loads new plugins from the plugin folder and shows the result of each. */
export function LoadMachines({ target }: { target: NodeTarget }) {
  const [loaded, setLoaded] = useState<z.output<typeof loadedVms>>()
  const known = useQuery(vmsQuery(target))
  const request = useRequest(async (_: void, signal) => {
    const result = await askNode(target, nodePaths.admin, 'admin.loadVMs', {}, loadedVms, signal)
    setLoaded(result)
    await known.refetch()
    const count = Object.keys(result.newVMs).length
    const failed = Object.keys(result.failedVMs).length
    return `${formatInteger(count)} new ${plural(count, 'virtual machine')}, ${formatInteger(failed)} failed.`
  })
  const failed = Object.entries(loaded?.failedVMs ?? {})
  return (
    <div className="flex flex-col gap-2">
      <div>
        <AskedButton
          target={target}
          label="Load virtual machines"
          title="Load what is new in the plugin folder?"
          disabled={request.isPending}
          onConfirm={() => request.mutate()}
        >
          <p>The node runs every plugin that it does not know yet. Those that fail are named once only.</p>
        </AskedButton>
      </div>
      <OutcomeLine request={request} />
      {loaded && (
        <ul aria-label="Loaded virtual machines">
          {Object.entries(loaded.newVMs).map(([id, names]) => (
            <li key={id} className="flex min-h-9 flex-wrap items-center gap-2 border-b border-line py-1">
              <Pill state="ok">new</Pill>
              <Hash value={id} name="virtual machine ID" copy />
              <span className="text-muted">{namesText(names)}</span>
            </li>
          ))}
          {failed.map(([id, reason]) => (
            <li key={id} className="flex min-h-9 flex-wrap items-center gap-2 border-b border-line py-1">
              <Pill state="failed">failed</Pill>
              <Hash value={id} name="virtual machine ID" copy />
              <span className="min-w-0 break-words text-muted">{safeText(reason, 400)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askNode, chainAdminMethod, nodePaths, vmConfigQuery } from '../../api/node/node-queries.ts'
import { emptyResult } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Disclosure } from '../../components/disclosure.tsx'
import { JsonTree } from '../../components/json-tree.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { useRequest } from '../../components/use-request.ts'
import { Select } from '../../components/controls.tsx'
import { AskedButton, OutcomeLine, Labelled } from './shared/act.tsx'
import { NodeFailed } from './shared/node-failed.tsx'
import { Profiler, SnapshotProfiles } from './shared/profiler-view.tsx'

/** The levels of a chain's own log. */
const levels = ['crit', 'error', 'warn', 'info', 'debug', 'trace'] as const

function LogLevel({ target, chain }: { target: NodeTarget; chain: string }) {
  const [level, setLevel] = useState<string>('info')
  const request = useRequest(async (_: void, signal) => {
    const method = chainAdminMethod(target, 'setLogLevel')
    await askNode(target, nodePaths.chainAdmin(chain), method, [{ level }], emptyResult, signal)
    return `The level is ${level} now.`
  })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <Labelled label="Level of the chain’s log">
          <Select value={level} options={levels} onChange={setLevel} />
        </Labelled>
        <AskedButton
          target={target}
          label="Set the level"
          title="Change the level of the chain’s log?"
          disabled={request.isPending}
          onConfirm={() => request.mutate()}
        >
          <p>Sets the log of this chain to {level}. A node does not tell which level it had.</p>
        </AskedButton>
      </div>
      <OutcomeLine request={request} />
    </div>
  )
}

/** Administration of one chain: profiles, log level, and the running configuration. */
export function ChainAdmin({ target, chain }: { target: NodeTarget; chain: string }) {
  const config = useQuery(vmConfigQuery(target, chain))
  if (config.error && !config.data)
    return (
      <NodeFailed
        title="The administration of the chain did not answer."
        query={config}
        administration={{ of: 'chain', target }}
      />
    )
  if (!config.data) return <SkeletonRows count={8} />
  const path = nodePaths.chainAdmin(chain)
  const named = (name: string): string => chainAdminMethod(target, name)
  return (
    <div className="flex flex-col gap-6">
      <Profiler
        target={target}
        path={path}
        methods={{ start: named('startCPUProfiler'), stop: named('stopCPUProfiler') }}
        params={[]}
        file="its profile"
      />
      <SnapshotProfiles
        target={target}
        path={path}
        params={[]}
        methods={[
          { label: 'Write the memory profile', method: named('memoryProfile'), file: 'the memory profile' },
          { label: 'Write the lock profile', method: named('lockProfile'), file: 'the lock profile' },
        ]}
      />
      <LogLevel target={target} chain={chain} />
      <Disclosure look="part" summary="Configuration of the virtual machine">
        <JsonTree value={config.data.config} label="Configuration of the virtual machine" />
      </Disclosure>
    </div>
  )
}

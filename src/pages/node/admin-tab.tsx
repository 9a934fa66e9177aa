import { useQuery } from '@tanstack/react-query'
import { loggersQuery, nodePaths } from '../../api/node/node-queries.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Section } from '../../components/section.tsx'
import { Aliases } from './aliases.tsx'
import { Loggers } from './loggers.tsx'
import { LoadMachines } from './machines.tsx'
import { FoldedSection } from './shared/folded-section.tsx'
import { isAdminClosed, NodeFailed } from './shared/node-failed.tsx'
import { Profiler, SnapshotProfiles } from './shared/profiler-view.tsx'
import { TokenGate, TokenNote } from './shared/token-box.tsx'

function Administration({ target }: { target: NodeTarget }) {
  const loggers = useQuery(loggersQuery(target))
  if (loggers.error && !loggers.data && isAdminClosed(loggers.error))
    return (
      <Section title="Administration">
        <NodeFailed
          title="Administration could not be reached."
          query={loggers}
          administration={{ of: 'node', target }}
        />
      </Section>
    )
  const { admin } = nodePaths
  return (
    <>
      {target.kind === 'gateway' && <TokenNote />}
      <FoldedSection title="Loggers">
        <Loggers target={target} />
      </FoldedSection>
      <FoldedSection title="CPU profiler">
        <Profiler
          target={target}
          path={admin}
          methods={{ start: 'admin.startCPUProfiler', stop: 'admin.stopCPUProfiler' }}
          params={{}}
          file="cpu.profile"
        />
      </FoldedSection>
      <FoldedSection title="Memory and lock profiles" note="files on the node">
        <SnapshotProfiles
          target={target}
          path={admin}
          params={{}}
          methods={[
            { label: 'Write the memory profile', method: 'admin.memoryProfile', file: 'mem.profile' },
            { label: 'Write the lock profile', method: 'admin.lockProfile', file: 'lock.profile' },
          ]}
        />
      </FoldedSection>
      <FoldedSection title="Aliases">
        <Aliases target={target} />
      </FoldedSection>
      <FoldedSection title="Plugins">
        <LoadMachines target={target} />
      </FoldedSection>
    </>
  )
}

/** What changes the node itself: loggers, profiles, aliases and plugins. */
export function AdminTab({ target }: { target: NodeTarget }) {
  return (
    <TokenGate target={target} title="Administration">
      <div className="flex flex-col gap-8 max-md:gap-3">
        <Administration target={target} />
      </div>
    </TokenGate>
  )
}

import type { ReactNode } from 'react'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { AdminTab } from './admin-tab.tsx'
import { AtomicTab } from './atomic-tab.tsx'
import { ChainTab } from './chain-tab.tsx'
import { L1Tab } from './l1-tab.tsx'
import { RpcTab } from './rpc/rpc-tab.tsx'
import { SocketsTab } from './rpc/sockets-tab.tsx'
import type { NodeTab, TabProps } from './shared/search.ts'

type OfTab = TabProps & { readonly target: NodeTarget }

const bodies = {
  chain: ChainTab,
  l1: L1Tab,
  atomic: AtomicTab,
  rpc: RpcTab,
  sockets: SocketsTab,
  admin: AdminTab,
} as const satisfies Record<Exclude<NodeTab, 'node'>, (props: OfTab) => ReactNode>

/** The tabs of the console but for the first: together they are most of its code. */
export function OtherTab({ tab, ...ofTab }: OfTab & { readonly tab: keyof typeof bodies }) {
  const Body = bodies[tab]
  return <Body {...ofTab} />
}

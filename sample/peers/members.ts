import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import type { SetMember } from '../primary/ledger.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import { zeroId } from '../primary/state.ts'

/** The current validators. */
export type Members = {
  /** The subnets that each node validates, including the primary network (zeros). */
  readonly subnets: ReadonlyMap<BareHex, ReadonlySet<BareHex>>
  /** The transaction that made a node a validator of the primary network. */
  readonly txIds: ReadonlyMap<BareHex, BareHex>
  readonly sets: readonly (readonly SetMember[])[]
  isConnected(nodeId: BareHex): boolean
}

/** Reads the validators of the primary network and of every subnet. */
export function membersOf(ledger: LedgerHost): Members {
  const subnets = new Map<BareHex, Set<BareHex>>()
  const txIds = new Map<BareHex, BareHex>()
  const sets: (readonly SetMember[])[] = []
  const join = (nodeId: BareHex, subnetId: BareHex): void => {
    const found = subnets.get(nodeId)
    if (found === undefined) subnets.set(nodeId, new Set([subnetId]))
    else found.add(subnetId)
  }
  for (const { kind, nodeId, txId } of ledger.currentStakers(zeroId)) {
    if (kind !== 'validator') continue
    join(nodeId, zeroId)
    txIds.set(nodeId, txId)
  }
  const height = ledger.height('P')
  for (const id of [zeroId, ...ledger.subnets().map((subnet) => subnet.id)]) {
    const members = ledger.validatorsAt(height, id) ?? []
    if (members.length > 0) sets.push(members)
    for (const { nodeId } of members) join(nodeId, id)
  }
  // An inactive L1 validator is not listed by node id, but its node still follows the chain.
  for (const { id } of ledger.subnets()) {
    for (const { nodeId } of ledger.l1Validators(id)) if (subnets.has(nodeId)) join(nodeId, id)
  }
  const connected = new Map<BareHex, boolean>()
  return {
    subnets,
    txIds,
    sets,
    isConnected(nodeId) {
      const known = connected.get(nodeId)
      if (known !== undefined) return known
      const { isConnected } = ledger.uptime(nodeId)
      connected.set(nodeId, isConnected)
      return isConnected
    },
  }
}

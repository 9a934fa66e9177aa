import type {
  AdvanceOrder,
  BalanceOrder,
  BlockRef,
  ChainKey,
  FaultOrder,
  FaultReport,
  FaultState,
  ForkOrder,
  IdentityOrder,
  MineOrder,
  NodeOrder,
  PeerOrder,
  PeerReport,
  ReorgOrder,
  ReorgResult,
  RewindOrder,
  StakeOrder,
} from '../controls/types.ts'

/** The P-Chain after a control: height, and time in Unix seconds. */
type PHead = { readonly height: number; readonly time: number }

/** The controls of a sample network started with `--test-controls`. Every method throws with the node's message. */
export type SampleControl = {
  addFault(order: FaultOrder): Promise<FaultState>
  /** Ends every fault and resets the request counters. */
  clearFaults(): Promise<void>
  faults(): Promise<FaultReport>
  heads(): Promise<Record<ChainKey, BlockRef>>
  mine(order: MineOrder): Promise<{ blocks: BlockRef[]; head: BlockRef }>
  /** Replaces the newest blocks by a longer branch, in one step. */
  reorg(order: ReorgOrder): Promise<ReorgResult>
  /** Makes the node report a lower head. */
  rewind(order: RewindOrder): Promise<void>
  /** Makes P or X show other blocks from a height on. */
  fork(order: ForkOrder): Promise<void>
  identity(order: IdentityOrder): Promise<void>
  /** The possible validators and their behaviour on signature requests. */
  peers(): Promise<readonly PeerReport[]>
  /** Makes a validator slow, silent, wrong, refusing, unreachable or gone, or restores it. */
  peer(order: PeerOrder): Promise<readonly PeerReport[]>
  /** Sets what the node says of a validator: whether it is connected, its uptime, its version. */
  node(order: NodeOrder): Promise<PHead>
  /** Starts a validation or a delegation. */
  stake(order: StakeOrder): Promise<PHead>
  /** Drains or fills the balance of an L1 validator. */
  l1Balance(order: BalanceOrder): Promise<PHead>
  /** Moves the P-Chain's time on, past the ends of stakes. */
  advance(order: AdvanceOrder): Promise<PHead>
}

/** A client of the controls at the network's base URL. */
export function sampleControl(url: string): SampleControl {
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/test/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer as T
    throw new Error(`${method} /test/${path}: ${(answer as { message?: string }).message ?? response.status}`)
  }
  return {
    addFault: (order) => ask('POST', 'faults', order),
    clearFaults: () => ask('DELETE', 'faults'),
    faults: () => ask('GET', 'faults'),
    heads: () => ask('GET', 'heads'),
    mine: (order) => ask('POST', 'mine', order),
    reorg: (order) => ask('POST', 'reorg', order),
    rewind: (order) => ask('POST', 'rewind', order),
    fork: (order) => ask('POST', 'fork', order),
    identity: (order) => ask('POST', 'identity', order),
    peers: () => ask('GET', 'peers'),
    peer: (order) => ask('POST', 'peers', order),
    node: (order) => ask('POST', 'nodes', order),
    stake: (order) => ask('POST', 'stakes', order),
    l1Balance: (order) => ask('POST', 'l1-balances', order),
    advance: (order) => ask('POST', 'advance', order),
  }
}

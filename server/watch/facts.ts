/** What is known of a network in a round, besides its rows. */
export type NetworkFacts = {
  /** The P-Chain's key. */
  readonly chain: number
  /** How often the node has answered, and when it last did. */
  readonly polls: number
  readonly sampledTs: number | null
  /** Seconds since the number of answers last grew, by a monotonic clock. */
  readonly silence: number
  /** How often the node is asked. */
  readonly sampleSeconds: number
  /** Whether the node is connected to almost no validator: it is cut off itself, and knows nothing of the others. */
  readonly isIsolated: boolean
  /** The P-Chain's head in the store. */
  readonly height: number
  readonly chainTs: number
  /** Whether the store is too far behind the node to go by. */
  readonly isLate: boolean
  /** Fees of L1 validators since their start, and the price of a second, in nAVAX. */
  readonly accruedFees: string | null
  readonly l1Price: string | null
  readonly versions: Readonly<Record<string, number>> | null
  readonly heliconTs: number | null
  /** The stake of all validators in nAVAX, delegations included. */
  readonly stake: string
  /** The share of the latest blocks with a known proposer: 0 where the node has no index of them. */
  readonly proposedShare: number
}

/** How far a chain of this service is behind its node; `lag` is null while the node does not answer. */
export type ChainFacts = {
  readonly name: string
  readonly lag: number | null
  readonly state: string
  /** The network that it belongs to; EVM chains may belong to none. */
  readonly network?: string
  /** Why it is not followed, while it is not. */
  readonly reason?: string
  /** Seconds since the node last answered the indexer, by a monotonic clock. */
  readonly silence: number
  /** The newest block in the store: its height, and its time in Unix seconds; not in rounds of earlier versions. */
  readonly height?: number
  readonly headTs?: number
  /** How often an answer of the node is noted; of EVM chains, each of which may have a node of its own. */
  readonly sampleSeconds?: number
}

/** A balance of a native token, in whole tokens as decimal text. */
export type NativeBalance = { readonly amount: string; readonly symbol: string }

/** Everything that a round knew and that can't be read again later. Stored as JSON in `watch_rounds`. */
export type RoundFacts = {
  /** Percent of the disk with the home folder that is free. */
  readonly diskFree: number | null
  readonly chains: Readonly<Record<string, ChainFacts>>
  readonly networks: Readonly<Record<string, NetworkFacts>>
  /** What addresses hold of the native token according to the nodes, by the ids of subjects, where rules need it. */
  readonly balances?: Readonly<Record<string, NativeBalance>>
  /** Seconds of silence after which samples are too old to go by, by network. */
  readonly staleAfter: number
}

export type Round = { readonly round: number; readonly ts: number; readonly facts: RoundFacts }

/** A node of a fleet in a round. */
export type NodeFacts = {
  readonly validation:
    | {
        readonly startTs: number
        readonly endTs: number
        readonly renewsItself: boolean
        readonly earnsReward: boolean
      }
    | undefined
  /** Whether it validates anything now: the primary network or an L1. */
  readonly validates: boolean
  readonly uptime: number | undefined
  readonly isConnected: boolean | undefined
  readonly version: string | undefined
  /** Where a rule needs it, of a validator of the primary network. */
  readonly proposer?: ProposerFacts | undefined
}

/** What decides how many P-Chain blocks are expected of a validator. */
export type ProposerFacts = {
  /** nAVAX, delegations included. */
  readonly stake: bigint
  /** The height of its last block, or of its validation's beginning if that is higher. */
  readonly height: number
}

/** An L1 validator in a round; `endFee` is null while it is inactive. */
export type L1Facts = { readonly weight: bigint; readonly endFee: bigint | null; readonly nodeId: string }

/** The validators of an L1 in a round. */
export type SubnetFacts = {
  readonly total: bigint
  readonly running: bigint
  /** Of those whose connection is unknown; included in `running`. */
  readonly unknown: bigint
}

/** A delegation that began or ended. */
export type DelegationEvent = {
  readonly kind: 'delegationAdded' | 'delegationEnded'
  readonly nodeId: string
  readonly height: number
  readonly txHash: string
  /** nAVAX. */
  readonly weight: string
}

/** A transaction of a watched address. */
export type ActivityEvent = { readonly height: number; readonly txHash: string }

/** What the rows of the chains say in a round, by the texts of the ids. */
export type SubjectFacts = {
  readonly nodes: ReadonlyMap<string, NodeFacts>
  readonly l1: ReadonlyMap<string, L1Facts>
  readonly subnets: ReadonlyMap<string, SubnetFacts>
  /** Those after the height that was evaluated last, oldest first. */
  readonly delegations: readonly DelegationEvent[]
  /** For a rule of an address: its transactions after the height that was evaluated last, oldest first. */
  readonly activity?: readonly ActivityEvent[]
}

import type { signatureSources, signerOutcomes } from '../../contract/signatures/aggregation-events.ts'

/** One signer of a canonical set: the validators that share a BLS key. */
export type Signer = {
  /** The index in canonical order: the bit in a signed message's bit set. */
  readonly index: number
  /** 48 bytes, compressed. */
  readonly publicKey: Uint8Array
  /** 96 bytes, by which the set is sorted. */
  readonly uncompressed: Uint8Array
  readonly weight: bigint
  /** As text, `NodeID-…`; several if nodes share the key. */
  readonly nodeIds: readonly string[]
}

/** The signers of a subnet at a height of the P-Chain. */
export type CanonicalSet = {
  /** cb58 */
  readonly subnetId: string
  /** P-Chain height. For a request of the proposed height (0): its value when the set was read. */
  readonly height: bigint
  readonly signers: readonly Signer[]
  /** Of all validators, those without a BLS key included. */
  readonly totalWeight: bigint
  /** Of validators without a BLS key: counts in the total, never signs. */
  readonly keylessWeight: bigint
}

/** How one signer's part of a round ended. */
export type SignerResult = {
  readonly index: number
  readonly outcome: (typeof signerOutcomes)[number]
  /** Where its signature came from, or its refusal. */
  readonly source?: (typeof signatureSources)[number]
  /** Why there is no signature. */
  readonly reason?: string
  readonly milliseconds: number
}

/** What a round is to collect. Percentages are integers; with the buffer at most 100. */
export type RoundRequest = {
  /** The unsigned message. */
  readonly message: Uint8Array
  readonly justification: Uint8Array
  /** 32 bytes */
  readonly sourceChainId: Uint8Array
  readonly set: CanonicalSet
  readonly quorumPercentage: number
  readonly quorumPercentageBuffer: number
  /** Ends the round early: `collect` then rejects with the signal's reason. */
  readonly signal: AbortSignal
  /** Called once a signer, when its part is over, with the verified weight so far. */
  onResult(result: SignerResult, signedWeight: bigint): void
}

/** What a round came to. */
export type RoundOutcome = {
  /** One of each signer that was asked; a signer that the quorum did not need has none. */
  readonly results: readonly SignerResult[]
  readonly signedWeight: bigint
  /** Indices of those who signed, ascending. */
  readonly signers: readonly number[]
  /** 96 bytes, over exactly `signers`; absent when nobody signed. */
  readonly aggregate?: Uint8Array
  /** Whether quorumPercentage is reached, be the buffer or not. */
  readonly isReached: boolean
}

/** Validators of one network, as signers of messages. */
export type SignatureNetwork = {
  /**
   * The canonical set of a subnet (cb58) at a P-Chain height; 0 is the proposed height. Rejects with a
   * NodeUnavailable when the node gives none, a NodeRefusal when it refuses (such as a height past the tip).
   * A subnet without validators, which a node answers for unknown ones too, has no signers.
   */
  canonicalSet(subnetId: string, height: number): Promise<CanonicalSet>
  /** Whether a connection to the validator stands now; undefined where none was needed yet. */
  isConnected(nodeId: string): boolean | undefined
  /** Asks in order of weight until the quorum and its buffer are reached, all answered, or time is over. */
  collect(request: RoundRequest): Promise<RoundOutcome>
  close(): Promise<void>
}

/** Whether `signed` of `total` reaches a percentage (docs/signatures.md: quorum × total ≤ 100 × signed). */
export function reaches(signed: bigint, total: bigint, percentage: number): boolean {
  return BigInt(percentage) * total <= 100n * signed
}

/** The least weight that reaches a percentage of `total`. */
export function requiredWeight(total: bigint, percentage: number): bigint {
  return (BigInt(percentage) * total + 99n) / 100n
}

import { HttpError } from '../kernel/http-errors.ts'

/** Why a node's answer could not be used. */
export type NodeFailure = 'network' | 'timeout' | 'busy' | 'throttled' | 'malformed' | 'tooLarge' | 'refused'

const sentences: Record<NodeFailure, string> = {
  network: 'cannot be reached',
  timeout: 'did not answer in time',
  busy: 'has too many questions to answer already',
  throttled: 'limits how often it may be asked',
  malformed: 'answered something that cannot be used',
  tooLarge: 'answered more than is read',
  refused: 'refused to answer',
}

/**
 * 502: the node of a chain gave no usable answer. Callers see only the chain's name; `cause` is for the log,
 * and contains neither the node's URL nor its key.
 */
export class NodeUnavailable extends HttpError {
  readonly kind: NodeFailure
  constructor(chainName: string, kind: NodeFailure, detail: string) {
    super(502, `the node of ${chainName} ${sentences[kind]}`, { cause: new Error(detail) })
    this.kind = kind
  }
}

/** Whether the virtual machine's text says that the code reverted, as against an error of the machine. */
export const isRevert = (error: string): boolean => /\brevert(ed)?\b/i.test(error)

/** Matches how a node reports that the virtual machine stopped, as against a revert or an error of the request. */
export const isMachineError = (error: string): boolean =>
  /^EVM error|out ?of ?gas|gas uint64 overflow|opcode|bad instruction|^stack |invalid jump|write protection|code size/i.test(
    error,
  )

/** An error that a node reported in a well-formed JSON-RPC answer. `reason` contains no URLs and keys. */
export class NodeRefusal extends NodeUnavailable {
  readonly code: number
  readonly reason: string
  /** The `data` of the error if it is hex, such as the data of a revert. */
  readonly data: `0x${string}` | undefined
  constructor(chainName: string, method: string, error: RpcErrorText) {
    super(chainName, 'refused', `${method}: ${error.reason} (${error.code})`)
    this.code = error.code
    this.reason = error.reason
    this.data = error.data
  }

  /** Whether the node reports that it does not have, or no longer has, the state of the requested block. */
  get lacksState(): boolean {
    return lackingState.test(this.reason)
  }

  /** Whether a call was executed and reverted. */
  get reverted(): boolean {
    return this.code === 3 || isRevert(this.reason)
  }
}

export type RpcErrorText = {
  readonly code: number
  readonly reason: string
  readonly data: `0x${string}` | undefined
}

// Error messages of geth, coreth, erigon, reth, nethermind and anvil.
const lackingState =
  /missing trie node|historical state|state [^,]*not available|state (is )?unavailable|(header|block) (for hash )?not found|unknown block|unfinalized data|block ?out ?of ?range|no state found|state .*pruned|pruned .*state|old data not available|proof window|state at block/i

/** 404: the node does not keep the state of a block, or no longer does. */
export class StateNotKept extends HttpError {
  constructor(chainName: string, blockNumber: bigint) {
    super(404, `the node of ${chainName} does not keep the state of block ${blockNumber}`)
  }
}

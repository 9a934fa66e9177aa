import { type Hex, keccak256 } from 'viem'
import { isHex, quantity } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/anvil/rpc.ts'
import { type BlockChoice, blockOfHash, blockParam, type LocalNode } from './blocks.ts'
import { type LocalMethod, MethodError } from './local.ts'
import { taking } from './params.ts'
import { type AccountProof, emptyCode, type States } from './states.ts'

/** How far back the node gives proofs. */
type ProofWindow = {
  /** The number of blocks behind the head; 0 for no limit. */
  readonly blocks: number
}

/** The default window of a pruned node, and that of an archive node. */
export const prunedWindow = 32
export const archiveWindow = 43_200

const noAccountHash = `0x${'00'.repeat(32)}`
/** anvil's proof of an account without storage; a node of the network leaves it out. */
const emptyNode = '0x80'
/** Hex digits of a 32-byte key. */
const longestKey = 64

const refused = (why: string): MethodError => new MethodError(`historical proof query not allowed: ${why}`)

function keysOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return (value as readonly unknown[]).map((key) => {
    const digits = typeof key === 'string' ? key.replace(/^0x/i, '') : 'none'
    if (!/^[0-9a-fA-F]*$/.test(digits)) throw new MethodError('hex string invalid')
    if (digits.length > longestKey) throw new MethodError('hex string too long, want at most 32 bytes')
    return `0x${digits.padStart(longestKey, '0')}`
  })
}

async function heightOf(node: LocalNode, choice: BlockChoice): Promise<number> {
  if ('height' in choice) return choice.height
  const found = await blockOfHash(node, choice.hash)
  if (found === undefined) throw refused(`block from hash ${choice.hash} doesn't exist`)
  return found.number
}

async function stateRootOf({ rpc }: LocalNode, height: number): Promise<Hex> {
  const block = (await rpc.call('eth_getBlockByNumber', quantity(height), false)) as { stateRoot: Hex }
  return block.stateRoot
}

/** The error for a pruned state. */
export function missing(stateRoot: Hex): MethodError {
  const root = stateRoot.slice(2)
  return new MethodError(`missing trie node ${root} (path ) state 0x${root} is not available, not found`)
}

/** An absent account has no hashes; keys are returned as they were given. */
function shown(proof: AccountProof, given: unknown): unknown {
  const { balance, nonce, codeHash } = proof
  const keys = Array.isArray(given) ? (given as readonly string[]) : []
  const storageProof = proof.storageProof.map((each, index) => ({
    ...each,
    key: keys[index] ?? each.key,
    proof: each.proof.filter((node) => node !== emptyNode),
  }))
  const isThere = Number(balance) !== 0 || Number(nonce) !== 0 || codeHash !== emptyCode
  const hashes = isThere ? {} : { codeHash: noAccountHash, storageHash: noAccountHash }
  return { ...proof, ...hashes, storageProof }
}

/** eth_getProof within the network's window. */
export function proofMethod(
  starting: Promise<LocalNode>,
  states: Promise<States>,
  window: ProofWindow,
): LocalMethod {
  return taking(['any', 'any', 'any'], async (address, given, block) => {
    const node = await starting
    if (block === null) throw refused('block number or hash not provided')
    const keys = keysOf(given)
    const head = node.head.number
    const height = await heightOf(node, blockParam(head, block, 2))
    const oldest = Math.max(0, head - window.blocks)
    if (window.blocks > 0 && height < oldest) {
      const span = `(window of ${window.blocks} blocks)`
      throw refused(`block number ${height} is before the oldest allowed block number ${oldest} ${span}`)
    }
    const stateRoot = await stateRootOf(node, height)
    try {
      const proof = await (await states).prove(address as Hex, keys, height, stateRoot)
      // When anvil has pruned the state it may return a proof of another one.
      const [top] = proof.accountProof
      if (top === undefined || keccak256(top) !== stateRoot) throw missing(stateRoot)
      return shown(proof, given)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (/BlockOutOfRange|Required data unavailable|Resource not found/.test(error.message)) {
        throw missing(stateRoot)
      }
      if (!isHex(address)) throw new MethodError('invalid argument 0: hex string without 0x prefix', -32602)
      throw new MethodError(error.message.replace(/^eth_getProof: /, ''), error.code)
    }
  })
}

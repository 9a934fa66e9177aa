import type { SignaturesConfig } from '../kernel/settings/config.ts'
import { NodeClient } from '../node/client.ts'
import { NodeRefusal, NodeUnavailable } from '../node/failures.ts'
import { sha256 } from '../../protocol/native/hashes.ts'
import { cb58, fromHex, TextFormError } from '../../protocol/ids/text.ts'

/** What a validator's own RPC gave: a signature, or why it gave none. */
type RpcAnswer =
  | { readonly kind: 'signature'; readonly signature: Uint8Array }
  /** The node answered that it does not sign. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'wrong'; readonly reason: string }
  /** The node gave no usable answer. */
  | { readonly kind: 'failed'; readonly reason: string }

/** The P-Chain: it has no EVM, and so no such method. */
const isPChain = (chainId: Uint8Array): boolean => chainId.every((byte) => byte === 0)

/** Clients kept: a caller chooses the chain, so that there could be any number. */
const maxClients = 1_024

/** Where a message's payload begins: version, network, source chain, length. */
const payloadAt = 2 + 4 + 32 + 4
const hashPayload = Buffer.from('000000000000', 'hex')

/** The method and the id that stand for a message: a Hash payload names a block, all else is a message. */
function questionOf(message: Uint8Array): { readonly method: string; readonly id: string } {
  const payload = message.subarray(payloadAt)
  const isHash = payload.length === 38 && hashPayload.equals(payload.subarray(0, 6))
  return isHash
    ? { method: 'warp_getBlockSignature', id: cb58(payload.subarray(6)) }
    : { method: 'warp_getMessageSignature', id: cb58(sha256(message)) }
}

/**
 * The second source of a signature: the RPC of a validator's own node (docs/signatures.md).
 * The node's aggregate methods are never called.
 */
export class RpcSource {
  readonly #urls: ReadonlyMap<string, string>
  readonly #clients = new Map<string, NodeClient>()
  readonly #timeout: number

  constructor(settings: Pick<SignaturesConfig, 'validatorNodes' | 'answerSeconds'>) {
    this.#urls = new Map(settings.validatorNodes.map(({ nodeId, url }) => [nodeId, url]))
    this.#timeout = settings.answerSeconds * 1_000
  }

  /** Whether a validator can be asked this way about a chain's messages. */
  has(nodeId: string, chainId: Uint8Array): boolean {
    return this.#urls.has(nodeId) && !isPChain(chainId)
  }

  /** Asks a validator's node. It is asked once, and gives its answer within the seconds set for one. */
  async ask(nodeId: string, chainId: Uint8Array, message: Uint8Array): Promise<RpcAnswer> {
    const { method, id } = questionOf(message)
    try {
      const signature = fromHex(String(await this.#clientOf(nodeId, chainId).call(method, [id])))
      return signature.length === 96
        ? { kind: 'signature', signature }
        : { kind: 'wrong', reason: `its RPC answered ${signature.length} bytes, not 96` }
    } catch (error) {
      if (error instanceof TextFormError) return { kind: 'wrong', reason: 'its RPC answered no bytes' }
      if (error instanceof NodeRefusal) return { kind: 'refused', reason: `its RPC refused: ${error.reason}` }
      if (error instanceof NodeUnavailable) return { kind: 'failed', reason: error.message }
      throw error
    }
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
    this.#clients.clear()
  }

  #clientOf(nodeId: string, chainId: Uint8Array): NodeClient {
    const base = (this.#urls.get(nodeId) ?? '').replace(/\/$/, '')
    const url = `${base}/ext/bc/${cb58(chainId)}/rpc`
    const found = this.#clients.get(url)
    if (found) return found
    const client = new NodeClient({
      url,
      chainName: `validator ${nodeId}`,
      timeout: this.#timeout,
      maxBytes: 65_536,
    })
    this.#clients.set(url, client)
    for (const [oldest, idle] of this.#clients) {
      if (this.#clients.size <= maxClients) break
      this.#clients.delete(oldest)
      idle.close()
    }
    return client
  }
}

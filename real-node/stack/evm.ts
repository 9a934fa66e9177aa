import {
  createPublicClient,
  createWalletClient,
  decodeFunctionResult,
  defineChain,
  encodeFunctionData,
  http,
  parseAbi,
  parseEventLogs,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** The precompile that emits and verifies cross-chain messages. */
const messenger = '0x0200000000000000000000000000000000000005'
const abi = parseAbi([
  'event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message)',
  'function sendWarpMessage(bytes payload) returns (bytes32 messageID)',
  'struct WarpMessage { bytes32 sourceChainID; address originSenderAddress; bytes payload; }',
  'function getVerifiedWarpMessage(uint32 index) view returns (WarpMessage message, bool valid)',
])

/**
 * Calls the precompile with its own call data and logs the answer: the chain's verdict on a message while it built
 * the block. CALLDATACOPY, STATICCALL, RETURNDATACOPY, LOG0.
 */
const relay = `3660006000376000600036600073${messenger.slice(2)}5afa503d600060003e3d6000a000`
// CODECOPY of everything after these 12 bytes, RETURN.
const deployment: Hex = `0x60${(relay.length / 2).toString(16).padStart(2, '0')}80600b6000396000f3${relay}`

/** A deployment that reverts: PUSH 0, PUSH 0, REVERT. */
const refusing: Hex = '0x60006000fd'

/** A chain's verdict on the message of a transaction. */
type Verdict = {
  readonly isValid: boolean
  readonly sourceChainId: Hex
  readonly sender: Address
  readonly payload: Hex
}

/** An EVM chain of a real node, with a paying account. */
export type EvmChain = {
  readonly url: string
  readonly account: Address
  send(transaction: { to?: Address; data?: Hex; value?: bigint }): Promise<TransactionReceipt>
  /** Emits a cross-chain message. Resolves with the unsigned message and its id. */
  emit(payload: Hex): Promise<{ readonly message: Hex; readonly id: Hex; readonly txHash: Hex }>
  /** Sends several transactions at once, one of them failing, to get a block with more than one. */
  sendConcurrently(): Promise<void>
  /** Delivers a signed message in a transaction's access list. Resolves with the chain's verdict. */
  deliver(signed: Uint8Array): Promise<Verdict>
}

/** Opens an EVM chain at `url` with a key in hex without 0x. */
export async function openEvm(url: string, key: string): Promise<EvmChain> {
  const account = privateKeyToAccount(`0x${key}`)
  // Before the C-Chain's virtual machine is replaced, its node waits 15 seconds for open sockets to close.
  const transport = http(url, { timeout: 240_000, retryCount: 0 })
  const client = createPublicClient({ transport, pollingInterval: 100 })
  const chain = defineChain({
    id: await client.getChainId(),
    name: 'real',
    nativeCurrency: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const wallet = createWalletClient({ account, chain, transport })
  let relayAddress: Address | undefined

  async function send(
    transaction: { to?: Address; data?: Hex; value?: bigint },
    accessList: { address: Address; storageKeys: Hex[] }[] = [],
  ): Promise<TransactionReceipt> {
    // Gas is not estimated, because an estimate ignores the messages of an access list.
    const hash = await wallet.sendTransaction({ ...transaction, accessList, gas: 2_000_000n })
    const receipt = await client.waitForTransactionReceipt({ hash, timeout: 240_000 })
    if (receipt.status !== 'success') throw new Error(`${hash} failed`)
    return receipt
  }

  async function deployRelay(): Promise<Address> {
    const { contractAddress } = await send({ data: deployment })
    if (contractAddress == null) throw new Error('the deployment made no contract')
    return contractAddress
  }

  return {
    url,
    account: account.address,
    send: (transaction) => send(transaction),
    async emit(payload) {
      const data = encodeFunctionData({ abi, functionName: 'sendWarpMessage', args: [payload] })
      const receipt = await send({ to: messenger, data })
      const [event] = parseEventLogs({ abi, logs: receipt.logs })
      if (event === undefined) throw new Error('no message was emitted')
      return { message: event.args.message, id: event.args.messageID, txHash: receipt.transactionHash }
    },
    async sendConcurrently() {
      // Since Helicon a receipt may be available before the resulting state.
      const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const transfer = { to: account.address, value: 1n, gas: 21_000n }
      const sent = await Promise.all([
        wallet.sendTransaction({ ...transfer, nonce }),
        wallet.sendTransaction({ data: refusing, gas: 100_000n, nonce: nonce + 1 }),
        wallet.sendTransaction({ ...transfer, nonce: nonce + 2 }),
      ])
      const receipts = await Promise.all(
        sent.map((hash) => client.waitForTransactionReceipt({ hash, timeout: 240_000 })),
      )
      const statuses = receipts.map(({ status }) => status)
      if (String(statuses) !== 'success,reverted,success') throw new Error(`they were ${String(statuses)}`)
    },
    async deliver(signed) {
      relayAddress ??= await deployRelay()
      const data = encodeFunctionData({ abi, functionName: 'getVerifiedWarpMessage', args: [0] })
      const { logs } = await send({ to: relayAddress, data }, [
        { address: messenger, storageKeys: predicateOf(signed) },
      ])
      const answer = logs[0]?.data
      if (answer === undefined) throw new Error('the message left no trace')
      const [message, isValid] = decodeFunctionResult({
        abi,
        functionName: 'getVerifiedWarpMessage',
        data: answer,
      })
      const { sourceChainID, originSenderAddress, payload } = message
      return { isValid, sourceChainId: sourceChainID, sender: originSenderAddress, payload }
    },
  }
}

/** Bytes as storage keys: a terminating ff, then zeros up to a whole word. */
function predicateOf(bytes: Uint8Array): Hex[] {
  const padded = Buffer.alloc(32 * (Math.floor(bytes.length / 32) + 1))
  padded.set(bytes)
  padded[bytes.length] = 0xff
  return Array.from(
    { length: padded.length / 32 },
    (_, at): Hex => `0x${padded.subarray(32 * at, 32 * at + 32).toString('hex')}`,
  )
}

import {
  addTxSignatures,
  Context,
  evm,
  avm,
  pvm,
  secp256k1,
  utils,
  type UnsignedTx,
  type Utxo,
} from '@avalabs/avalanchejs'
import { setTimeout as delay } from 'node:timers/promises'
import { privateKeyToAccount } from 'viem/accounts'
import { ask, type ChainAlias } from './node.ts'

/** The common inputs of the library's builders of P-Chain transactions. */
export type Spending = {
  readonly feeState: pvm.FeeState
  readonly fromAddressesBytes: Uint8Array[]
  readonly utxos: Utxo[]
  readonly changeAddressesBytes: Uint8Array[]
}

/** A key of the local network that spends on P, X and C. */
export type Wallet = {
  readonly context: Context.Context
  /** The 20 bytes of its address on P and X. */
  readonly address: Uint8Array
  /** The same as text, without a chain prefix. */
  readonly addressText: string
  readonly evmAddress: string
  /** The spendable UTXOs of a chain; with `source`, those exported to it from that chain. */
  utxos(chain: ChainAlias, source?: ChainAlias): Promise<Utxo[]>
  spending(): Promise<Spending>
  /** Signs and issues a transaction on the P-Chain and waits for its acceptance. Resolves with its id. */
  issueP(build: (spending: Spending, context: Context.Context) => UnsignedTx): Promise<string>
  /** The same on the X-Chain. */
  issueX(tx: UnsignedTx): Promise<string>
  /**
   * The same for the bytes of a transaction that the library cannot build. Each credential, given by its codec type
   * id, is one signature of the key.
   */
  issueXBytes(unsigned: Uint8Array, credentialTypes: readonly number[]): Promise<string>
  /** The same on the C-Chain, for atomic transactions. */
  issueC(tx: UnsignedTx): Promise<string>
  /** The bytes of the signed transaction in the node's hex encoding, with a checksum. Issues nothing. */
  signed(tx: UnsignedTx): Promise<string>
}

const paths = { P: '/ext/bc/P', X: '/ext/bc/X', C: '/ext/bc/C/avax' } as const
const timeoutMs = 240_000

/** Opens the wallet of a key at a node. */
export async function openWallet(url: string, key: string): Promise<Wallet> {
  const context = await Context.getContextFromURI(url)
  const secret = utils.hexToBuffer(key)
  const address = secp256k1.publicKeyBytesToAddress(secp256k1.getPublicKey(secret))
  const evmAddress = privateKeyToAccount(`0x${key}`).address
  const addressText = utils.formatBech32(context.hrp, address)
  const pvmApi = new pvm.PVMApi(url)
  const apis = { P: pvmApi, X: new avm.AVMApi(url), C: new evm.EVMApi(url) }

  async function utxos(chain: ChainAlias, source?: ChainAlias): Promise<Utxo[]> {
    const answer = await apis[chain].getUTXOs({
      addresses: [`${chain}-${addressText}`],
      ...(source !== undefined && { sourceChain: source }),
    })
    return answer.utxos
  }

  async function sign(tx: UnsignedTx): Promise<UnsignedTx> {
    await addTxSignatures({ unsignedTx: tx, privateKeys: [secret] })
    // The authorization to change a subnet or an L1 validator is not an input, and the library does not sign it.
    const signature = await secp256k1.sign(tx.toBytes(), secret)
    for (const [index, credential] of tx.getCredentials().entries()) {
      for (const [at, text] of credential.getSignatures().entries()) {
        if (/^(0x)?0*$/.test(text)) tx.addSignatureAt(signature, index, at)
      }
    }
    return tx
  }

  async function issue(chain: ChainAlias, unsigned: UnsignedTx): Promise<string> {
    const tx = await sign(unsigned)
    const { txID } = await apis[chain].issueSignedTx(tx.getSignedTx())
    await accepted(url, chain, txID)
    return txID
  }

  async function spending(): Promise<Spending> {
    const [feeState, own] = await Promise.all([pvmApi.getFeeState(), utxos('P')])
    // The capacity refills every second, but the node reports that of the last block.
    const filled = { ...feeState, capacity: context.platformFeeConfig.maxCapacity }
    return { feeState: filled, utxos: own, fromAddressesBytes: [address], changeAddressesBytes: [address] }
  }

  return {
    context,
    address,
    addressText,
    evmAddress,
    utxos,
    spending,
    issueP: async (build) => issue('P', build(await spending(), context)),
    issueX: (tx) => issue('X', tx),
    async issueXBytes(unsigned, credentialTypes) {
      const signature = await secp256k1.sign(unsigned, secret)
      const head = Buffer.alloc(4)
      head.writeUInt32BE(credentialTypes.length)
      const credentials = credentialTypes.map((type) => {
        const bytes = Buffer.alloc(8)
        bytes.writeUInt32BE(type)
        bytes.writeUInt32BE(1, 4)
        return Buffer.concat([bytes, signature])
      })
      const bytes = utils.addChecksum(Buffer.concat([unsigned, head, ...credentials]))
      const tx = utils.bufferToHex(bytes)
      const { txID } = await ask<{ txID: string }>(`${url}${paths.X}`, 'avm.issueTx', { tx, encoding: 'hex' })
      await accepted(url, 'X', txID)
      return txID
    },
    issueC: (tx) => issue('C', tx),
    async signed(tx) {
      const bytes = (await sign(tx)).getSignedTx().toBytes()
      return utils.bufferToHex(utils.addChecksum(bytes))
    },
  }
}

const statusMethods = {
  P: 'platform.getTxStatus',
  X: 'avm.getTxStatus',
  C: 'avax.getAtomicTxStatus',
} as const

async function accepted(url: string, chain: ChainAlias, txID: string): Promise<void> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const { status, reason = '' } = await ask<{ status: string; reason?: string }>(
      `${url}${paths[chain]}`,
      statusMethods[chain],
      { txID },
    )
    if (status === 'Committed' || status === 'Accepted') return
    if (status === 'Dropped' || status === 'Aborted' || Date.now() > until)
      throw new Error(`${txID} on ${chain} is ${status} ${reason}`)
    await delay(100)
  }
}

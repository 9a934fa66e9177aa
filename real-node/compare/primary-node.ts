import { ask, bytesOf, idOf } from '../stack/node.ts'

/** An output of a transaction, in any of its parts. Amounts in the smallest unit. */
export type NodeOutput = {
  readonly txId: string
  readonly index: number
  readonly assetId: string
  readonly kind: 'coins' | 'nft' | 'right to mint'
  readonly amount: string
  /** Without a chain prefix. */
  readonly addresses: readonly string[]
  readonly threshold: number
  readonly locktime: string
  readonly stakeableLocktime: string | undefined
  readonly groupId: number | undefined
  readonly payload: string | undefined
  /** The chain that created it, and the one where it can be spent. */
  readonly madeOn: string
  readonly spentOn: string
  readonly isStake: boolean
  readonly block: BlockPlace
}

/** The block of a transaction. */
export type BlockPlace = {
  readonly chainId: string
  readonly id: string
  readonly height: number
  /** Unix seconds. */
  readonly time: number
}

/** An input: a reference to an earlier output, with its signatures. */
export type NodeInput = {
  readonly txId: string
  readonly index: number
  readonly assetId: string
  readonly amount: string
  readonly stakeableLocktime: string | undefined
  readonly signatures: readonly string[]
}

/** A transaction of P or X: the node's JSON, and values that only its bytes have. */
export type NodeTransaction = {
  readonly id: string
  /** The codec's type id. */
  readonly type: number
  readonly bytes: string
  readonly unsigned: Unsigned
  readonly block: BlockPlace
  readonly inputs: readonly NodeInput[]
  readonly outputs: readonly NodeOutput[]
}

/** A block as read from its node. */
export type NodeBlock = {
  readonly place: BlockPlace
  readonly parentId: string
  /** The codec's type id. */
  readonly type: number
  readonly size: number
  readonly transactions: readonly NodeTransaction[]
}

/** The compared fields of an unsigned transaction's JSON. Numbers of 16 digits and more are text. */
export type Unsigned = {
  readonly outputs?: readonly JsonOutput[]
  readonly inputs?: readonly JsonInput[]
  readonly importedInputs?: readonly JsonInput[]
  readonly exportedOutputs?: readonly JsonOutput[]
  readonly stake?: readonly JsonOutput[]
  readonly initialStates?: readonly { readonly outputs: readonly JsonOwned[] }[]
  readonly operations?: readonly {
    readonly assetID: string
    readonly inputIDs: readonly { readonly txID: string; readonly outputIndex: number }[]
    readonly operation: {
      readonly mintOutput?: JsonOwned
      readonly transferOutput?: JsonOwned
      readonly output?: JsonOwned
      readonly outputs?: readonly JsonOwned[]
      readonly groupID?: number
      readonly payload?: string
    }
  }[]
  readonly memo?: string
  readonly sourceChain?: string
  readonly destinationChain?: string
  readonly validator?: { readonly nodeID: string; readonly end: number; readonly subnetID?: string }
  readonly subnetID?: string
  readonly nodeID?: string
  readonly shares?: number
  readonly signer?: { readonly publicKey: string; readonly proofOfPossession: string }
  readonly rewardsOwner?: JsonOwners
  readonly validationRewardsOwner?: JsonOwners
  /** The subnet's owners; of CreateSubnetTx and TransferSubnetOwnershipTx. */
  readonly owner?: JsonOwners
  readonly newOwner?: JsonOwners
  readonly txID?: string
  readonly chainID?: string
  readonly address?: string
  readonly chainName?: string
  readonly vmID?: string
  /** In base64. */
  readonly genesisData?: string
  readonly balance?: number | string
  readonly validators?: readonly {
    /** In hex. */
    readonly nodeID: string
    readonly weight: number
    readonly balance: number | string
    readonly signer: { readonly publicKey: string }
  }[]
}

export type JsonOwners = {
  readonly addresses: readonly string[]
  readonly locktime: number
  readonly threshold: number
}
type JsonOwned = {
  readonly amount?: number | string
  readonly groupID?: number
  readonly payload?: string
} & JsonOwners
type JsonOutput = {
  readonly assetID: string
  readonly output: JsonOwned | { readonly locktime: number; readonly output: JsonOwned }
}
type JsonInput = {
  readonly txID: string
  readonly outputIndex: number
  readonly assetID: string
  readonly input:
    | { readonly amount: number | string }
    | { readonly locktime: number; readonly input: { readonly amount: number | string } }
}
type JsonCredential =
  | { readonly signatures: readonly string[] }
  | { readonly credential: { readonly signatures: readonly string[] } }

type JsonTransaction = {
  readonly id: string
  readonly unsignedTx: Unsigned
  readonly credentials: readonly JsonCredential[] | null
}

type JsonBlock = {
  readonly id: string
  readonly parentID: string
  readonly time?: number
  readonly txs?: readonly JsonTransaction[] | null
  readonly tx?: JsonTransaction
}

const services = { P: 'platform', X: 'avm' } as const

/** Banff blocks of P have their time after version and type; all other blocks of P have none. */
const typeAt = 2

/**
 * Reads all blocks of P or X from a node, each in hex and in JSON. `genesisTime` is the time of blocks without one:
 * the first of P.
 */
export async function readBlocks(
  nodeUrl: string,
  chain: 'P' | 'X',
  chainId: string,
  genesisTime: number,
): Promise<NodeBlock[]> {
  const url = `${nodeUrl}/ext/bc/${chain}`
  const service = services[chain]
  const { height: head } = await ask<{ height: string }>(url, `${service}.getHeight`)
  const blocks: NodeBlock[] = []
  for (let height = 0; height <= Number(head); height += 1) {
    const given = { height, encoding: 'hex' }
    const { block: hex } = await ask<{ block: string }>(url, `${service}.getBlockByHeight`, given)
    const { block } = await ask<{ block: JsonBlock }>(url, `${service}.getBlockByHeight`, {
      height,
      encoding: 'json',
    })
    const bytes = bytesOf(hex)
    const place = { chainId, id: idOf(bytes), height, time: block.time ?? genesisTime }
    const own = [...(block.txs ?? []), ...(block.tx === undefined ? [] : [block.tx])]
    blocks.push({
      place,
      parentId: block.parentID,
      type: bytes.readUInt32BE(typeAt),
      size: bytes.length,
      transactions: await Promise.all(own.map((tx) => readTransaction(url, service, tx, place))),
    })
  }
  return blocks
}

async function readTransaction(
  url: string,
  service: string,
  { id, unsignedTx, credentials }: JsonTransaction,
  block: BlockPlace,
): Promise<NodeTransaction> {
  const { tx } = await ask<{ tx: string }>(url, `${service}.getTx`, { txID: id, encoding: 'hex' })
  const bytes = bytesOf(tx)
  const signatures = (credentials ?? []).map((each) =>
    'credential' in each ? each.credential.signatures : each.signatures,
  )
  return {
    id,
    type: bytes.readUInt32BE(typeAt),
    bytes: `0x${bytes.toString('hex')}`,
    unsigned: unsignedTx,
    block,
    inputs: inputsOf(unsignedTx, signatures),
    outputs: outputsOf(id, unsignedTx, block),
  }
}

/** Inputs in the order of their credentials: base inputs, imported ones, those of operations. */
function inputsOf(
  { inputs = [], importedInputs = [], operations = [] }: Unsigned,
  signatures: readonly (readonly string[])[],
): NodeInput[] {
  const paying = [...inputs, ...importedInputs].map(({ txID, outputIndex, assetID, input }) => {
    const locked = 'locktime' in input
    const { amount } = locked ? input.input : input
    return {
      txId: txID,
      index: outputIndex,
      assetId: assetID,
      amount: String(amount),
      stakeableLocktime: locked ? String(input.locktime) : undefined,
    }
  })
  const taken = operations.flatMap(({ assetID, inputIDs }) =>
    inputIDs.map(({ txID, outputIndex }) => ({
      txId: txID,
      index: outputIndex,
      assetId: assetID,
      amount: '0',
      stakeableLocktime: undefined,
    })),
  )
  return [...paying, ...taken].map((input, at) => ({ ...input, signatures: signatures[at] ?? [] }))
}

/** Outputs by index: base outputs, staked or exported ones, those of an asset or an operation. */
export function outputsOf(txId: string, unsigned: Unsigned, block: BlockPlace): NodeOutput[] {
  const { outputs = [], stake = [], exportedOutputs = [], initialStates = [], operations = [] } = unsigned
  const here = { madeOn: block.chainId, spentOn: block.chainId, isStake: false }
  const away = { ...here, spentOn: unsigned.destinationChain ?? block.chainId }
  const wrapped = (each: JsonOutput, place: typeof here) => {
    const locked = 'output' in each.output
    const owned = locked ? each.output.output : each.output
    const stakeableLocktime = locked ? String(each.output.locktime) : undefined
    return { ...ownedFields(owned), assetId: each.assetID, stakeableLocktime, ...place }
  }
  const plain = (owned: JsonOwned, assetId: string) => ({
    ...ownedFields(owned),
    assetId,
    stakeableLocktime: undefined,
    ...here,
  })
  const made = operations.flatMap(({ assetID, operation }) => {
    const { mintOutput, transferOutput, output, outputs: minted = [], groupID, payload } = operation
    const nfts = minted.map((owned) => ({
      ...owned,
      ...(groupID !== undefined && { groupID }),
      ...(payload !== undefined && { payload }),
    }))
    const all = [mintOutput, transferOutput, output].filter((each) => each !== undefined)
    return [...all, ...nfts].map((owned) => plain(owned, assetID))
  })
  return [
    ...outputs.map((each) => wrapped(each, here)),
    ...stake.map((each) => wrapped(each, { ...here, isStake: true })),
    ...exportedOutputs.map((each) => wrapped(each, away)),
    // An asset's id is that of its creating transaction.
    ...initialStates.flatMap((state) => state.outputs.map((owned) => plain(owned, txId))),
    ...made,
  ].map((output, index) => ({ ...output, txId, index, block }))
}

function ownedFields({ addresses, threshold, locktime, amount, groupID, payload }: JsonOwned) {
  const coins = amount === undefined ? 'right to mint' : 'coins'
  return {
    kind: payload === undefined ? coins : 'nft',
    amount: payload === undefined ? String(amount ?? 0) : '1',
    addresses: addresses.map(withoutChain),
    threshold,
    locktime: String(locktime),
    groupId: groupID,
    payload,
  } as const
}

/** An address without its chain prefix. */
export const withoutChain = (address: string): string => address.replace(/^[PXC]-/, '')

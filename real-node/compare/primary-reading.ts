import { avaxSerial, Context, evmSerial, utils } from '@avalabs/avalanchejs'
import { validationsOf } from './l1-validations.ts'
import { ask, bytesOf, idOf } from '../stack/node.ts'
import {
  outputsOf,
  readBlocks,
  withoutChain,
  type BlockPlace,
  type NodeBlock,
  type NodeOutput,
  type NodeTransaction,
  type Unsigned,
} from './primary-node.ts'
import {
  keyOf,
  type AssetDescription,
  type AtomicTransaction,
  type PaidReward,
  type PrimaryOfNode,
  type Spender,
  type Stake,
} from './primary-records.ts'
import type { Story } from '../stack/story.ts'
import { readOutput, readUtxo } from './utxo-bytes.ts'

/** Reads the node's data of P, X and the atomic transactions of C, once nothing changes any more. */
export async function readPrimary(nodeUrl: string, story: Story): Promise<PrimaryOfNode> {
  const context = await Context.getContextFromURI(nodeUrl)
  const { pBlockchainID: pChainId, xBlockchainID: xChainId, cBlockchainID, avaxAssetID: avaxId } = context
  const [pUrl, xUrl] = [`${nodeUrl}/ext/bc/P`, `${nodeUrl}/ext/bc/X`]
  const { validators } = await ask<{ validators: { startTime: string }[] }>(
    pUrl,
    'platform.getCurrentValidators',
  )
  // The validators of the genesis started with the chain.
  const genesisTime = Math.min(...validators.map(({ startTime }) => Number(startTime)))
  const p = withReturned(await readBlocks(nodeUrl, 'P', pChainId, genesisTime), story)
  const x = await readBlocks(nodeUrl, 'X', xChainId, genesisTime)
  const c = await Promise.all(Object.values(story.c).map((txID) => readAtomic(nodeUrl, cBlockchainID, txID)))
  const transactions = [...p, ...x].flatMap((block) => block.transactions)
  const { tx } = await ask<{ tx: { unsignedTx: Unsigned } }>(xUrl, 'avm.getTx', {
    txID: avaxId,
    encoding: 'json',
  })
  // The first block of X has the time of a network upgrade; its genesis outputs are as old as the network.
  const xGenesis = outputsOf(avaxId, tx.unsignedTx, { ...genesisPlace(x, xChainId), time: genesisTime })
  const known = [
    ...(await genesisOutputs(pUrl, p, story)),
    ...xGenesis,
    ...transactions.flatMap(({ outputs }) => outputs),
    ...c.flatMap(({ outputs }) => outputs),
  ]
  const stakes = await readStakes(pUrl, p, story)
  const paid = [...stakes.values()].flatMap(({ rewards }) => rewards.map(({ output }) => output))
  const outputs = new Map([...known, ...paid].map((output) => [keyOf(output), output]))
  const spenders = new Map<string, Spender>()
  for (const { id, block, inputs } of [...transactions, ...c])
    for (const input of inputs) spenders.set(keyOf(input), { id, block })
  const assetIds = new Set([...outputs.values()].map(({ assetId }) => assetId))
  const assets = new Map<string, AssetDescription>()
  for (const assetID of assetIds)
    assets.set(assetID, await ask<AssetDescription>(xUrl, 'avm.getAssetDescription', { assetID }))
  return {
    pChainId,
    xChainId,
    cChainId: cBlockchainID,
    genesisTime,
    p,
    x,
    c,
    avaxId,
    assets,
    outputs,
    spenders,
    stakes,
  }
}

/** Adds the returned L1 balances, which are not part of the bytes, to the outputs of their transactions. */
function withReturned(blocks: readonly NodeBlock[], story: Story): NodeBlock[] {
  const changes = validationsOf(blocks, story).flatMap((validation) => validation.changes)
  const returned = new Map(
    changes.flatMap(({ txId, record }) =>
      record.balanceChange < 0n ? [[txId, -record.balanceChange] as const] : [],
    ),
  )
  const output = ({ id, outputs }: NodeTransaction): NodeOutput[] => {
    const amount = returned.get(id)
    const [change] = outputs
    // The wallet owns the balance as well as the change.
    return amount === undefined || change === undefined
      ? []
      : [{ ...change, index: outputs.length, amount: String(amount) }]
  }
  return blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map((tx) => ({ ...tx, outputs: [...tx.outputs, ...output(tx)] })),
  }))
}

function genesisPlace(blocks: readonly NodeBlock[], chainId: string): BlockPlace {
  const place = blocks[0]?.place
  if (place === undefined) throw new Error(`${chainId} has no first block`)
  return place
}

/**
 * The wallet's outputs in the genesis of P. No transaction created them: unspent ones are listed by the node, spent
 * ones follow from their spending transactions.
 */
async function genesisOutputs(
  url: string,
  blocks: readonly NodeBlock[],
  { wallet }: Story,
): Promise<NodeOutput[]> {
  const block = genesisPlace(blocks, wallet.context.pBlockchainID)
  const isOfGenesis = (txId: string): boolean => txId === wallet.context.pBlockchainID
  const { utxos } = await ask<{ utxos: string[] }>(url, 'platform.getUTXOs', {
    addresses: [`P-${wallet.addressText}`],
    limit: 1024,
    encoding: 'hex',
  })
  const left = utxos.map((hex) => readUtxo(bytesOf(hex), wallet.context.hrp, block, block.chainId))
  const spent = blocks
    .flatMap(({ transactions }) => transactions)
    .flatMap(({ inputs }) => inputs)
    .map(({ txId, index, assetId, amount, stakeableLocktime }): NodeOutput => {
      const owners = { addresses: [wallet.addressText], threshold: 1, locktime: '0' }
      const place = { madeOn: block.chainId, spentOn: block.chainId, isStake: false, block }
      const none = { groupId: undefined, payload: undefined }
      return { txId, index, assetId, kind: 'coins', amount, stakeableLocktime, ...owners, ...place, ...none }
    })
  return [...left, ...spent].filter(({ txId }) => isOfGenesis(txId))
}

async function readStakes(
  url: string,
  blocks: readonly NodeBlock[],
  story: Story,
): Promise<Map<string, Stake>> {
  const transactions = blocks.flatMap((block) => block.transactions)
  const enders = new Map(transactions.map((tx) => [tx.unsigned.txID, tx]))
  const stakes = new Map<string, Stake>()
  for (const transaction of transactions) {
    const { id, unsigned, block } = transaction
    if (unsigned.validator === undefined) continue
    const owner = unsigned.validationRewardsOwner ?? unsigned.rewardsOwner
    const endedBy = enders.get(id)
    stakes.set(id, {
      transaction,
      nodeId: unsigned.validator.nodeID,
      subnetId: unsigned.subnetID ?? unsigned.validator.subnetID ?? '',
      start: block.time,
      end: unsigned.validator.end,
      potentialReward: story.potentialRewards[id],
      rewardOwners: owner?.addresses.map(withoutChain) ?? [],
      endedBy,
      rewards: endedBy === undefined ? [] : await readRewards(url, transaction, endedBy, story),
    })
  }
  return stakes
}

async function readRewards(
  url: string,
  { id, unsigned }: NodeTransaction,
  endedBy: NodeTransaction,
  { wallet }: Story,
): Promise<PaidReward[]> {
  const given = { txID: id, encoding: 'hex' }
  const { utxos } = await ask<{ utxos: string[] | null }>(url, 'platform.getRewardUTXOs', given)
  const isValidator = unsigned.validationRewardsOwner !== undefined
  return (utxos ?? [])
    .map((hex) => readUtxo(bytesOf(hex), wallet.context.hrp, endedBy.block, endedBy.block.chainId))
    .toSorted((a, b) => a.index - b.index)
    .map((output, at): PaidReward => {
      const own = isValidator ? 'VALIDATOR' : 'DELEGATOR'
      return { kind: at === 0 ? own : 'VALIDATOR_FEE', output }
    })
}

async function readAtomic(nodeUrl: string, chainId: string, txID: string): Promise<AtomicTransaction> {
  const { tx, blockHeight } = await ask<{ tx: string; blockHeight: string }>(
    `${nodeUrl}/ext/bc/C/avax`,
    'avax.getAtomicTx',
    { txID, encoding: 'hex' },
  )
  const { hash, timestamp } = await ask<{ hash: string; timestamp: string }>(
    `${nodeUrl}/ext/bc/C/rpc`,
    'eth_getBlockByNumber',
    [`0x${Number(blockHeight).toString(16)}`, false],
  )
  const bytes = bytesOf(tx)
  const block = { chainId, id: hash, height: Number(blockHeight), time: Number(timestamp) }
  // The library decodes it, because the node has no JSON for it.
  const signed = utils.getManagerForVM('EVM').unpack(new Uint8Array(bytes), avaxSerial.SignedTx)
  const credentials = signed.getCredentials().map((each) => each.getSignatures())
  const common = { id: idOf(bytes), bytes: `0x${bytes.toString('hex')}`, block }
  const { unsignedTx } = signed
  if (unsignedTx instanceof evmSerial.ImportTx) {
    return {
      ...common,
      type: 'ImportTx',
      peer: unsignedTx.sourceChain.toString(),
      inputs: unsignedTx.importedInputs.map((input, at) => ({
        txId: input.utxoID.txID.toString(),
        index: input.utxoID.outputIdx.value(),
        assetId: input.assetId.toString(),
        amount: String(input.amount()),
        stakeableLocktime: undefined,
        signatures: credentials[at] ?? [],
      })),
      outputs: [],
      accounts: unsignedTx.Outs.map((out) => accountOf(out)),
      signatures: [],
    }
  }
  if (!(unsignedTx instanceof evmSerial.ExportTx)) throw new Error(`${txID} is neither import nor export`)
  const peer = unsignedTx.destinationChain.toString()
  const place = { madeOn: chainId, spentOn: peer, isStake: false, block }
  const { hrp } = await Context.getContextFromURI(nodeUrl)
  const manager = utils.getManagerForVM('EVM').getDefaultCodec()
  return {
    ...common,
    type: 'ExportTx',
    peer,
    inputs: [],
    outputs: unsignedTx.exportedOutputs.map((output, index) => ({
      ...readOutput(Buffer.from(output.toBytes(manager)), 0, hrp),
      txId: common.id,
      index,
      ...place,
    })),
    accounts: unsignedTx.ins.map((input) => accountOf(input)),
    signatures: credentials.flat(),
  }
}

const accountOf = (given: {
  address: { toHex(): string }
  amount: { value(): bigint }
  assetId: { toString(): string }
}) => ({
  address: given.address.toHex(),
  amount: String(given.amount.value()),
  assetId: given.assetId.toString(),
})

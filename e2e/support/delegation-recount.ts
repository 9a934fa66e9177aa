/*
 * The delegations of each validation, recounted from the P-Chain's transactions on the node alone.
 */
import { askNode } from './primary.ts'

/** A validation: its transaction, its subnet and its node. */
type Validation = {
  readonly txHash: string
  readonly nodeId: string
  readonly subnetId: string
}
type NodeTx = {
  readonly id: string
  /** The fields depend on its type. */
  readonly unsignedTx: {
    readonly validator?: { readonly nodeID: string; readonly weight: number }
    readonly subnetID?: string
    readonly stake?: unknown
    /** Only for a validator that accepts delegations. */
    readonly shares?: number
  }
}
type NodeBlock = {
  readonly txs?: readonly NodeTx[]
  readonly tx?: NodeTx
}

const primaryNetwork = '11111111111111111111111111111111LpoYY'
const concurrent = 32

const txsOf = ({ txs = [], tx }: NodeBlock): readonly NodeTx[] => (tx ? [...txs, tx] : txs)

/** Every transaction of the P-Chain, first to last. */
async function readTransactions(): Promise<NodeTx[]> {
  const { height } = (await askNode('P', 'platform.getHeight', {})) as { height: string }
  const txs: NodeTx[] = []
  for (let from = 1; from <= Number(height); from += concurrent) {
    const count = Math.min(concurrent, Number(height) - from + 1)
    const blocks = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const asked = { height: from + index, encoding: 'json' }
        return ((await askNode('P', 'platform.getBlockByHeight', asked)) as { block: NodeBlock }).block
      }),
    )
    txs.push(...blocks.flatMap(txsOf))
  }
  return txs
}

/**
 * The stakes of the delegations of each validation, by the id of its transaction. A delegation belongs to the latest
 * validation of its node on the subnet, since a node has one at a time. `validations` are all that ever existed;
 * those
 * whose transaction is in no block are part of the genesis.
 */
export async function recountDelegations(
  validations: readonly Validation[],
): Promise<ReadonlyMap<string, readonly bigint[]>> {
  const txs = await readTransactions()
  const placeOf = ({ nodeId, subnetId }: Validation): string => `${nodeId} ${subnetId}`
  const inBlocks = new Set(txs.map(({ id }) => id))
  const places = new Map(validations.map((each) => [each.txHash, placeOf(each)]))
  const latest = new Map(
    validations
      .filter(({ txHash }) => !inBlocks.has(txHash))
      .map((each): [string, string] => [placeOf(each), each.txHash]),
  )
  const delegations = new Map<string, bigint[]>()
  for (const { id, unsignedTx } of txs) {
    const place = places.get(id)
    if (place !== undefined) latest.set(place, id)
    const { validator, subnetID = primaryNetwork, stake, shares } = unsignedTx
    if (!validator || stake === undefined || shares !== undefined) continue
    const validation = latest.get(`${validator.nodeID} ${subnetID}`)
    if (validation === undefined) throw new Error(`${id} delegates to an unknown validation`)
    delegations.set(validation, [...(delegations.get(validation) ?? []), BigInt(validator.weight)])
  }
  return delegations
}

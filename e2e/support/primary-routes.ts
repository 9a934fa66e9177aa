import { listPrimaryBlocks, listVertices } from '../../contract/primary/blocks.ts'
import { listBlockchainSummaries } from '../../contract/network/registry.ts'
import { listL1Validators, listValidators } from '../../contract/network/validators.ts'
import { everyTransaction, network, root } from './primary.ts'
import { ask, askAll } from './stack.ts'

const params = { network } as const

/** An address of the P-Chain that has staked: its page has balances, UTXOs, unlocks and rewards. */
async function stakerAddress(): Promise<string> {
  const { validators } = await ask(listValidators, {
    params,
    query: { pageSize: 100, validationStatus: 'active' },
  })
  const address = validators.flatMap((one) => one.potentialRewards?.rewardAddresses ?? [])[0]
  if (address === undefined) throw new Error('no validator has an address for its rewards')
  return address
}

/** The path of every page and tab of the primary network, with an example if it has parameters. */
export async function primaryRoutes(): Promise<readonly string[]> {
  const [transactions, validators, l1, chains, vertices, blocks, address] = await Promise.all([
    everyTransaction('p-chain'),
    askAll(listValidators, 'validators', { params, query: { pageSize: 100, validationStatus: 'active' } }),
    ask(listL1Validators, { params, query: { pageSize: 1 } }),
    ask(listBlockchainSummaries, { params, query: { pageSize: 100 } }),
    ask(listVertices, { params: { network, blockchainId: 'x-chain' }, query: { pageSize: 1 } }),
    askAll(listPrimaryBlocks, 'blocks', {
      params: { network, blockchainId: 'p-chain' },
      query: { pageSize: 100 },
    }),
    stakerAddress(),
  ])
  const size = (tx: (typeof transactions)[number]): number =>
    (tx.consumedUtxos?.length ?? 0) + (tx.emittedUtxos?.length ?? 0)
  const largest = transactions.toSorted((a, b) => size(b) - size(a))[0]
  const delegated = validators.toSorted((a, b) => (b.delegatorCount ?? 0) - (a.delegatorCount ?? 0))[0]
  const renewed = validators.find(({ autoRenewal }) => autoRenewal !== undefined)
  const block = blocks.find(({ txCount }) => txCount > 0)
  const chain = chains.blockchains.find(({ evmChainId }) => evmChainId !== undefined)
  const [l1Validator] = l1.validators
  const [vertex] = vertices.vertices
  if (!largest || !delegated || !renewed || !block || !chain || !l1Validator || !vertex)
    throw new Error('the sample lacks an example of a page')
  const tabs = (path: string, name: string, ids: readonly string[]): string[] =>
    ids.map((id) => `${path}${path.includes('?') ? '&' : '?'}${name}=${id}`)
  return [
    '',
    '/p-chain/blocks',
    '/x-chain/blocks',
    '/c-chain/blocks',
    `/p-chain/block/${block.blockNumber}`,
    '/p-chain/transactions',
    '/x-chain/transactions',
    '/c-chain/transactions',
    ...tabs(`/p-chain/tx/${largest.txHash}`, 'tab', ['overview', 'utxos', 'raw']),
    ...tabs('/vertices', 'view', ['list', 'graph']),
    `/vertices/${vertex.vertexHash}`,
    '/subnets',
    `/subnets/${l1Validator.subnetId}`,
    '/blockchains',
    ...tabs(`/blockchains/${chain.blockchainId}`, 'tab', ['overview', 'genesis', 'allocations', 'compare']),
    ...tabs('/validators', 'list', ['active', 'pending', 'completed', 'removed', 'watched']),
    '/validators?subnet=all',
    ...tabs(`/validators/${delegated.nodeId}`, 'tab', [
      'outlook',
      'terms',
      'delegators',
      'history',
      'rewards',
      'blocks',
      'l1',
    ]),
    `/validators/${renewed.nodeId}`,
    `/validators/${renewed.nodeId}?tab=history`,
    '/l1-validators',
    `/l1-validators?tab=safety&subnet=${l1Validator.subnetId}`,
    ...tabs(`/l1-validators/${l1Validator.validationId}`, 'tab', ['changes', 'chart', 'details']),
    ...tabs(`/addresses/${address}`, 'tab', ['balances', 'utxos', 'unlocks', 'transactions', 'rewards']),
  ].map((path) => `${root}${path}`)
}

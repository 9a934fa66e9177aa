// What the SDK's operations are asked for: things that the service itself lists.

const network = 'fuji'
const chains = { 'p-chain': undefined, 'x-chain': undefined, 'c-chain': undefined }

/**
 * A case for each operation of the SDK, and several if an answer has several forms. `base` is the URL of a
 * service whose sample network is live.
 */
export async function readCases(base) {
  const ask = async (path) => {
    const response = await fetch(`${base}${path}`)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const cases = []
  const add = (name, label, request) => cases.push({ name, label, request })
  await primaryCases(ask, add)
  await evmCases(ask, add)
  await signatureCases(ask, add)
  return cases
}

async function primaryCases(ask, add) {
  const root = `/v1/networks/${network}`
  add('dataPrimaryNetworkGetNetworkDetails', network, { network })
  add('dataPrimaryNetworkListBlockchains', network, { network, pageSize: 10 })
  const { blockchains } = await ask(`${root}/blockchainSummaries`)
  for (const { blockchainId, blockchainName } of blockchains) {
    add('dataPrimaryNetworkGetBlockchainById', blockchainName, { network, blockchainId })
  }
  add('dataPrimaryNetworkListSubnets', network, { network, pageSize: 3 })
  for (const blockchainId of Object.keys(chains)) {
    const on = `${root}/blockchains/${blockchainId}`
    const { blocks } = await ask(`${on}/blocks?pageSize=100`)
    const proposer = blocks.find(({ proposerDetails }) => proposerDetails?.proposerNodeId)
    add('dataPrimaryNetworkBlocksListLatest', blockchainId, { network, blockchainId, pageSize: 100 })
    add('dataPrimaryNetworkBlocksGet', blockchainId, { network, blockchainId, blockId: blocks[0].blockHash })
    if (proposer) {
      const { proposerNodeId: nodeId } = proposer.proposerDetails
      add('dataPrimaryNetworkBlocksListByNodeId', blockchainId, {
        network,
        blockchainId,
        nodeId,
        pageSize: 100,
      })
    }
    const transactions = await everyTransaction(ask, on)
    add('dataPrimaryNetworkTransactionsListLatest', blockchainId, { network, blockchainId, pageSize: 100 })
    const byType = groupBy(transactions, (each) =>
      [each.txType, ...(each.chainFormat === 'non-linear' ? ['of a vertex'] : [])].join(' '),
    )
    for (const [type, own] of byType) {
      for (const { txHash } of own.slice(0, 3)) {
        add('dataPrimaryNetworkTransactionsGet', `${blockchainId} ${type}`, { network, blockchainId, txHash })
      }
    }
    const owners = transactions.flatMap(({ emittedUtxos, consumedUtxos }) =>
      [...emittedUtxos, ...consumedUtxos].flatMap(({ addresses }) => addresses),
    )
    const busy = [...groupBy(owners, (each) => each)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .slice(0, 40)
      .map(([address]) => address)
    for (const addresses of [busy[0], busy.join(',')]) {
      const label = `${blockchainId}, ${addresses.split(',').length} addresses`
      const request = { network, blockchainId, addresses }
      add('dataPrimaryNetworkTransactionsListLatest', label, { ...request, pageSize: 100 })
      add('dataPrimaryNetworkBalancesListByAddresses', label, request)
      add('dataPrimaryNetworkUtxosListByAddresses', label, { ...request, includeSpent: true, pageSize: 100 })
    }
    if (blockchainId === 'p-chain') {
      add('dataPrimaryNetworkRewardsListHistoricalRewards', 'of addresses', {
        network,
        addresses: busy.join(','),
        pageSize: 100,
      })
      add('dataPrimaryNetworkRewardsListPendingRewards', 'of addresses', {
        network,
        addresses: busy.join(','),
        pageSize: 100,
      })
    }
  }
  const { validators } = await ask(`${root}/validators?validationStatus=active`)
  const { nodeId } = validators[0]
  for (const validationStatus of ['active', 'pending', 'completed', 'removed']) {
    add('dataPrimaryNetworkListValidators', validationStatus, { network, validationStatus, pageSize: 100 })
  }
  const { validators: ended } = await ask(`${root}/validators?validationStatus=completed`)
  add('dataPrimaryNetworkGetValidatorDetails', 'completed', {
    network,
    nodeId: ended[0].nodeId,
    validationStatus: 'completed',
  })
  add('dataPrimaryNetworkGetValidatorDetails', 'active', { network, nodeId })
  add('dataPrimaryNetworkListDelegators', network, { network, pageSize: 100 })
  const l1 = { network, includeInactiveL1Validators: true, pageSize: 100 }
  add('dataPrimaryNetworkListL1Validators', network, l1)
  add('dataPrimaryNetworkRewardsListHistoricalRewards', 'of a node', { network, nodeIds: ended[0].nodeId })
  add('dataPrimaryNetworkRewardsListPendingRewards', 'of a node', { network, nodeIds: nodeId })
  const { vertices } = await ask(`${root}/blockchains/x-chain/vertices`)
  const [vertex] = vertices
  const x = { network, blockchainId: 'x-chain' }
  add('dataPrimaryNetworkVerticesListLatest', '', { ...x, pageSize: 100 })
  add('dataPrimaryNetworkVerticesGetByHash', '', { ...x, vertexHash: vertex.vertexHash })
  add('dataPrimaryNetworkVerticesListByHeight', '', { ...x, vertexHeight: vertex.vertexHeight })
}

/** Every transaction of a chain of the primary network. */
async function everyTransaction(ask, on) {
  const all = []
  for (let next = ''; ;) {
    const page = await ask(`${on}/transactions?pageSize=100${next && `&pageToken=${next}`}`)
    all.push(...page.transactions)
    if (page.nextPageToken === undefined) return all
    next = page.nextPageToken
  }
}

async function evmCases(ask, add) {
  add('dataEvmChainsList', '', {})
  const { chains: all } = await ask('/v1/chains')
  // The metrics that the SDK knows: the hosted services' own.
  const { profiles } = await ask('/config.json')
  const { metrics } = profiles.find(({ id }) => id === 'mainnet')
  for (const { chainId } of all) {
    const on = `/v1/chains/${chainId}`
    add('dataEvmChainsGet', chainId, { chainId })
    add('dataEvmBlocksListLatest', chainId, { chainId, pageSize: 100 })
    add('dataEvmTransactionsListLatest', chainId, { chainId, pageSize: 100 })
    const { transactions } = await ask(`${on}/transactions?pageSize=100`)
    const [latest] = transactions
    add('dataEvmBlocksGet', chainId, { chainId, blockId: latest.blockNumber })
    add('dataEvmBlocksListTransactions', chainId, { chainId, blockId: latest.blockHash, pageSize: 10 })
    for (const { txHash } of transactions.slice(0, 20))
      add('dataEvmTransactionsGet', chainId, { chainId, txHash })
    const { tokens } = await ask(`${on}/tokens?pageSize=100`)
    const deployer = (await ask(`${on}/deployers?days=90`)).deployers?.[0]?.address ?? latest.from.address
    const senders = [...new Set(transactions.map(({ from }) => from.address))].slice(0, 5)
    for (const address of senders) {
      const request = { chainId, address, pageSize: 100 }
      add('dataEvmAddressTransactionsList', chainId, request)
      add('dataEvmAddressTransactionsListNative', chainId, request)
      add('dataEvmAddressTransactionsListErc20', chainId, request)
      add('dataEvmAddressTransactionsListErc721', chainId, request)
      add('dataEvmAddressTransactionsListErc1155', chainId, request)
      add('dataEvmAddressTransactionsListInternal', chainId, request)
      add('dataEvmAddressBalancesGetNative', chainId, { chainId, address })
      add('dataEvmAddressBalancesListErc20', chainId, { ...request, filterSpamTokens: false })
      add('dataEvmAddressBalancesListErc721', chainId, request)
      add('dataEvmAddressBalancesListErc1155', chainId, request)
      add('dataEvmAddressBalancesListCollectibles', chainId, request)
    }
    add('dataEvmAddressContractsListDeployments', chainId, { chainId, address: deployer })
    const kinds = [...groupBy(tokens, ({ ercType }) => ercType).values()].map(([token]) => token)
    for (const { address, ercType } of kinds) {
      add('dataEvmContractsGetMetadata', `${chainId} ${ercType}`, { chainId, address })
      add('dataEvmContractsListTransfers', `${chainId} ${ercType}`, { chainId, address, pageSize: 100 })
      if (ercType === 'ERC-20') continue
      const { tokens: own } = await ask(`${on}/nfts/collections/${address}/tokens?pageSize=5`)
      add('dataNftsList', `${chainId} ${ercType}`, { chainId, address, pageSize: 100 })
      for (const { tokenId } of own.slice(0, 1)) {
        add('dataNftsGet', `${chainId} ${ercType}`, { chainId, address, tokenId })
        add('dataNftsReindex', `${chainId} ${ercType}`, { chainId, address, tokenId })
      }
    }
    for (const metric of metrics) {
      add('metricsChainsGetMetrics', `${chainId} ${metric}`, {
        chainId,
        metric,
        timeInterval: 'day',
        pageSize: 100,
      })
    }
  }
}

async function signatureCases(ask, add) {
  const { messages } = await ask(`/v1/signatureAggregator/${network}/messages?pageSize=1`)
  const [{ message, signingSubnetId }] = messages
  add('dataSignatureAggregatorAggregate', 'a message', {
    network,
    signatureAggregatorRequest: { message, signingSubnetId },
  })
  const of = await ask(`/v1/signatureAggregator/${network}/messages?blockchainId=p-chain&pageSize=1`)
  for (const { txHash } of of.messages)
    add('dataSignatureAggregatorGet', 'a P-Chain transaction', { network, txHash })
}

function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

// What the examples of the API are asked for: things that the sample itself lists (scripts/examples.mjs).

const evm = '/v1/chains/43113'
const network = '/v1/networks/fuji'
const day = 86_400

/**
 * Values of parameters, by name or by operation and name. Whatever has no value here has its default, or the first of
 * its values. `ask` reads a path of a service whose sample is live.
 */
export async function exampleValues(ask) {
  const sample = new URL((await ask(evm)).rpcUrl).origin
  const { contracts } = (await (await fetch(`${sample}/sample/addresses`)).json()).c

  const { blocks } = await ask(`${evm}/blocks?pageSize=100`)
  const { transactions } = await ask(`${evm}/transactions?pageSize=100`)
  const call = transactions.find(
    ({ method, txStatus }) => method?.callType === 'CONTRACT_CALL' && txStatus === '1',
  )
  const [deployment] = (await ask(`${evm}/contracts?pageSize=1`)).contracts
  const failed = await findTransaction(({ txStatus }) => txStatus === '0')
  const approve = (await ask(`${evm}/transactions?methodHash=0x095ea7b3&pageSize=1`)).transactions[0]
  const { address: holder, balance } = (await ask(`${evm}/tokens/${contracts['Sample Dollar']}/holders`))
    .holders[0]
  const [primaryBlock] = (await ask(`${network}/blockchains/p-chain/blocks`)).blocks
  const nft = (await ask(`${evm}/nfts/collections/${contracts['Skyline Prints']}/tokens`)).tokens[0]
  const collector = nft.ownerAddress
  const gear = (await ask(`${evm}/tokens/${contracts['Trail Gear']}/holders`)).holders[0].address
  const { subnets } = await ask(`${network}/subnets`)
  const l1 = subnets.find(({ isL1 }) => isL1)
  const l1Validator = (await ask(`${network}/l1Validators?subnetId=${l1.subnetId}`)).validators[0]
  const validators = await ask(`${network}/validators?validationStatus=active&pageSize=100`)
  // One that renews itself is in every sample.
  const validator = validators.validators.find(({ autoRenewal }) => autoRenewal !== undefined)
  const ending = validators.validators.find(({ autoRenewal }) => autoRenewal === undefined)
  const staker = (await ask(`${network}/delegators?delegationStatus=completed`)).delegators[0]
    .rewardAddresses[0]
  const delegation = (await ask(`${network}/delegators?delegationStatus=active`)).delegators[0]
  const vertex = (await ask(`${network}/blockchains/x-chain/vertices:listByHeight?vertexHeight=1`))
    .vertices[0]
  const chainTx = l1.blockchains[0].blockchainId
  const message = await findMessage()
  const xAsset = (await ask(`${network}/overview`)).avaxAssetId

  /** The newest transaction of the C-Chain that fits. */
  async function findTransaction(fits) {
    let pageToken = ''
    for (let page = 0; page < 50; page += 1) {
      const answer = await ask(`${evm}/transactions?pageSize=100${pageToken}`)
      const found = answer.transactions.find(fits)
      if (found) return found
      if (answer.nextPageToken === undefined) break
      pageToken = `&pageToken=${encodeURIComponent(answer.nextPageToken)}`
    }
    throw new Error('the sample has no such transaction: give it more hours')
  }

  /** The newest message that validators still sign. */
  async function findMessage() {
    const listed = await ask('/v1/signatureAggregator/fuji/messages?pageSize=100')
    return listed.messages.find(({ refusal, chainName }) => refusal === undefined && chainName !== 'p-chain')
  }

  const midnight = Math.floor(blocks[0].blockTimestamp / day) * day
  return {
    chainId: '43113',
    network: 'fuji',
    pageSize: 2,
    sortOrder: 'desc',
    startBlock: 1,
    endBlock: Number(blocks[0].blockNumber),
    startTimestamp: midnight - day,
    endTimestamp: midnight,
    blockId: '1',
    'getPrimaryBlock.blockId': '1',
    txHash: call.txHash,
    'getTransactionFailure.txHash': failed.txHash,
    'getPrimaryTransaction.txHash': chainTx,
    'getAggregatedSignatures.txHash': l1.l1ConversionTransactionHash,
    'getWarpMessageOfTransaction.txHash': message.txHash,
    currency: 'usd',
    methodHash: call.method.methodHash,
    fromAddress: call.from.address,
    toAddress: call.to.address,
    'listTransactions.txStatus': '1',
    creator: deployment.deployerAddress,
    'listDeployments.kind': deployment.ercType ?? 'OTHER',
    rewardTypes: 'VALIDATOR,DELEGATOR',
    positions: `${call.blockNumber}-${call.blockIndex}`,
    address: contracts['Sample Dollar'],
    ...Object.fromEntries(
      [
        'listAddressTransactions',
        'listNativeTransactions',
        'listErc20Transfers',
        'getNativeBalance',
        'listErc20Balances',
        'getAddressOverview',
      ].map((id) => [`${id}.address`, holder]),
    ),
    ...Object.fromEntries(
      ['listErc721Transfers', 'listErc721Balances', 'listCollectibleBalances'].map((id) => [
        `${id}.address`,
        collector,
      ]),
    ),
    'listErc1155Transfers.address': gear,
    'listErc1155Balances.address': gear,
    'listInternalTransactions.address': contracts['Splitter'],
    'listContractDeployments.address': contracts['Factory'],
    'getContractCode.address': contracts['Moss'],
    'listApprovals.address': approve.from.address,
    ...Object.fromEntries(
      ['setAddressLabel', 'getAddressLabel'].map((id) => [`${id}.address`, contracts['Splitter']]),
    ),
    isVerified: 'true',
    'listCollectionTokens.address': contracts['Skyline Prints'],
    'getNft.address': contracts['Skyline Prints'],
    'reindexNft.address': contracts['Skyline Prints'],
    'exportTable.address': holder,
    'exportTable.token': contracts['Sample Dollar'],
    topic1: `0x${'0'.repeat(64)}`,
    topic2: `0x${holder.slice(2).padStart(64, '0')}`,
    topic3: `0x${'1'.padStart(64, '0')}`,
    topic0: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    blockNumber: blocks[0].blockNumber,
    filterSpamTokens: true,
    contractAddresses: contracts['Sample Dollar'],
    contractAddress: contracts['Skyline Prints'],
    'listErc1155Balances.contractAddress': contracts['Trail Gear'],
    days: 7,
    ercType: 'ERC-20',
    'listCollectionTokens.ercType': 'ERC-721',
    'getNft.ercType': 'ERC-721',
    'listTokenTransfers.tokenId': '1',
    name: 'Dollar',
    tokenId: nft.tokenId,
    blockchainId: 'p-chain',
    ...Object.fromEntries(
      ['getBlockchain', 'getBlockchainGenesis', 'listGenesisAllocations'].map((id) => [
        `${id}.blockchainId`,
        chainTx,
      ]),
    ),
    ...Object.fromEntries(
      ['listVertices', 'getVertex', 'listVerticesByHeight', 'getVertexGraph'].map((id) => [
        `${id}.blockchainId`,
        'x-chain',
      ]),
    ),
    'listWarpMessages.blockchainId': '43113',
    subnetId: l1.subnetId,
    'listValidators.subnetId': '11111111111111111111111111111111LpoYY',
    nodeId: validator.nodeId,
    endingNodeId: ending.nodeId,
    'listL1Validators.nodeId': l1Validator.nodeId,
    nodeIds: validator.nodeId,
    addresses: staker,
    rewardAddresses: staker,
    'listUnlocks.addresses': delegation.rewardAddresses[0],
    l1ValidationId: l1Validator.validationId,
    validationId: l1Validator.validationId,
    blockTimestamp: midnight,
    assetId: xAsset,
    includeSpent: true,
    validationStatus: 'active',
    delegationStatus: 'active',
    minDelegationCapacity: '1000000000',
    maxDelegationCapacity: '1000000000000000',
    minTimeRemaining: 3600,
    maxTimeRemaining: 31_536_000,
    minFeePercentage: 2,
    maxFeePercentage: 10,
    minUptimePerformance: 80,
    maxUptimePerformance: 100,
    includeInactiveL1Validators: true,
    quorumPercentage: 67,
    vertexHash: vertex.vertexHash,
    vertexHeight: 1,
    startHeight: 1,
    count: 10,
    pChainHeight: 0,
    timeInterval: 'day',
    threshold: '1000000',
    'listHolders.address': contracts['Sample Dollar'],
    parts: 3,
    timestamp: midnight - day,
    chain: 'p-chain',
    chainIds: '43113',
    blocks: 1,
    transactions: 1,
    state: 'firing',
    memberId: validator.nodeId,
    severity: 'warning',
    isOpen: true,
    status: 'delivered',
    includesEnded: true,
    query: 'Sample Dollar',
    message: message.message,
    balance,
    second: 'gasUsed',
    compare: '431301',
    from: midnight - day,
    to: midnight,
    after: '1',
    snapshot: `${blocks[0].blockNumber}-${blocks[0].blockHash}`,
    'exportPrimaryTable.snapshot': `${primaryBlock.blockNumber}-${primaryBlock.blockHash}`,
  }
}

/** The bodies of requests, and the optional parameters that are sent with one, by operation. */
export const exampleBodies = (values) => ({
  alsoSent: {
    listBlockTransactions: ['pageSize'],
    listRewards: ['addresses'],
    listPendingRewards: ['nodeIds'],
    listYearlyRewards: ['addresses'],
  },
  setAddressLabel: {
    name: 'Treasury',
    abi: [
      {
        type: 'function',
        name: 'release',
        inputs: [{ name: 'to', type: 'address' }],
        outputs: [],
        stateMutability: 'nonpayable',
      },
    ],
  },
  readContract: { signature: 'balanceOf(address)', args: [values['getNativeBalance.address']] },
  simulateCall: {
    from: values['exportTable.address'],
    // transfer(address,uint256): one unit of the smallest.
    data: `0xa9059cbb${values.toAddress.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`,
    value: '0',
  },
  aggregateSignatures: { message: values.message, quorumPercentage: 67 },
  streamSignatures: { message: values.message, quorumPercentage: 67 },
  decodeWarpMessage: { message: values.message },
  runSql: { sql: 'select number, tx_count from blocks order by number desc limit 2' },
  createWatchFleet: {
    network: 'fuji',
    name: 'Our validators',
    // The rule of the examples fires for a stake that ends: the first node's renews itself.
    text: `${values.nodeId} gamma\n${values.endingNodeId} epsilon`,
  },
  importWatchFleet: {
    ridgelineFleet: 1,
    network: 'fuji',
    name: 'Copied',
    description: '',
    members: [{ memberId: values.nodeId, label: 'gamma' }],
    rules: [{ kind: 'notConnected' }],
  },
  updateWatchFleet: { name: 'Our validators', description: 'In Zurich' },
  addWatchMembers: { members: [{ memberId: values['listL1Validators.nodeId'], label: 'delta' }] },
  removeWatchMembers: { memberIds: [values.nodeId] },
  createWatchRule: {
    kind: 'stakeEnds',
    fleetId: values.fleetId,
    threshold: 31_536_000,
    severity: 'warning',
    channelIds: [values.channelId],
  },
  updateWatchRule: { kind: 'uptimeLow', fleetId: values.fleetId, threshold: 5 },
  dryRunWatchRule: {
    rule: { kind: 'uptimeLow', fleetId: values.fleetId, threshold: 5 },
    startTimestamp: values.endTimestamp,
    endTimestamp: values.endTimestamp + day / 2,
  },
  createWatchChannel: {
    name: 'Operators',
    kind: 'ntfy',
    ntfy: { topic: 'ridgeline-example', serverUrl: 'https://ntfy.example' },
  },
  updateWatchChannel: {
    name: 'Operators',
    kind: 'ntfy',
    ntfy: { topic: 'ridgeline-example', serverUrl: 'https://ntfy.example' },
  },
  createWatchSilence: {
    fleetId: values.fleetId,
    comment: 'Maintenance',
    endTimestamp: values.endTimestamp + 2 * day,
  },
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { profileOf } from '../../contract/profile-settings.ts'
import type { TransactionDetails } from '../../contract/evm/transactions.ts'
import { getBlockFromNode, getTransactionFromNode, headFromNode } from './from-node.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

type Call = { id: number; method: string; params: readonly unknown[] }

/** The profile of a service with a node that answers by `results`; `calls` are what it was asked, with the path. */
async function nodeOf(results: (method: string, params: readonly unknown[]) => unknown) {
  const calls: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const batch = JSON.parse(body) as Call[]
      calls.push(...batch.map(({ method }) => `${request.url ?? ''} ${method}`))
      const answers = batch.map(({ id, method, params }) => ({
        jsonrpc: '2.0',
        id,
        result: results(method, params),
      }))
      // A node may answer a batch in any order.
      response.end(JSON.stringify(answers.toReversed()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const nodeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/node/`
  const profile = profileOf({ name: 'A', network: 'fuji', dataUrl: 'https://data.example', nodeUrl })
  return { profile, calls }
}

const [from, to, token] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}` as const)
if (!from || !to || !token) throw new Error('three addresses')
const hash = `0x${'12'.repeat(32)}`
const blockHash = `0x${'34'.repeat(32)}`

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const nftAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])
const uint = { type: 'uint256' } as const
const uints = { type: 'uint256[]' } as const

const logs = [
  {
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }),
    data: encodeAbiParameters([uint], [4_565_000n]),
  },
  {
    topics: encodeEventTopics({ abi: nftAbi, eventName: 'Transfer', args: { from, to, tokenId: 7n } }),
    data: '0x',
  },
  {
    topics: encodeEventTopics({ abi, eventName: 'TransferSingle', args: { operator: token, from, to } }),
    data: encodeAbiParameters([uint, uint], [3n, 10n ** 30n]),
  },
  {
    topics: encodeEventTopics({ abi, eventName: 'TransferBatch', args: { operator: token, from, to } }),
    data: encodeAbiParameters(
      [uints, uints],
      [
        [1n, 2n],
        [5n, 6n],
      ],
    ),
  },
].map((log, index) => ({ ...log, address: token, logIndex: `0x${index.toString(16)}` }))

const block = {
  number: '0x10',
  hash: blockHash,
  parentHash: hash,
  timestamp: '0x6553f100',
  transactions: [hash],
  gasUsed: '0x5208',
  gasLimit: '0xe4e1c0',
  baseFeePerGas: '0x5d21dba00',
  size: '0x200',
}
const receipt = { status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x5d21dba00', logs }
const transaction = {
  hash,
  blockNumber: '0x10',
  blockHash,
  transactionIndex: '0x0',
  from,
  to: token,
  value: '0x0',
  input: '0xa9059cbb00',
  nonce: '0x2',
  gas: '0x15f90',
  type: '0x2',
}

const results = (method: string, params: readonly unknown[]): unknown => {
  if (method === 'eth_blockNumber') return '0x11'
  if (method === 'eth_getTransactionReceipt') return receipt
  if (method === 'eth_getTransactionByHash') return transaction
  if (params[0] === 'finalized') return { ...block, number: '0xf' }
  return params[1] === true ? { ...block, transactions: [transaction] } : block
}

test('a block has the fees of its receipts, and is final below the node’s final block only', async () => {
  const { profile, calls } = await nodeOf(results)
  const answer = await getBlockFromNode({ params: { chainId: '43113', blockId: '16' } }, profile)
  expect(answer).toMatchObject({
    blockNumber: '16',
    blockTimestamp: 1_700_000_000,
    txCount: 1,
    gasUsed: '21000',
    baseFee: '25000000000',
    // 21,000 gas at 25 gwei
    feesSpent: '525000000000000',
    logCount: 4,
    isFinalized: false,
    nextBlockNumber: '17',
  })
  expect(calls[0]).toBe('/node/ext/bc/C/rpc eth_getBlockByNumber')
})

test('fees are those of the transactions’ own prices where receipts have none', async () => {
  const priced = { ...transaction, gasPrice: '0x5d21dba00' }
  const { effectiveGasPrice: _price, ...silent } = receipt
  const { profile } = await nodeOf((method, params) => {
    if (method === 'eth_getTransactionReceipt') return silent
    if (method === 'eth_getTransactionByHash') return priced
    return params[1] === true ? { ...block, transactions: [priced] } : results(method, params)
  })
  const whole = await getBlockFromNode({ params: { chainId: '43113', blockId: '16' } }, profile)
  expect(whole).toMatchObject({ feesSpent: '525000000000000' })
  const one = await getTransactionFromNode({ params: { chainId: '43113', txHash: hash } }, profile)
  expect(one).toMatchObject({ nativeTransaction: { txFee: '525000000000000' } })
})

test('the fee of a blob transaction is that of its gas and of its blobs', async () => {
  const blobs = { ...receipt, blobGasUsed: '0x20000', blobGasPrice: '0x3' }
  const { profile } = await nodeOf((method, params) =>
    method === 'eth_getTransactionReceipt' ? blobs : results(method, params),
  )
  const answer = await getTransactionFromNode({ params: { chainId: '43113', txHash: hash } }, profile)
  expect(answer).toMatchObject({
    nativeTransaction: { blobGasUsed: '131072', blobGasPrice: '3', txFee: '525000000393216' },
  })
})

test('a transaction has the transfers of its logs, of all three kinds of token', async () => {
  const { profile } = await nodeOf(results)
  const request = { params: { chainId: '43113', txHash: hash } }
  const answer = (await getTransactionFromNode(request, profile)) as TransactionDetails
  expect(answer.nativeTransaction).toMatchObject({
    txStatus: '1',
    nonce: '2',
    gasLimit: '90000',
    txFee: '525000000000000',
    method: { callType: 'CONTRACT_CALL', methodHash: '0xa9059cbb' },
  })
  const parties = { from: { address: from }, to: { address: to } }
  expect(answer.erc20Transfers).toMatchObject([{ ...parties, logIndex: 0, value: '4565000' }])
  expect(answer.erc721Transfers).toMatchObject([{ ...parties, logIndex: 1, erc721Token: { tokenId: '7' } }])
  expect(
    answer.erc1155Transfers?.map(({ logIndex, value, erc1155Token: { tokenId } }) => [
      logIndex,
      tokenId,
      value,
    ]),
  ).toEqual([
    [2, '3', '1000000000000000000000000000000'],
    [3, '1', '5'],
    [3, '2', '6'],
  ])
})

test('what the node does not know is not found, and what it refuses says so', async () => {
  const { profile } = await nodeOf(() => null)
  const asked = getTransactionFromNode({ params: { chainId: '43113', txHash: hash } }, profile)
  await expect(asked).rejects.toMatchObject({ kind: 'status', status: 404 })
  const { profile: broken } = await nodeOf(() => ({ number: 'twelve' }))
  await expect(headFromNode(broken, '43113')).rejects.toMatchObject({ kind: 'answer' })
})

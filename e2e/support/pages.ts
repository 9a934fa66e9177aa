import { getTransaction, listTransactions } from '../../contract/evm/transactions.ts'
import { listBlocks } from '../../contract/evm/blocks.ts'
import { integer, short } from './figures.ts'
import { ask, askAll, chains } from './stack.ts'
import type { PageOfDashboard } from './page-of-dashboard.ts'
import { tokenPages } from './tokens-pages.ts'

const c = chains.c

/** A transaction of the C-Chain with all kinds of contents: logs, transfers and internal calls. */
export async function richTransaction(): Promise<{ hash: string; block: string }> {
  const rows = await askAll(listTransactions, 'transactions', {
    params: { chainId: c.id },
    query: { pageSize: 100, startBlock: 1000, endBlock: 1200, sortOrder: 'asc' },
  })
  for (const row of rows) {
    if (row.method?.callType !== 'CONTRACT_CALL' || row.txStatus !== '1') continue
    const details = await ask(getTransaction, { params: { chainId: c.id, txHash: row.txHash } })
    if ((details.internalTransactions?.length ?? 0) > 0 && (details.logs?.length ?? 0) > 0)
      return { hash: row.txHash, block: row.blockNumber }
  }
  throw new Error('no transaction between blocks 1000 and 1200 has logs and internal calls')
}

/** A block of the C-Chain's history with at least two transactions. */
export async function fullBlock(): Promise<{ height: string; hash: string }> {
  const blocks = await askAll(listBlocks, 'blocks', {
    params: { chainId: c.id },
    query: { pageSize: 100, startBlock: 1000, endBlock: 1200 },
  })
  const found = blocks.find((block) => block.txCount >= 5)
  if (found === undefined) throw new Error('no block between 1000 and 1200 has five transactions')
  return { height: found.blockNumber, hash: found.blockHash }
}

/** Every page, with an example path if it has parameters. */
export async function everyPage(): Promise<readonly PageOfDashboard[]> {
  const [block, transaction, tokens] = await Promise.all([fullBlock(), richTransaction(), tokenPages()])
  const address = '0x00000000000000000000000000000000000000aa'
  const of = `/chain/${c.id}`
  return [
    { name: 'overview', path: '/', title: 'Overview', heading: 'Overview' },
    { name: 'chains', path: '/chains', title: 'Chains', heading: 'Chains' },
    { name: 'chain', path: of, title: c.name, heading: c.name },
    { name: 'configuration', path: `${of}?tab=configuration`, title: c.name, heading: c.name },
    { name: 'metrics', path: `${of}/metrics`, title: `Metrics · ${c.name}`, heading: 'Metrics' },
    {
      name: 'metric',
      path: `${of}/metrics/txCount`,
      title: `Transactions · ${c.name}`,
      heading: 'Transactions',
    },
    { name: 'hot', path: `${of}/hot`, title: `Most used · ${c.name}`, heading: 'Most used' },
    {
      name: 'network-metrics',
      path: '/networks/fuji/metrics',
      title: 'Metrics · Sample network',
      heading: 'Network metrics',
    },
    {
      name: 'network-metric',
      path: '/networks/fuji/metrics/totalStake',
      title: 'Total stake · Sample network',
      heading: 'Total stake',
    },
    { name: 'blocks', path: `${of}/blocks`, title: `Blocks · ${c.name}`, heading: 'Blocks' },
    {
      name: 'block',
      path: `${of}/block/${block.height}`,
      title: `Block ${integer(block.height)} · ${c.name}`,
      heading: `Block ${integer(block.height)}`,
    },
    {
      name: 'transactions',
      path: `${of}/transactions`,
      title: `Transactions · ${c.name}`,
      heading: 'Transactions',
    },
    {
      name: 'transaction',
      path: `${of}/tx/${transaction.hash}`,
      title: `Transaction ${short(transaction.hash)} · ${c.name}`,
      heading: 'Transaction',
    },
    {
      name: 'address',
      path: `${of}/address/${address}`,
      title: `Address ${short(address)} · ${c.name}`,
      heading: 'Address',
    },
    ...tokens,
    { name: 'search', path: '/search?q=12', title: '“12” · Search', heading: 'Search for “12”' },
    { name: 'settings', path: '/settings', title: 'Settings', heading: 'Settings' },
    { name: 'watch-list', path: '/watch-list', title: 'Watch list', heading: 'Watch list' },
    { name: 'fleets', path: '/fleets', title: 'Fleets', heading: 'Fleets' },
    { name: 'alarms', path: '/alarms', title: 'Alarms', heading: 'Alarms' },
    { name: 'rules', path: '/alarms/rules', title: 'Rules', heading: 'Rules' },
    { name: 'channels', path: '/alarms/channels', title: 'Channels', heading: 'Channels' },
    { name: 'signatures', path: '/signatures', title: 'Signatures', heading: 'Signatures' },
    {
      name: 'signatures-messages',
      path: '/signatures?tab=messages',
      title: 'Signatures',
      heading: 'Signatures',
    },
    { name: 'node', path: '/node', title: 'Node', heading: 'Node' },
    { name: 'docs', path: '/docs', title: 'API', heading: 'API' },
    { name: 'sql', path: '/sql', title: 'SQL', heading: 'SQL' },
    { name: 'not-found', path: '/nowhere', title: 'Not found', heading: 'Page not found' },
  ]
}

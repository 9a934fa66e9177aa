import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Route, Routes, StaticRouter } from 'react-router'
import { expect, test } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { vertexGraphQuery } from '../api/primary/vertices.ts'
import { Component as EvmBlock } from './evm/block.tsx'
import { Component as EvmTransaction } from './evm/transaction/transaction.tsx'
import { Component as Blockchain } from './network/blockchain/blockchain.tsx'
import { Component as Subnet } from './network/subnet/subnet.tsx'
import { Component as PrimaryBlock } from './primary/block.tsx'
import { Component as PrimaryTransaction } from './primary/transaction/transaction.tsx'
import { Component as VertexPage } from './primary/vertex.tsx'
import { GraphView } from './primary/vertices/graph-view.tsx'

const textOf = (page: ReactNode, queries = new QueryClient()): string =>
  renderToStaticMarkup(<QueryClientProvider client={queries}>{page}</QueryClientProvider>)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const id = 'ab'.repeat(32)

test.each([
  [
    EvmBlock,
    '/chain/:chainId/block/:blockId',
    '/chain/1/block/1188',
    ['Block 1,188', 'Age', 'Gas used', 'Base fee', 'Fees'],
  ],
  [
    EvmTransaction,
    '/chain/:chainId/tx/:txHash',
    `/chain/1/tx/0x${id}`,
    [`0x${id}`, 'Overview', 'Balance changes', 'Logs –', 'Internal calls –', 'Raw'],
  ],
  [
    PrimaryBlock,
    '/networks/:network/:chain/block/:blockId',
    '/networks/fuji/p-chain/block/12',
    ['Block 12', 'Proposer', 'Active L1 validators', 'Supply', 'Size'],
  ],
  [
    PrimaryTransaction,
    '/networks/:network/:chain/tx/:txHash',
    `/networks/fuji/p-chain/tx/${id}`,
    [id, 'Overview', 'UTXOs –', 'Raw'],
  ],
  [
    VertexPage,
    '/networks/:network/vertices/:vertexHash',
    `/networks/fuji/vertices/${id}`,
    [id, 'Height', 'Transactions', 'Size'],
  ],
  [
    Subnet,
    '/networks/:network/subnets/:subnetId',
    `/networks/fuji/subnets/${id}`,
    [id, 'Active validators', 'Weight', 'First one runs out', 'Created'],
  ],
  [
    Blockchain,
    '/networks/:network/blockchains/:blockchainId',
    `/networks/fuji/blockchains/${id}`,
    [id, 'Created', 'EVM chain ID', 'Allocations', 'Allocated'],
  ],
])('a page says what it will show while it loads: %#', (Page, path, location, words) => {
  const text = textOf(
    <StaticRouter location={location}>
      <Routes>
        <Route path={path} element={<Page />} />
      </Routes>
    </StaticRouter>,
  )
  for (const word of words) expect(text).toContain(word)
})

test('the graph of vertices keeps its height and size when it fails, because either may be the reason', () => {
  // Otherwise it is asked again when it is drawn.
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  const { queryKey } = vertexGraphQuery('fuji', 7, 300)
  const error = new ApiError('status', 'No such height.', { status: 400 })
  queries
    .getQueryCache()
    .build(queries, { queryKey })
    .setState({ status: 'error', error, errorUpdateCount: 1 })
  const text = textOf(
    <StaticRouter location="/">
      <GraphView network="fuji" from={7} size="300" onChange={() => undefined} empty={null} />
    </StaticRouter>,
    queries,
  )
  expect(text).toContain('From height')
  expect(text).toContain('2,000')
  expect(text).toContain('The graph could not be loaded. No such height.')
})

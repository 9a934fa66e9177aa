import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clientPath } from './client-path.ts'
import { pageLinks } from './page-links.ts'

let folder: string

/** The links of the document at a path of the dashboard. */
async function linksOf(): Promise<(path: string, query?: string) => string> {
  const linkOf = await pageLinks(folder, 'fuji')
  return (path, query) => {
    const place = clientPath(path, query)
    if (place === undefined) throw new Error(`${path} is no page`)
    return linkOf(place)
  }
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-links-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function writeManifest(text: string): Promise<void> {
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, '.vite', 'manifest.json'), text)
}

test('names the document’s files, what they import and what draws all pages first, then the chunks that the page imports', async () => {
  await writeManifest(
    JSON.stringify({
      'index.html': {
        file: 'assets/index.js',
        isEntry: true,
        imports: ['_runtime.js'],
        dynamicImports: ['src/draw.tsx', 'src/pages/evm/blocks.tsx'],
        css: ['assets/index.css'],
      },
      '_runtime.js': { file: 'assets/runtime.js' },
      'src/draw.tsx': { file: 'assets/draw.js', isDynamicEntry: true, imports: ['index.html', '_react.js'] },
      '_react.js': { file: 'assets/react.js' },
      'src/pages/evm/blocks.tsx': {
        file: 'assets/blocks.js',
        isDynamicEntry: true,
        imports: ['index.html', '_table.js'],
        dynamicImports: ['src/late.ts'],
      },
      '_table.js': { file: 'assets/table.js', imports: ['_runtime.js'] },
      'src/late.ts': { file: 'assets/late.js' },
    }),
  )
  const linkOf = await linksOf()
  const first = [
    '</theme.js>; rel=preload; as=script',
    '</assets/index.css>; rel=preload; as=style; crossorigin',
    '</assets/draw.js>; rel=modulepreload',
    '</assets/react.js>; rel=modulepreload',
    '</assets/index.js>; rel=modulepreload',
    '</assets/runtime.js>; rel=modulepreload',
    '</config.json>; rel=preload; as=fetch; crossorigin',
  ]
  const modules = (...names: string[]): string[] =>
    names.map((name) => `</assets/${name}.js>; rel=modulepreload`)
  const chains = '</v1/chains?network=fuji>; rel=preload; as=fetch; crossorigin'
  for (const [path, requests] of [
    ['/chain/43113/blocks', [chains]],
    ['/chain/43113/blocks/', [chains]],
    ['/p/own/chain/43113/blocks', []],
  ] as const) {
    const links = linkOf(path).split(', ')
    const before = [...first, ...requests]
    expect(links.slice(0, before.length)).toEqual(before)
    expect(links.slice(before.length).toSorted()).toEqual(modules('blocks', 'table'))
  }
})

test('names the first answers that a page needs, for the default profile and plain parameters only', async () => {
  await writeManifest(JSON.stringify({ 'index.html': { file: 'assets/index.js', isEntry: true } }))
  const linkOf = await linksOf()
  const answers = (path: string, query?: string): string[] =>
    [...linkOf(path, query).matchAll(/<([^>]+)>; rel=preload; as=fetch/g)].map(([, url]) => url ?? '')
  const chains = '/v1/chains?network=fuji'
  expect(answers('/chain/43113/tx/0xab')).toEqual([
    '/config.json',
    '/v1/chains/43113/transactions/0xab',
    chains,
  ])
  expect(answers('/networks/mainnet/x-chain/block/12/')).toEqual([
    '/config.json',
    '/v1/networks/mainnet/blockchains/x-chain/blocks/12',
    chains,
  ])
  expect(answers('/')).toEqual(['/config.json', '/v1/traffic?network=fuji', chains])
  // A request whose parameters can't stand in the header is left out, the others are not.
  for (const path of ['/chain/43113/tx/%3E', '/chain/43113/tx/"', '/node'])
    expect(answers(path), path).toEqual(['/config.json', chains])
  for (const path of ['/p/own', '/p/own/chain/43113/tx/0xab'])
    expect(answers(path), path).toEqual(['/config.json'])
})

test('names the code and the first answers of a tab that the query opens', async () => {
  const page = 'src/pages/evm/address/address.tsx'
  const tab = 'src/pages/evm/address/contract-tab.tsx'
  await writeManifest(
    JSON.stringify({
      'index.html': { file: 'assets/index.js', isEntry: true, dynamicImports: [page] },
      [page]: { file: 'assets/address.js', isDynamicEntry: true, dynamicImports: [tab] },
      [tab]: { file: 'assets/contract-tab.js', isDynamicEntry: true, imports: ['_facts.js'] },
      '_facts.js': { file: 'assets/facts.js' },
    }),
  )
  const linkOf = await linksOf()
  const path = '/chain/7/address/0xab'
  const ofTab = [
    '</v1/chains/7/contracts/0xab/code>; rel=preload; as=fetch; crossorigin',
    '</assets/contract-tab.js>; rel=modulepreload',
    '</assets/facts.js>; rel=modulepreload',
  ]
  const alone = linkOf(path).split(', ')
  expect(linkOf(path, '?tab=contract&file=a').split(', ')).toEqual(
    expect.arrayContaining([...alone, ...ofTab]),
  )
  for (const query of ['?tab=events', '?tab=constructor', '?contract'])
    expect(linkOf(path, query).split(', ')).toEqual(alone)
  for (const link of ofTab) expect(alone).not.toContain(link)
  // Its answers may come from elsewhere, its code does not.
  expect(linkOf(`/p/own${path}`, '?tab=contract').split(', ')).toEqual(expect.arrayContaining(ofTab.slice(1)))
})

test('returns nothing without a manifest, and refuses an invalid one', async () => {
  expect((await linksOf())('/chains')).toBe('')
  await writeManifest('{"index.html":1}')
  await expect(pageLinks(folder, 'fuji')).rejects.toThrow('index.html')
})

import { sampleAddresses } from '../../sample/testing/addresses.ts'
import { short } from './figures.ts'
import type { PageOfDashboard } from './page-of-dashboard.ts'
import { chains, sampleUrl } from './stack.ts'

const c = chains.c
const of = `/chain/${c.id}`

/**
 * Every page about addresses, tokens, NFTs and contracts with each of its tabs: of the account that holds some of
 * everything, with untrusted names among it, and of special contracts of the sample.
 */
export async function tokenPages(): Promise<readonly PageOfDashboard[]> {
  const { contracts, accounts } = (await sampleAddresses(sampleUrl)).c
  const named = (all: Readonly<Record<string, string>>, name: string): string => {
    const found = all[name]
    if (found === undefined) throw new Error(`the sample has no ${name}`)
    return found
  }
  const address = (
    name: string,
    who: string,
    query: string,
    noun = 'Address',
    own = '',
  ): PageOfDashboard => ({
    name: `address-${name}`,
    path: `${of}/address/${who}?${query}`,
    title: `Address ${own || short(who)} · ${c.name}`,
    heading: own || noun,
  })
  const token = (name: string, contract: string, query: string, own: string | RegExp): PageOfDashboard => ({
    name: `token-${name}`,
    path: `${of}/token/${named(contracts, contract)}?${query}`,
    title: typeof own === 'string' ? `Token ${own} · ${c.name}` : own,
    heading: typeof own === 'string' ? new RegExp(`^${own}`) : own,
  })
  const nft = (name: string, contract: string, id: string, query = ''): PageOfDashboard => ({
    name: `nft-${name}`,
    path: `${of}/nft/${named(contracts, contract)}/${id}?${query}`,
    title: new RegExp(` · ${c.name} · Ridgeline$`),
    heading: /\S/,
  })
  const list = (name: string, path: string, heading: string): PageOfDashboard => ({
    name,
    path: `${of}/${path}`,
    title: `${heading} · ${c.name}`,
    heading,
  })
  const maker = named(accounts, 'Maker 4')
  return [
    address('transactions', maker, ''),
    address('transfers', maker, 'tab=transfers'),
    address('transfers-721', maker, 'tab=transfers&kind=erc-721'),
    address('transfers-1155', maker, 'tab=transfers&kind=erc-1155'),
    {
      ...address('internals', named(contracts, 'Splitter'), 'tab=internals'),
      heading: 'Splitter source',
    },
    address('balances', maker, 'tab=balances'),
    address('balances-compared', maker, 'tab=balances&spam=shown&compare=1500'),
    address('nfts', maker, 'tab=nfts'),
    address('nfts-table', maker, 'tab=nfts&view=table'),
    address('deployments', maker, 'tab=deployments'),
    address('contract', named(contracts, 'Ridge'), 'tab=contract', 'Contract', 'Ridge'),
    address('proxy', named(contracts, 'Moss'), 'tab=contract', 'Contract', 'Moss of the North'),
    address('factory', named(contracts, 'Foundry'), 'tab=contract', 'Contract'),
    list('tokens', 'tokens', 'Tokens'),
    list('tokens-spam', 'tokens?spam=shown', 'Tokens'),
    token('transfers', 'Sample Dollar', '', 'Sample Dollar'),
    token('holders', 'Sample Dollar', 'tab=holders', 'Sample Dollar'),
    token('distribution', 'Sample Dollar', 'tab=distribution', 'Sample Dollar'),
    token('bands', 'Sample Dollar', 'tab=distribution&table=bands', 'Sample Dollar'),
    token('history', 'Sample Dollar', 'tab=history', 'Sample Dollar'),
    token('window', 'Sample Dollar', 'tab=window', 'Sample Dollar'),
    token('compare', 'Sample Dollar', 'tab=window&since2=1', 'Sample Dollar'),
    token('impostor', 'False SUSD', '', 'Sample Dollar'),
    token('rebasing', 'Tide', 'tab=holders', 'Tide'),
    token('items', 'Skyline Prints', 'tab=items', 'Skyline Prints'),
    token('items-table', 'Every Kind of Link', 'tab=items&view=table', 'Every Kind of Link'),
    token('twofold', 'Twofold', '', 'Twofold'),
    token('hostile', 'Hostile Text', 'tab=items', /img src=x/),
    nft('glyph', 'Glyphs', '1'),
    nft('relic', 'Relics', '1', 'tab=holders'),
    nft('raw', 'Relics', '1', 'tab=raw'),
    nft('hostile', 'Hostile Text', '1'),
    list('nfts', 'nfts', 'NFTs'),
    list('contracts', 'contracts', 'Contracts'),
    list('deployers', 'contracts?tab=deployers', 'Contracts'),
  ]
}

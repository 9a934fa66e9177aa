import type { Ledger, LedgerUtxo, UtxoView } from '../../primary/ledger.ts'
import { chainAliases, type ChainAlias } from '../../../protocol/primary/chains.ts'
import { chainIdOf, type LocalChain, parseAddress } from './addresses.ts'
import type { Params } from '../rpc/json2.ts'
import { explained, ServiceError } from '../rpc/service-errors.ts'
import { zeroId, encodingArg, member, numberArg, textArg, textsArg } from '../rpc/args.ts'
import type { Json } from '../rpc/go-json.ts'
import { addressText, cb58 } from '../../../protocol/ids/text.ts'
import { encode, fromCb58 } from '../rpc/encodings.ts'

const maxAddresses = 1024
const pageSize = 1024
const noAddress = '00'.repeat(20)

type Page = {
  readonly utxos: readonly LedgerUtxo[]
  readonly address: string
  readonly utxo: string
}

type Start = {
  readonly address: string
  readonly utxo: string
}

/**
 * One page over the addresses in ascending order. As on a node, the start is exclusive for a chain's own UTXOs and
 * inclusive for those of the atomic memory, so there the next page repeats the last UTXO. A spent start begins from
 * the first UTXO.
 */
function pageOf(
  list: (address: string) => readonly LedgerUtxo[],
  addresses: readonly string[],
  start: Start,
  limit: number,
  isInclusive: boolean,
): Page {
  const seen = new Set<string>()
  const utxos: LedgerUtxo[] = []
  let last = start
  for (const address of [...new Set(addresses)].toSorted()) {
    if (address < start.address) continue
    const all = list(address)
    const at = address === start.address ? all.findIndex(({ id }) => id === start.utxo) : -1
    const from = at === -1 ? 0 : at + (isInclusive ? 0 : 1)
    // For a new address the atomic memory starts without a last UTXO, a chain's own set with the previous one.
    last = { address, utxo: isInclusive && address !== start.address ? zeroId : last.utxo }
    for (const utxo of all.slice(from)) {
      const { id } = utxo
      last = { address, utxo: id }
      if (seen.has(id)) continue
      seen.add(id)
      utxos.push(utxo)
      if (utxos.length >= limit) return { utxos, ...last }
    }
  }
  return { utxos, ...last }
}

/** The UTXO set that is asked for. Throws `ServiceError` for an unknown source chain. */
function viewOf(ledger: Ledger, chain: LocalChain, name: ChainAlias, source: string): UtxoView | undefined {
  if (source === '') {
    if (name === 'C') throw new ServiceError('no source chain provided')
    return { chain: name }
  }
  const before = `problem parsing source chainID ${JSON.stringify(source)}: `
  const id = explained(before, () => chainIdOf(chain.names, source))
  const found = chainAliases.find((each) => ledger.ids[each] === id)
  if (found === name) return name === 'C' ? undefined : { chain: name }
  return found === undefined ? undefined : { chain: name, source: found }
}

function startOf(chain: LocalChain, params: Params): Start {
  const given = member(params, 'startIndex') ?? {}
  const index = (typeof given === 'object' ? given : {}) as Params
  const [address, utxo] = [textArg(index, 'address'), textArg(index, 'utxo')]
  if (address === '' && utxo === '') return { address: noAddress, utxo: zeroId }
  const parsed = parseAddress(chain, address)
  const bytes = explained("couldn't parse start index utxo: ", () => fromCb58(utxo))
  return { address: parsed, utxo: bytes.toString('hex') }
}

/** getUTXOs: pages of up to 1,024 UTXOs, of the chain itself or exported to it by another chain. */
export function getUtxos(ledger: Ledger, chain: LocalChain, name: ChainAlias, params: Params): Json {
  const addresses = textsArg(params, 'addresses')
  const encoding = encodingArg(params)
  const wanted = numberArg(params, 'limit', 0xffff_ffffn)
  const source = textArg(params, 'sourceChain')
  if (addresses.length === 0) throw new ServiceError('no addresses provided')
  if (addresses.length > maxAddresses) {
    throw new ServiceError(`number of addresses given, ${addresses.length}, exceeds maximum, ${maxAddresses}`)
  }
  const view = viewOf(ledger, chain, name, source)
  const parsed = addresses.map((text) => parseAddress(chain, text))
  const start = startOf(chain, params)
  const limit = wanted === 0n || wanted > BigInt(pageSize) ? pageSize : Number(wanted)
  const page = pageOf(
    (address) => (view === undefined ? [] : ledger.utxos(view, address)),
    parsed,
    start,
    limit,
    name === 'C' || view?.source !== undefined,
  )
  return {
    numFetched: String(page.utxos.length),
    utxos: explained(name === 'C' ? 'problem encoding utxo: ' : '', () =>
      page.utxos.map(({ bytes }) => encode(encoding, bytes)),
    ),
    endIndex: {
      address: `${chain.form.alias}-${addressText(page.address, chain.form.prefix)}`,
      utxo: cb58(page.utxo),
    },
    encoding,
  }
}

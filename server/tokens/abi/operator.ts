import {
  toEventSelector,
  toEventSignature,
  toFunctionSelector,
  toFunctionSignature,
  type AbiEvent,
  type AbiFunction,
} from 'viem'
import { errorSignature, errorsOf, eventsOf, functionsOf, type Known } from './known.ts'
import { readAbiFile, type AbiError, type AbiItem } from '../../kernel/settings/abi-file.ts'
import type { AbiSetting } from '../../kernel/settings/abi.ts'

export type ContractAbi = {
  readonly name: string
  /** Who says that it is the contract's: the operator's configuration, its verified source, or whoever labelled it. */
  readonly from: 'operator' | 'source' | 'label'
  readonly functions: ReadonlyMap<string, Known<AbiFunction>>
  readonly events: ReadonlyMap<string, readonly Known<AbiEvent>[]>
  readonly errors: ReadonlyMap<string, Known<AbiError>>
}

/** Possible signatures. `from`: who says so if they are from the ABI of the contract itself. */
export type Candidates<Item> = {
  readonly from?: ContractAbi['from']
  readonly known: readonly Known<Item>[]
}

/**
 * The operator's ABIs, and those of the store that were added for an answer (stored.ts); both take precedence over the
 * bundled signatures. Selectors and topics are lower-case
 * 0x text.
 */
export type AbiBook = {
  /** The ABI of a contract: the operator's, else that of the store; undefined without either. */
  of(chainId: string, address: string): ContractAbi | undefined
  /** This book with ABIs of the store, by chain and address with a space between them. */
  with(stored: ReadonlyMap<string, ContractAbi>): AbiBook
  /** Tells books with different ABIs of the store apart. */
  readonly edition: string
  functions(selector: string, chainId: string, address: string): Candidates<AbiFunction>
  events(topic: string, chainId: string, address: string): Candidates<AbiEvent>
  errors(selector: string, chainId: string, address: string): Candidates<AbiError>
}

/** Reads the configured ABIs, whose paths are already absolute. Throws an Error that names the file. */
export function createAbiBook(settings: readonly AbiSetting[]): AbiBook {
  const configured = new Map<string, ContractAbi>()
  const general: { chainId: string; abi: ContractAbi }[] = []
  for (const { chainId, address, name, path } of settings) {
    const abi = indexAbi(name, 'operator', readAbiFile(path))
    const chain = chainId === undefined ? anyChain : String(chainId)
    if (address === undefined) general.push({ chainId: chain, abi })
    else configured.set(`${chain} ${address}`, abi)
  }
  const generalOf = (chainId: string): ContractAbi[] =>
    general.filter((entry) => entry.chainId === anyChain || entry.chainId === chainId).map(({ abi }) => abi)
  const bookWith = (stored: ReadonlyMap<string, ContractAbi>): AbiBook => {
    const of = (chainId: string, address: string): ContractAbi | undefined =>
      configured.get(`${chainId} ${address}`) ??
      configured.get(`${anyChain} ${address}`) ??
      stored.get(`${chainId} ${address}`)
    /** What the contract's own ABI has, and who says that it is its own; else what the general ones have. */
    const look = <Item>(
      chainId: string,
      address: string,
      itemsOf: (abi: ContractAbi) => readonly Known<Item>[],
    ): Candidates<Item> => {
      const abi = of(chainId, address)
      const own = abi ? itemsOf(abi) : []
      return abi && own.length > 0
        ? { from: abi.from, known: own }
        : { known: generalOf(chainId).flatMap(itemsOf) }
    }
    return {
      of,
      with: bookWith,
      edition: [...stored]
        .map(([place, { name, from, functions }]) => `${place} ${from} ${name} ${functions.size}`)
        .join(),
      functions(selector, chainId, address) {
        const { from, known } = look(chainId, address, ({ functions }) => listed(functions.get(selector)))
        return from ? { from, known } : { known: distinct([...known, ...functionsOf(selector)]) }
      },
      events(topic, chainId, address) {
        const { from, known } = look(chainId, address, ({ events }) => events.get(topic) ?? [])
        return from ? { from, known } : { known: [...known, ...eventsOf(topic)] }
      },
      errors(selector, chainId, address) {
        const { from, known } = look(chainId, address, ({ errors }) => listed(errors.get(selector)))
        return from ? { from, known } : { known: distinct([...known, ...errorsOf(selector)]) }
      },
    }
  }
  return bookWith(new Map())
}

const anyChain = 'any'

const listed = <Item>(item: Item | undefined): readonly Item[] => (item === undefined ? [] : [item])

function distinct<Item>(known: readonly Known<Item>[]): readonly Known<Item>[] {
  if (known.length < 2) return known
  return [...new Map(known.map((entry) => [entry.signature, entry] as const).reverse()).values()].reverse()
}

/** Indexes the items of an ABI by selector and topic. */
export function indexAbi(name: string, from: ContractAbi['from'], items: readonly AbiItem[]): ContractAbi {
  const functions = new Map<string, Known<AbiFunction>>()
  const events = new Map<string, Known<AbiEvent>[]>()
  const errors = new Map<string, Known<AbiError>>()
  for (const item of items) {
    if (item.type === 'function') {
      functions.set(toFunctionSelector(item), { item, signature: toFunctionSignature(item) })
      continue
    }
    if (item.type === 'error') {
      const signature = errorSignature(item)
      errors.set(toFunctionSelector(signature), { item, signature })
      continue
    }
    const topic = toEventSelector(item)
    events.set(topic, [...(events.get(topic) ?? []), { item, signature: toEventSignature(item) }])
  }
  return { name, from, functions, events, errors }
}

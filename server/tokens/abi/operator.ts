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
  readonly functions: ReadonlyMap<string, Known<AbiFunction>>
  readonly events: ReadonlyMap<string, readonly Known<AbiEvent>[]>
  readonly errors: ReadonlyMap<string, Known<AbiError>>
}

/** Possible signatures. `verified`: they are from the ABI of the contract itself, which is configured or verified. */
export type Candidates<Item> = { readonly verified: boolean; readonly known: readonly Known<Item>[] }

/**
 * The operator's ABIs, and those of verified contracts that were added for an answer (verified.ts); both take precedence
 * over the bundled signatures. Selectors and topics are lower-case
 * 0x text.
 */
export type AbiBook = {
  /** The ABI of a contract: the operator's, else that of its verified sources; undefined without either. */
  of(chainId: string, address: string): ContractAbi | undefined
  /** This book with the ABIs of verified contracts, by chain and address with a space between them. */
  with(verified: ReadonlyMap<string, ContractAbi>): AbiBook
  /** Tells books with different verified contracts apart. */
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
    const abi = indexAbi(name, readAbiFile(path))
    const chain = chainId === undefined ? anyChain : String(chainId)
    if (address === undefined) general.push({ chainId: chain, abi })
    else configured.set(`${chain} ${address}`, abi)
  }
  const generalOf = (chainId: string): ContractAbi[] =>
    general.filter((entry) => entry.chainId === anyChain || entry.chainId === chainId).map(({ abi }) => abi)
  const bookWith = (verified: ReadonlyMap<string, ContractAbi>): AbiBook => {
    const of = (chainId: string, address: string): ContractAbi | undefined =>
      configured.get(`${chainId} ${address}`) ??
      configured.get(`${anyChain} ${address}`) ??
      verified.get(`${chainId} ${address}`)
    return {
      of,
      with: bookWith,
      edition: [...verified]
        .map(([place, { name, functions }]) => `${place} ${name} ${functions.size}`)
        .join(),
      functions(selector, chainId, address) {
        const own = of(chainId, address)?.functions.get(selector)
        if (own) return { verified: true, known: [own] }
        const more = generalOf(chainId).flatMap((abi) => abi.functions.get(selector) ?? [])
        return { verified: false, known: distinct([...more, ...functionsOf(selector)]) }
      },
      events(topic, chainId, address) {
        const own = of(chainId, address)?.events.get(topic)
        if (own) return { verified: true, known: own }
        const more = generalOf(chainId).flatMap((abi) => abi.events.get(topic) ?? [])
        return { verified: false, known: [...more, ...eventsOf(topic)] }
      },
      errors(selector, chainId, address) {
        const own = of(chainId, address)?.errors.get(selector)
        if (own) return { verified: true, known: [own] }
        const more = generalOf(chainId).flatMap((abi) => abi.errors.get(selector) ?? [])
        return { verified: false, known: distinct([...more, ...errorsOf(selector)]) }
      },
    }
  }
  return bookWith(new Map())
}

const anyChain = 'any'

function distinct<Item>(known: readonly Known<Item>[]): readonly Known<Item>[] {
  if (known.length < 2) return known
  return [...new Map(known.map((entry) => [entry.signature, entry] as const).reverse()).values()].reverse()
}

/** Indexes the items of an ABI by selector and topic. */
export function indexAbi(name: string, items: readonly AbiItem[]): ContractAbi {
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
  return { name, functions, events, errors }
}

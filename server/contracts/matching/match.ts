import {
  decodeAbiParameters,
  encodeAbiParameters,
  keccak256,
  stringToBytes,
  type AbiParameter,
  type Hex,
} from 'viem'
import { isAuxdata, lastAuxdata, namesMetadata } from './auxdata.ts'
import type { CompiledCode, CompiledContract, LinkReferences, Span } from './compiled.ts'

/** How a code fits its sources: `exact_match` with the hash of the metadata, `match` without (Sourcify's words). */
type Match = 'exact_match' | 'match'

/** A change that makes the deployed code of a compiled one (Sourcify and Verifier Alliance). */
type Transformation = {
  readonly type: 'insert' | 'replace' | 'delete'
  readonly reason: 'constructorArguments' | 'library' | 'immutable' | 'cborAuxdata' | 'callProtection'
  readonly offset: number
  readonly id?: string
  readonly length?: number
}

/** The values of the changes, 0x text by the id of their change. */
type TransformationValues = {
  readonly constructorArguments?: string
  readonly callProtection?: string
  readonly libraries?: Readonly<Record<string, string>>
  readonly immutables?: Readonly<Record<string, string>>
  readonly cborAuxdata?: Readonly<Record<string, string>>
}

/** A code that fits, with the changes that make it so. */
export type CodeMatch = {
  readonly match: Match
  readonly transformations: readonly Transformation[]
  readonly values: TransformationValues
}

type Verdict = { readonly runtime?: CodeMatch; readonly creation?: CodeMatch }

/** Why codes don't fit at all, in Sourcify's words. */
export type Mismatch =
  'bytecode_length_mismatch' | 'compiled_bytecode_is_zero' | 'extra_file_input_bug' | 'no_match'

/** The codes of a contract on its chain, as hex without 0x; the creation code ends with the constructor's arguments. */
type ChainCodes = { readonly runtime: string; readonly creation?: string }

/**
 * Compares a compiled contract with its codes on a chain by the rules of Sourcify's Verification.ts
 * (github.com/argotorg/sourcify, packages/lib-sourcify): what the chain put in place of libraries, immutables, a
 * library's own address and the hash of the metadata may differ, everything else may not.
 */
export function matchContract(compiled: CompiledContract, chain: ChainCodes): Verdict | Mismatch {
  const { runtime, creation } = compiled
  if (runtime.object === '' || creation.object === '') return 'compiled_bytecode_is_zero'
  if (runtime.object.length !== chain.runtime.length) {
    if (disturbedByFiles(compiled, chain.runtime)) return 'extra_file_input_bug'
    const last = lastAuxdata(chain.runtime)
    if (last && namesMetadata(last.value)) return 'bytecode_length_mismatch'
  }
  const runtimeMatch = matchRuntime(runtime, chain.runtime)
  if (!runtimeMatch && disturbedByFiles(compiled, chain.runtime)) return 'extra_file_input_bug'
  const creationMatch = chain.creation === undefined ? undefined : matchCreation(compiled, chain.creation)
  if (!runtimeMatch && !creationMatch) return 'no_match'
  return { ...(runtimeMatch && { runtime: runtimeMatch }), ...(creationMatch && { creation: creationMatch }) }
}

/**
 * Whether the metadata agree but the codes do not: compilers made another code when sources were given that a contract does
 * not use (argotorg/solidity#14250).
 */
function disturbedByFiles({ runtime, isOptimized }: CompiledContract, onChain: string): boolean {
  const [ours, theirs] = [lastAuxdata(runtime.object), lastAuxdata(onChain)]
  return isOptimized && ours !== undefined && ours.value === theirs?.value
}

type Filled = { code: string; transformations: Transformation[]; values: TransformationValues }

const replaced = (code: string, { start, length }: Span, value: string): string =>
  code.slice(0, start * 2) + value + code.slice((start + length) * 2)

const partOf = (code: string, { start, length }: Span): string => code.slice(start * 2, (start + length) * 2)

function matchRuntime(compiled: CompiledContract['runtime'], onChain: string): CodeMatch | undefined {
  const filled: Filled = { code: compiled.object, transformations: [], values: {} }
  // A library begins with its own address, which it is called from only by delegation.
  const self = { start: 1, length: 20 }
  if (filled.code.startsWith(`73${'00'.repeat(20)}`)) {
    const callProtection = partOf(onChain, self)
    filled.code = replaced(filled.code, self, callProtection)
    filled.transformations.push({ type: 'replace', reason: 'callProtection', offset: 1 })
    filled.values = { callProtection: `0x${callProtection}` }
  }
  const immutables: Record<string, string> = {}
  // One pass over the code: there may be thousands of places.
  const pieces: string[] = []
  let taken = 0
  const places = Object.entries(compiled.immutables).flatMap(([id, spans]) =>
    spans.map((span) => ({ id, span })),
  )
  for (const { id, span } of places.sort((a, b) => a.span.start - b.span.start)) {
    const value = partOf(onChain, span)
    // Two places of one variable hold one value.
    if (immutables[id] !== undefined && immutables[id] !== `0x${value}`) return undefined
    immutables[id] = `0x${value}`
    pieces.push(filled.code.slice(taken, span.start * 2), value)
    taken = (span.start + span.length) * 2
    filled.transformations.push({ type: 'replace', reason: 'immutable', offset: span.start, id })
  }
  if (places.length > 0) {
    filled.code = pieces.join('') + filled.code.slice(taken)
    filled.values = { ...filled.values, immutables }
  }
  return matchFilled(filled, compiled, onChain, (code) => code === onChain)
}

function matchCreation(
  { creation, constructorInputs }: CompiledContract,
  onChain: string,
): CodeMatch | undefined {
  const filled: Filled = { code: creation.object, transformations: [], values: {} }
  const match = matchFilled(filled, creation, onChain, (code) => onChain.startsWith(code))
  if (!match) return undefined
  const encoded = onChain.slice(filled.code.length)
  if (encoded === '') return match
  // Whatever follows the code must be the arguments, exactly: otherwise a longer code would pass for one that it begins with.
  if (!areArguments(constructorInputs, `0x${encoded}`)) return undefined
  return {
    ...match,
    transformations: [
      ...match.transformations,
      { type: 'insert', reason: 'constructorArguments', offset: filled.code.length / 2 },
    ],
    values: { ...match.values, constructorArguments: `0x${encoded}` },
  }
}

function areArguments(inputs: readonly AbiParameter[], data: Hex): boolean {
  if (inputs.length === 0) return false
  try {
    return encodeAbiParameters(inputs, decodeAbiParameters(inputs, data)) === data
  } catch {
    return false
  }
}

/** Fills libraries and, unless the code fits then, CBOR. `filled` has the code that was compared at the end. */
function matchFilled(
  filled: Filled,
  { links, auxdata }: CompiledCode,
  onChain: string,
  fits: (code: string) => boolean,
): CodeMatch | undefined {
  if (!fillLibraries(filled, links, onChain)) return undefined
  if (fits(filled.code)) {
    const proves = auxdata.length > 0 && auxdata.every(({ value }) => namesMetadata(value))
    return matchOf(proves ? 'exact_match' : 'match', filled)
  }
  if (auxdata.length === 0 || !fillAuxdata(filled, auxdata, onChain)) return undefined
  return fits(filled.code) ? matchOf('match', filled) : undefined
}

const matchOf = (match: Match, { transformations, values }: Filled): CodeMatch => ({
  match,
  transformations,
  values,
})

/** The text in place of a library: by the hash of its full name since 0.5, before by the name itself. */
function placeholdersOf(name: string): string[] {
  const hash = keccak256(stringToBytes(name)).slice(2, 36)
  return [`__$${hash}$__`, `__${name.slice(0, 36).padEnd(38, '_')}`]
}

function fillLibraries(filled: Filled, links: LinkReferences, onChain: string): boolean {
  const libraries: Record<string, string> = {}
  for (const [file, names] of Object.entries(links))
    for (const [library, spans] of Object.entries(names)) {
      const id = `${file}:${library}`
      const placeholders = placeholdersOf(id)
      for (const span of spans) {
        if (!placeholders.includes(partOf(filled.code, span))) return false
        const address = partOf(onChain, span)
        if (libraries[id] !== undefined && libraries[id] !== `0x${address}`) return false
        libraries[id] = `0x${address}`
        filled.code = replaced(filled.code, span, address)
        filled.transformations.push({ type: 'replace', reason: 'library', offset: span.start, id })
      }
    }
  if (Object.keys(libraries).length > 0) filled.values = { ...filled.values, libraries }
  return true
}

function fillAuxdata(filled: Filled, auxdata: CompiledCode['auxdata'], onChain: string): boolean {
  const cborAuxdata: Record<string, string> = {}
  for (const [index, { offset, value }] of auxdata.entries()) {
    const span = { start: offset, length: value.length / 2 }
    const theirs = partOf(onChain, span)
    if (theirs === '') {
      // Deployed without CBOR, and without the invalid instruction before it.
      if (filled.code.slice(offset * 2 - 2, offset * 2) !== 'fe') return false
      filled.code = replaced(filled.code, { start: offset - 1, length: span.length + 1 }, '')
      filled.transformations.push({
        type: 'delete',
        reason: 'cborAuxdata',
        offset: offset - 1,
        length: span.length + 1,
      })
      continue
    }
    if (!isAuxdata(theirs)) return false
    const id = `${index + 1}`
    cborAuxdata[id] = `0x${theirs}`
    filled.code = replaced(filled.code, span, theirs)
    filled.transformations.push({
      type: 'replace',
      reason: 'cborAuxdata',
      offset,
      id,
      ...(theirs.length !== value.length && { length: span.length }),
    })
  }
  if (Object.keys(cborAuxdata).length > 0) filled.values = { ...filled.values, cborAuxdata }
  return true
}

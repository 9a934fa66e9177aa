import { decode } from 'cborg'
import type { Auxdata } from './compiled.ts'

/** A compiled contract as standard JSON has it, as far as the places of its CBOR are concerned. */
type AuxdataSource = {
  readonly evm: {
    /** The assembly, whose parts have the CBOR as `.auxdata`. */
    readonly legacyAssembly?: unknown
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
}

type Places = { readonly runtime: readonly Auxdata[]; readonly creation: readonly Auxdata[] }

/** The items of CBOR (hex); undefined if the bytes are no CBOR of a compiler, which is a map. */
function itemsOf(cbor: string): ReadonlyMap<unknown, unknown> | undefined {
  try {
    const value: unknown = decode(Buffer.from(cbor, 'hex'), { useMaps: true })
    return value instanceof Map ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether bytes (hex) are CBOR of a compiler followed by their length. */
export const isAuxdata = (hex: string): boolean => itemsOf(hex.slice(0, -4)) !== undefined

/** Whether CBOR with its length names the hash of the metadata, without which it proves nothing about the sources. */
export function namesMetadata(hex: string): boolean {
  const items = itemsOf(hex.slice(0, -4))
  return items !== undefined && ['ipfs', 'bzzr0', 'bzzr1'].some((name) => items.has(name))
}

/** The CBOR at the end of a code (hex), which the last two bytes tell the length of. */
export function lastAuxdata(code: string): Auxdata | undefined {
  const start = code.length - 4 - 2 * Number.parseInt(code.slice(-4), 16)
  if (!(start > 0)) return undefined
  const value = code.slice(start)
  return isAuxdata(value) ? { offset: start / 2, value } : undefined
}

/** The CBOR of a contract and of all that it creates, in the order of its assembly. */
function inAssembly(assembly: unknown): string[] {
  if (typeof assembly !== 'object' || assembly === null) return []
  return Object.entries(assembly).flatMap(([key, value]: [string, unknown]) => {
    if (key === '.auxdata') return [String(value)]
    return key === '.code' ? [] : inAssembly(value)
  })
}

/**
 * Finds the CBOR in the codes of a contract. The assembly tells what to look for, not where: a contract may contain the
 * same bytes as data, which must not be ignored when codes are compared. Where one piece at the end does not settle it,
 * `compileEdited` gives the contract compiled from the same sources with another metadata hash, and only places where the
 * codes differ count (the rule of Sourcify: docs.sourcify.dev/blog/finding-auxdatas-in-bytecode).
 */
export async function findAuxdata(
  source: AuxdataSource,
  compileEdited: () => Promise<AuxdataSource>,
): Promise<Places> {
  const { legacyAssembly, bytecode, deployedBytecode } = source.evm
  const pieces = inAssembly(legacyAssembly)
  const runtime = lastAuxdata(deployedBytecode.object)
  const creation = lastAuxdata(bytecode.object)
  if (pieces.length === 0) return { runtime: [], creation: [] }
  if (pieces.length === 1 && runtime && creation) return { runtime: [runtime], creation: [creation] }
  const edited = (await compileEdited()).evm
  const editedPieces = inAssembly(edited.legacyAssembly)
  return {
    runtime:
      pieces.length === 1 && runtime
        ? [runtime]
        : placesOf(pieces, editedPieces, deployedBytecode.object, edited.deployedBytecode.object),
    creation: placesOf(pieces, editedPieces, bytecode.object, edited.bytecode.object),
  }
}

/** The first character in which two texts differ, from a position on; -1 if there is none. */
function firstDifference(a: string, b: string, from = 0): number {
  const end = Math.min(a.length, b.length)
  for (let at = from; at < end; at++) if (a[at] !== b[at]) return at
  return -1
}

function placesOf(
  pieces: readonly string[],
  editedPieces: readonly string[],
  code: string,
  edited: string,
): Auxdata[] {
  const open = pieces.map((value, index) => ({
    value,
    hash: firstDifference(value, editedPieces[index] ?? ''),
  }))
  const found: Auxdata[] = []
  for (let at = firstDifference(code, edited); at !== -1;) {
    const index = open.findIndex(
      ({ value, hash }) => hash !== -1 && code.startsWith(value, at - hash) && at >= hash,
    )
    const piece = open[index]
    if (piece) {
      open.splice(index, 1)
      found.push({ offset: (at - piece.hash) / 2, value: piece.value })
    }
    at = firstDifference(code, edited, piece ? at - piece.hash + piece.value.length : at + 1)
  }
  return found
}

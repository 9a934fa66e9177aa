import * as z from 'zod/mini'
import type { SourceToVerify } from '../../../api/evm/verify-source.ts'

/** A file that a person has chosen. */
type SourceFile = { readonly name: string; readonly text: string }

/** How plain sources were compiled; standard JSON says it itself. */
export type CompilerSettings = {
  readonly runs: string
  readonly isOptimized: boolean
  readonly viaIR: boolean
  readonly evmVersion: string
}

/** What the files hold: the input of a compiler, and the contracts in it as `path:name`. */
export type ReadSources = {
  readonly input: { readonly language: string; readonly sources: Sources; readonly settings?: unknown }
  /** Whether the files say how they were compiled. */
  readonly hasSettings: boolean
  readonly contracts: readonly string[]
}

type Sources = Readonly<Record<string, { readonly content?: string | undefined }>>

const standardJson = z.looseObject({
  language: z.string(),
  sources: z.record(z.string(), z.looseObject({ content: z.optional(z.string()) })),
})

/**
 * Reads what was chosen: one file of standard JSON input, or sources of Solidity. Returns what is wrong with the files in a
 * sentence instead.
 */
export function readSources(files: readonly SourceFile[]): ReadSources | string {
  const json = files.filter(({ name }) => name.toLowerCase().endsWith('.json'))
  if (json.length === 0) {
    const sources = Object.fromEntries(files.map(({ name, text }) => [name, { content: text }]))
    return { input: { language: 'Solidity', sources }, hasSettings: false, contracts: contractsOf(sources) }
  }
  if (files.length > 1) return 'Choose one file of standard JSON input, or only sources.'
  const read = standardJson.safeParse(parsed(json[0]?.text ?? ''))
  if (!read.success)
    return 'This is not a standard JSON input: it has “language”, “sources” and “settings”. Build tools write it.'
  return { input: read.data, hasSettings: true, contracts: contractsOf(read.data.sources) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The contracts that are defined in sources, without abstract ones, as `path:name`; comments are left out. */
function contractsOf(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([path, { content = '' }]) =>
    [
      ...content
        .replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
        .matchAll(/(?:^|[;}\s])(abstract\s+)?(?:contract|library)\s+([A-Za-z_$][\w$]*)[^;{]*\{/g),
    ].flatMap(([, abstract, name]) =>
      abstract === undefined && name !== undefined ? [`${path}:${name}`] : [],
    ),
  )
}

/** What is sent for sources, their settings and a chosen contract. */
export function requestOf(
  { input, hasSettings }: ReadSources,
  { compilerVersion, contractIdentifier }: Omit<SourceToVerify, 'stdJsonInput'>,
  { isOptimized, runs, viaIR, evmVersion }: CompilerSettings,
): SourceToVerify {
  const settings = {
    optimizer: { enabled: isOptimized, runs: Number(runs) },
    ...(viaIR && { viaIR }),
    ...(evmVersion !== '' && { evmVersion }),
  }
  return {
    stdJsonInput: hasSettings ? input : { ...input, settings },
    compilerVersion,
    contractIdentifier,
  }
}

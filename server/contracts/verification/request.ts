import { keccak256, stringToBytes } from 'viem'
import { z } from 'zod'
import { isPlainLine } from '../../../contract/base/plain-text.ts'
import type { CompilerInput, Target } from '../compiler/compile.ts'

/** What is checked: sources, what compiles them, and which of their contracts is meant. */
export type VerificationRequest = {
  readonly compiler: string
  readonly input: CompilerInput
  readonly target: Target
}

/** The most sources of a contract, the most bytes of all of them, and the most characters of a path. */
export const sourceLimits = { files: 500, bytes: 4 * 1_048_576, path: 512 } as const

/** A request that can't be checked; the message says what to change. */
export class UnusableRequest extends Error {
  override readonly name = 'UnusableRequest'
}

const standardJson = z.object({
  language: z.string(),
  sources: z.record(z.string(), z.object({ content: z.string().optional() })),
  settings: z.record(z.string(), z.unknown()).default({}),
})

const knownVersion = /^v?\d{1,3}\.\d{1,3}\.\d{1,3}([-+][0-9A-Za-z.+-]{1,80})?$/

/**
 * Reads standard JSON input with the name `path:name` of a contract in it. Throws an UnusableRequest.
 */
export function readStandardJson(value: unknown, compiler: string, identifier: string): VerificationRequest {
  const { data } = standardJson.safeParse(value)
  if (!data)
    throw new UnusableRequest('the input is not standard JSON: it has language, sources and settings')
  const { language } = data
  if (language === 'Vyper')
    throw new UnusableRequest(
      'Vyper is not compiled here: its compiler has no build that runs in this service',
    )
  if (language !== 'Solidity' && language !== 'Yul')
    throw new UnusableRequest(`the language is ${quoted(language)}; Solidity and Yul are compiled here`)
  const sources = Object.fromEntries(
    Object.entries(data.sources).map(([path, { content }]) => {
      if (content === undefined)
        throw new UnusableRequest(`the source ${quoted(path)} has no content: nothing is fetched for it`)
      return [path, { content }]
    }),
  )
  return checked({
    compiler,
    input: { language, sources, settings: deciding(data.settings) },
    target: targetOf(identifier),
  })
}

const metadataSchema = z.object({
  compiler: z.object({ version: z.string() }),
  language: z.string(),
  settings: z.looseObject({
    compilationTarget: z.record(z.string(), z.string()),
    libraries: z.record(z.string(), z.string()).optional(),
  }),
  sources: z.record(z.string(), z.object({ keccak256: z.string(), content: z.string().optional() })),
})

/**
 * Reads a compiler's metadata with the sources that it names, which are recognized by their hashes: their names may differ.
 * Throws an UnusableRequest.
 */
export function readMetadata(value: unknown, files: Readonly<Record<string, string>>): VerificationRequest {
  const { data } = metadataSchema.safeParse(value)
  if (!data) throw new UnusableRequest('the metadata are not those of a Solidity compiler')
  const byHash = new Map(Object.values(files).map((content) => [hashOf(content), content]))
  const sources: Record<string, { content: string }> = {}
  for (const [path, { keccak256: hash, content: embedded }] of Object.entries(data.sources)) {
    const content = embedded ?? byHash.get(hash.toLowerCase())
    if (content === undefined || hashOf(content) !== hash.toLowerCase())
      throw new UnusableRequest(`no source has the hash that the metadata give for ${quoted(path)}`)
    sources[path] = { content }
  }
  const { compilationTarget, libraries, ...settings } = data.settings
  const [[path, name] = ['', ''], ...more] = Object.entries(compilationTarget)
  if (name === '' || more.length > 0) throw new UnusableRequest('the metadata name no single contract')
  const nested: Record<string, Record<string, string>> = {}
  for (const [full, address] of Object.entries(libraries ?? {})) {
    const at = full.lastIndexOf(':')
    const file = at === -1 ? '' : full.slice(0, at)
    nested[file] = { ...nested[file], [full.slice(at + 1)]: address }
  }
  return readStandardJson(
    { language: data.language, sources, settings: { ...settings, ...(libraries && { libraries: nested }) } },
    data.compiler.version,
    `${path}:${name}`,
  )
}

const hashOf = (content: string): string => keccak256(stringToBytes(content))

/** The settings that decide the code: not what the compiler answers, how far it goes, or what it proves. */
function deciding({
  outputSelection: _outputs,
  stopAfter: _end,
  modelChecker: _proofs,
  ...settings
}: Record<string, unknown>): Record<string, unknown> {
  return settings
}

function targetOf(identifier: string): Target {
  const at = identifier.lastIndexOf(':')
  const target = { path: identifier.slice(0, Math.max(at, 0)), name: identifier.slice(at + 1) }
  if (target.path === '' || !/^[A-Za-z_$][\w$.-]{0,255}$/.test(target.name))
    throw new UnusableRequest('the contract is not named as path:name')
  return target
}

function checked(request: VerificationRequest): VerificationRequest {
  const { compiler, input, target } = request
  if (!knownVersion.test(compiler))
    throw new UnusableRequest(
      `${quoted(compiler)} is not a version of a compiler, such as 0.8.30+commit.73712a01`,
    )
  const sources = Object.entries(input.sources)
  if (sources.length === 0) throw new UnusableRequest('there are no sources')
  if (sources.length > sourceLimits.files)
    throw new UnusableRequest(`there are ${sources.length} sources; ${sourceLimits.files} are allowed`)
  let size = 0
  for (const [path, { content }] of sources) {
    if (path === '' || path.length > sourceLimits.path || !isPlainLine(path))
      throw new UnusableRequest(
        `a path of a source is empty, too long, or holds control characters, invisible ones or marks of direction`,
      )
    if (path.split(/[/\\]/).includes('..'))
      throw new UnusableRequest(`the path ${quoted(path)} leads out of the sources: it has ".."`)
    if (content.includes('\0')) throw new UnusableRequest(`the source ${quoted(path)} holds a zero byte`)
    size += Buffer.byteLength(content)
  }
  if (size > sourceLimits.bytes)
    throw new UnusableRequest(`the sources have ${size} bytes; ${sourceLimits.bytes} are allowed`)
  if (!(target.path in input.sources)) throw new UnusableRequest(`there is no source ${quoted(target.path)}`)
  if (JSON.stringify(input.settings).includes(String.raw`\u0000`))
    throw new UnusableRequest('the settings hold a zero byte')
  return request
}

/** A text of a caller inside a message: short, and in quotes that it can't leave. */
const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)

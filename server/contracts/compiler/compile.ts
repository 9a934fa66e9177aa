import { z } from 'zod'
import { findAuxdata } from '../matching/auxdata.ts'
import type { CompiledContract } from '../matching/compiled.ts'
import { CompilerFailure } from './run-compiler.ts'

/** Standard JSON input as far as it decides the code, with the contents of all its sources. */
export type CompilerInput = {
  readonly language: 'Solidity' | 'Yul'
  readonly sources: Readonly<Record<string, { readonly content: string }>>
  readonly settings: Readonly<Record<string, unknown>>
}

/** A contract of sources: `path:name`. */
export type Target = { readonly path: string; readonly name: string }

/** Runs a compiler: standard JSON in and out. */
export type Compiler = (input: string) => Promise<string>

const span = z.object({ start: z.int().min(0), length: z.int().min(0) })
const links = z.record(z.string(), z.record(z.string(), z.array(span))).default({})
const object = z.string().regex(/^[0-9a-zA-Z_$./: -]*$/)

const contractOutput = z.object({
  abi: z.array(z.record(z.string(), z.unknown())).default([]),
  metadata: z.string().default(''),
  userdoc: z.unknown().optional(),
  devdoc: z.unknown().optional(),
  storageLayout: z.unknown().optional(),
  evm: z.object({
    legacyAssembly: z.unknown().optional(),
    bytecode: z.object({ object, linkReferences: links }),
    deployedBytecode: z.object({
      object,
      linkReferences: links,
      immutableReferences: z.record(z.string(), z.array(span)).default({}),
    }),
  }),
})
type ContractOutput = z.output<typeof contractOutput>

const outputSchema = z.object({
  errors: z
    .array(
      z.object({
        severity: z.string(),
        formattedMessage: z.string().optional(),
        message: z.string().default(''),
      }),
    )
    .default([]),
  contracts: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
})

type CompilerOutput = z.output<typeof outputSchema>

const outputs = [
  'abi',
  'devdoc',
  'userdoc',
  'storageLayout',
  'metadata',
  'evm.legacyAssembly',
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
]

/** A compiled contract with what its sources say of it. */
export type Compilation = {
  readonly compiled: CompiledContract
  readonly abi: readonly Readonly<Record<string, unknown>>[]
  /** The compiler's metadata; empty before 0.4.7. */
  readonly metadata: string
  readonly userdoc: unknown
  readonly devdoc: unknown
  readonly storageLayout: unknown
}

/** Sources that do not compile, or not to the contract that was asked for, in Sourcify's words. */
export class CompilationError extends Error {
  override readonly name = 'CompilationError'
  readonly code: 'compiler_error' | 'contract_not_found_in_compiler_output'
  constructor(code: CompilationError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The most characters of a compiler's complaints that are kept. */
const maxComplaint = 4_000

/**
 * Compiles a contract and finds the CBOR in its code. Throws a CompilationError for sources that do not compile or have no
 * such contract, and a CompilerFailure for a compiler that answers nonsense.
 */
export async function compileContract(
  input: CompilerInput,
  target: Target,
  compiler: Compiler,
): Promise<Compilation> {
  const [compilation] = await compileContracts(input, [target], compiler)
  if (!compilation) throw new Error('a contract that was compiled has no result')
  return compilation
}

/** The most contracts that are looked for in the code of one. */
const maxMade = 16

/**
 * Compiles the contracts that one can create: the others of its sources whose creation code is a part of its own. Sources
 * that create nothing cost no run of the compiler. Throws as `compileContract`.
 */
export async function compileMade(
  input: CompilerInput,
  target: Target,
  compiler: Compiler,
): Promise<(Compilation & Target)[]> {
  if (!Object.values(input.sources).some(({ content }) => creates.test(content))) return []
  const { contracts } = await run(input, { '*': { '*': ['evm.bytecode.object'] } }, compiler)
  const codes = Object.entries(contracts).flatMap(([path, named]) =>
    Object.entries(named).map(([name, given]) => ({ path, name, code: codeOnly.parse(given) })),
  )
  const isTarget = ({ path, name }: Target): boolean => path === target.path && name === target.name
  const whole = codes.find(isTarget)?.code ?? ''
  const made = codes.filter((one) => one.code !== '' && !isTarget(one) && whole.includes(one.code))
  const targets = made.slice(0, maxMade).map(({ path, name }) => ({ path, name }))
  const compilations = targets.length === 0 ? [] : await compileContracts(input, targets, compiler)
  return compilations.map((compilation, place) => ({ ...compilation, ...(targets[place] as Target) }))
}

/** What Solidity creates contracts with; lists and bytes are made by `new` too, with brackets or a known type. */
const creates = /\bnew\s+(?!bytes\b|string\b)[\w$.]+\s*[({]|\.creationCode\b/

const codeOnly = z
  .object({ evm: z.object({ bytecode: z.object({ object }) }) })
  .transform(({ evm }) => evm.bytecode.object)

async function compileContracts(
  input: CompilerInput,
  targets: readonly Target[],
  compiler: Compiler,
): Promise<Compilation[]> {
  const selection: Record<string, Record<string, readonly string[]>> = {}
  for (const { path, name } of targets) selection[path] = { ...selection[path], [name]: outputs }
  const found = await run(input, selection, compiler)
  let again: Promise<CompilerOutput> | undefined
  const compilations: Compilation[] = []
  for (const target of targets) {
    const contract = contractOf(found, target)
    const places = await findAuxdata(contract, async () => {
      again ??= run(edited(input), selection, compiler)
      return contractOf(await again, target)
    })
    compilations.push(compilationOf(contract, places, input))
  }
  return compilations
}

function compilationOf(
  found: ContractOutput,
  places: Awaited<ReturnType<typeof findAuxdata>>,
  input: CompilerInput,
): Compilation {
  const { bytecode, deployedBytecode } = found.evm
  const maker = found.abi.find(({ type }) => type === 'constructor')
  const { optimizer } = input.settings as { optimizer?: { enabled?: unknown } }
  return {
    compiled: {
      runtime: {
        object: deployedBytecode.object,
        links: deployedBytecode.linkReferences,
        auxdata: places.runtime,
        immutables: deployedBytecode.immutableReferences,
      },
      creation: { object: bytecode.object, links: bytecode.linkReferences, auxdata: places.creation },
      constructorInputs: (maker?.['inputs'] ?? []) as CompiledContract['constructorInputs'],
      isOptimized: optimizer?.enabled === true,
    },
    abi: found.abi,
    metadata: found.metadata,
    userdoc: found.userdoc ?? {},
    devdoc: found.devdoc ?? {},
    storageLayout: found.storageLayout ?? null,
  }
}

/** Runs a compiler for the outputs of `selection` (standard JSON, `outputSelection`). */
async function run(
  { language, sources, settings }: CompilerInput,
  selection: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
  compiler: Compiler,
): Promise<CompilerOutput> {
  const asked = { language, sources, settings: { ...settings, outputSelection: selection } }
  let output
  try {
    output = outputSchema.parse(JSON.parse(await compiler(JSON.stringify(asked))))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new CompilerFailure('the compiler’s answer is not standard JSON')
    throw error
  }
  const errors = output.errors.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const text = errors.map(({ formattedMessage, message }) => formattedMessage ?? message).join('\n')
    throw new CompilationError('compiler_error', text.slice(0, maxComplaint))
  }
  return output
}

function contractOf({ contracts }: CompilerOutput, { path, name }: Target): ContractOutput {
  const given = contracts[path]?.[name]
  const found = contractOutput.safeParse(given)
  if (given === undefined || !found.success)
    throw new CompilationError(
      'contract_not_found_in_compiler_output',
      `the sources have no contract ${path}:${name}`,
    )
  return found.data
}

/** The same sources with another hash each. */
const edited = ({ sources, ...input }: CompilerInput): CompilerInput => ({
  ...input,
  sources: Object.fromEntries(
    Object.entries(sources).map(([path, { content }]) => [path, { content: `${content} ` }]),
  ),
})

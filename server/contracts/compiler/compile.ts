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
type Compilation = {
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
  const found = await compileTarget(input, target, compiler)
  const places = await findAuxdata(found, () => compileTarget(edited(input), target, compiler))
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

async function compileTarget(
  { language, sources, settings }: CompilerInput,
  { path, name }: Target,
  compiler: Compiler,
): Promise<ContractOutput> {
  const asked = {
    language,
    sources,
    settings: { ...settings, outputSelection: { [path]: { [name]: outputs } } },
  }
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
  const given = output.contracts[path]?.[name]
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

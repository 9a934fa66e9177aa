import { keccak256, type Hex } from 'viem'
import type { Chain } from '../../kernel/settings/chains.ts'
import type { NodeClient } from '../../node/client.ts'
import { NodeUnavailable } from '../../node/failures.ts'
import { codeOf } from '../../node/state.ts'
import type { Queryable } from '../../store/database.ts'
import type { MadeContract } from '../../store/evm/contracts/contract-codes.ts'
import { readCreation } from '../../store/evm/contracts/read-contract.ts'
import { readTransaction } from '../../store/evm/read-transaction.ts'
import type { VerifiedContract } from '../../store/evm/contracts/verified-contracts.ts'
import {
  CompilationError,
  compileContract,
  compileMade,
  type Compilation,
  type Compiler,
} from '../compiler/compile.ts'
import { findCompiler, readCompilers } from '../compiler/compilers.ts'
import { CompilerFailure } from '../compiler/run-compiler.ts'
import { matchContract, type CodeMatch, type Mismatch } from '../matching/match.ts'
import type { VerificationRequest } from './request.ts'

/** A check that failed: a code in Sourcify's words where it has one, and a message for the caller. */
export class VerificationFailure extends Error {
  override readonly name = 'VerificationFailure'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const mismatches: Readonly<Record<Mismatch, string>> = {
  bytecode_length_mismatch: 'The code on the chain has another length than the compiled one.',
  compiled_bytecode_is_zero: 'The contract compiles to no code: it is abstract, or an interface.',
  extra_file_input_bug:
    'The metadata agree and the codes do not: give only the sources that the contract uses.',
  no_match: 'The compiled code is not the one on the chain.',
}

type CheckContext = {
  readonly chain: Chain
  /** Lower case. */
  readonly address: string
  readonly client: NodeClient
  readonly database: Queryable
  /** The folder with compilers. */
  readonly folder: string
  readonly compile: (file: string) => Compiler
  /** Is told what is done now. */
  readonly onStage: (stage: 'compiling' | 'comparing') => Promise<void>
  /** Unix seconds. */
  readonly clock: () => number
}

type CheckedContract = {
  readonly contract: VerifiedContract
  /** Compiles what it can create, if anything. Throws as `compileMade`. */
  readonly made: () => Promise<MadeContract[]>
}

/**
 * Compiles sources and compares them with the codes of an address: that which the node has now, and that with which the
 * index saw it created by a transaction. Throws a VerificationFailure.
 */
export async function checkContract(
  request: VerificationRequest,
  context: CheckContext,
): Promise<CheckedContract> {
  const { chain, address, client, database, folder, onStage, clock } = context
  const found = await findCompiler(folder, request.compiler)
  if (!found) {
    const known = (await readCompilers(folder)).map(({ longVersion }) => longVersion.split('+')[0])
    throw new VerificationFailure(
      'unsupported_compiler_version',
      `The compiler ${request.compiler} is not installed here: the operator can add it by "ridgeline compilers add". ` +
        (known.length > 0 ? `Installed: ${known.join(', ')}.` : 'None is installed.'),
    )
  }
  const code = await codeToCompare(client, address)
  if (code === '0x')
    throw new VerificationFailure('contract_not_deployed', `Chain ${chain.id} has no code at ${address}.`)
  await onStage('compiling')
  const compiler = context.compile(found.file)
  const compilation = await compileContract(request.input, request.target, compiler).catch(
    (error: unknown) => {
      if (error instanceof CompilationError) throw new VerificationFailure(error.code, error.message)
      if (error instanceof CompilerFailure) throw new VerificationFailure('compiler_error', error.message)
      throw error
    },
  )
  await onStage('comparing')
  const creation = await creationOf(database, chain, address)
  const verdict = matchContract(compilation.compiled, {
    runtime: code.slice(2),
    ...(creation && { creation: creation.input.slice(2) }),
  })
  if (typeof verdict === 'string') throw new VerificationFailure(verdict, mismatches[verdict])
  const args = verdict.creation?.values.constructorArguments
  const { runtime, creation: create } = compilation.compiled
  const codeHash = bytesOf(keccak256(code))
  const contract: VerifiedContract = {
    chain: chain.key,
    address: bytesOf(address),
    code_hash: codeHash,
    verified_ts: BigInt(clock()),
    runtime_match: verdict.runtime?.match ?? null,
    creation_match: verdict.creation?.match ?? null,
    language: request.input.language,
    compiler: found.version,
    path: request.target.path,
    name: request.target.name,
    sources: JSON.stringify(request.input.sources),
    settings: JSON.stringify(request.input.settings),
    ...described(compilation),
    runtime_code: runtime.object,
    creation_code: create.object,
    runtime_changes: changesOf(verdict.runtime),
    creation_changes: changesOf(verdict.creation),
    constructor_arguments: args === undefined ? null : bytesOf(args),
    creation_tx: verdict.creation && creation ? bytesOf(creation.txHash) : null,
    made_by: null,
    made_code: null,
  }
  const made = async (): Promise<MadeContract[]> => {
    const compilations = await compileMade(request.input, request.target, compiler)
    return compilations.map(({ path, name, compiled, ...rest }) => ({
      code_hash: codeHash,
      path,
      name,
      ...described(rest),
      compiled: JSON.stringify(compiled),
    }))
  }
  return { contract, made }
}

/** What a compiler says of a contract, as the store keeps it. */
const described = ({
  abi,
  metadata,
  userdoc,
  devdoc,
  storageLayout,
}: Omit<Compilation, 'compiled'>): Omit<MadeContract, 'code_hash' | 'path' | 'name' | 'compiled'> => ({
  abi: JSON.stringify(abi),
  metadata,
  userdoc: JSON.stringify(userdoc),
  devdoc: JSON.stringify(devdoc),
  storage_layout: JSON.stringify(storageLayout),
})

const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

/** The changes of a match, as the store keeps them. */
export const changesOf = (match: CodeMatch | undefined): string | null =>
  match ? JSON.stringify({ transformations: match.transformations, values: match.values }) : null

async function codeToCompare(client: NodeClient, address: string): Promise<Hex> {
  try {
    return await codeOf(client, address)
  } catch (error) {
    if (error instanceof NodeUnavailable)
      throw new VerificationFailure(
        'cannot_fetch_bytecode',
        `The node did not give the code: ${error.message}`,
      )
    throw error
  }
}

/** The creation of a contract by a transaction itself; what a contract creates has no creation code in the index. */
async function creationOf(
  database: Queryable,
  chain: Chain,
  address: string,
): Promise<{ readonly txHash: string; readonly input: string } | undefined> {
  const creation = await readCreation(database, chain.key, bytesOf(address))
  if (!creation || creation.deployer !== creation.origin) return undefined
  const transaction = await readTransaction(database, chain.key, bytesOf(creation.txHash))
  return transaction && { txHash: creation.txHash, input: transaction.input }
}

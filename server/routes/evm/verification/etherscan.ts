import { getAddress } from 'viem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  readStandardJson,
  sourceLimits,
  UnusableRequest,
  type VerificationRequest,
} from '../../../contracts/verification/request.ts'
import type { Verifier } from '../../../contracts/verification/verifier.ts'
import { clientOf, keyHeader, type Caller } from '../../../http/identity.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import { HttpError } from '../../../kernel/http-errors.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { readCreation } from '../../../store/evm/contracts/read-contract.ts'
import {
  isWhollyExact,
  readVerificationJob,
  readVerified,
  type VerifiedContract,
} from '../../../store/evm/contracts/verified-contracts.ts'

/** The most bytes of a form: its escapes treble the sources at worst. */
const formBytes = 3 * sourceLimits.bytes + 1_048_576

/** What is not done as asked: an answer with status 0, which tools show to their users. */
class Refusal extends Error {}

/** Every text of a form and of the query, by its name in lower case. */
type Fields = Readonly<Record<string, string>>

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

const notVerified = 'Contract source code not verified'

type DoorOptions = {
  readonly verifier: Verifier
  /** Finds the caller of a request by its key. */
  readonly identify: (request: FastifyRequest) => Caller
}

/**
 * The part of Etherscan's API that tools give sources to and read ABIs from: `module=contract` at `/api`, for the chain
 * `chainid` of the query or the form, and at `/api/{chainId}` for tools that send none. Answers have the status 200, and say
 * themselves whether it was done. Requests without a module are not a part of it: they are
 * answered like those of any other path.
 */
export async function etherscanRoutes(
  api: FastifyInstance,
  context: RouteContext,
  options: DoorOptions,
): Promise<void> {
  await api.register((door, _none, done) => {
    door.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(body as string))),
    )
    for (const url of ['/api', '/api/:chainId'])
      door.route({
        method: ['GET', 'POST'],
        url,
        bodyLimit: formBytes,
        handler: (request, reply) => answer(request, reply, context, options),
      })
    done()
  })
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
  options: DoorOptions,
): Promise<unknown> {
  const fields = fieldsOf(request)
  if (fields['module'] === undefined) return reply.callNotFound()
  try {
    return { status: '1', message: 'OK', result: await act(request, fields, context, options) }
  } catch (error) {
    if (error instanceof Refusal || error instanceof UnusableRequest)
      return { status: '0', message: 'NOTOK', result: error.message }
    // What is the caller's to mend; our own failures stay failures.
    if (error instanceof HttpError && error.status < 500)
      return { status: '0', message: 'NOTOK', result: error.message }
    throw error
  }
}

function fieldsOf({ query, body, params }: FastifyRequest): Fields {
  const all = { ...(query as object), ...(body as object | null), ...(params as object) }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)]] : [],
    ),
  )
}

function act(
  request: FastifyRequest,
  fields: Fields,
  context: RouteContext,
  { verifier, identify }: DoorOptions,
): Promise<unknown> {
  const { module, action } = fields
  if (module !== 'contract') throw new Refusal('only module=contract is answered here')
  switch (action) {
    case 'verifysourcecode':
      useKey(request, fields, identify)
      return verify(request, fields, context, verifier)
    case 'checkverifystatus':
      return statusOf(fields, context)
    case 'getabi':
      return abiOf(fields, context)
    case 'getsourcecode':
      return sourceOf(fields, context)
    case 'getcontractcreation':
      return creationsOf(fields, context)
    default:
      throw new Refusal(
        'action: must be verifysourcecode, checkverifystatus, getabi, getsourcecode or getcontractcreation',
      )
  }
}

/** Tools send their key as a field. One that is none of ours is that of another service: the caller stays who it is. */
function useKey(request: FastifyRequest, { apikey }: Fields, identify: DoorOptions['identify']): void {
  if (apikey === undefined || apikey === '' || request.headers[keyHeader] !== undefined) return
  request.headers[keyHeader] = apikey
  const caller = identify(request)
  if (caller.kind === 'key') request.caller = caller
}

function chainOf(fields: Fields, { chains }: RouteContext): Chain {
  const id = fields['chainid']
  if (id !== undefined) return chains.find(id)
  const [only, ...others] = chains.all
  if (!only || others.length > 0) throw new Refusal('chainid: is missing, and there is more than one chain')
  return only
}

function addressOf(text: string | undefined, name: string): string {
  const { data } = address.safeParse(text?.trim())
  if (data === undefined) throw new Refusal(`${name}: must be an address: 0x and 40 hex digits`)
  return data.toLowerCase()
}

async function verify(
  request: FastifyRequest,
  fields: Fields,
  context: RouteContext,
  verifier: Verifier,
): Promise<string> {
  context.access.require(request, 'verify')
  const chain = chainOf(fields, context)
  const contract = addressOf(fields['contractaddress'], 'contractaddress')
  const asked = requestOf(fields)
  const known = await readVerified(context.store.get().database, chain.key, bytesOf(contract))
  if (isWhollyExact(known)) throw new Refusal('Contract source code already verified')
  return verifier.submit({ chain, address: contract, request: asked, caller: clientOf(request) })
}

/** The sources of a form: standard JSON, or one file with the settings that have fields of their own. */
function requestOf(fields: Fields): VerificationRequest {
  const { sourcecode = '', codeformat = 'solidity-single-file', contractname = '' } = fields
  const compiler = fields['compilerversion'] ?? ''
  if (codeformat === 'solidity-standard-json-input') {
    let input: unknown
    try {
      input = JSON.parse(sourcecode)
    } catch {
      throw new Refusal('sourceCode: is not JSON')
    }
    return readStandardJson(input, compiler, contractname)
  }
  if (codeformat !== 'solidity-single-file')
    throw new Refusal('codeformat: must be solidity-single-file or solidity-standard-json-input')
  const name = contractname.slice(contractname.lastIndexOf(':') + 1)
  const path = contractname.includes(':')
    ? contractname.slice(0, contractname.lastIndexOf(':'))
    : `${name}.sol`
  const { evmversion = '', optimizationused, runs = '200' } = fields
  const settings = {
    optimizer: { enabled: optimizationused === '1', runs: /^\d{1,9}$/.test(runs) ? Number(runs) : 200 },
    ...(evmversion !== '' && evmversion.toLowerCase() !== 'default' && { evmVersion: evmversion }),
    ...librariesOf(fields, path),
  }
  return readStandardJson(
    { language: 'Solidity', sources: { [path]: { content: sourcecode } }, settings },
    compiler,
    `${path}:${name}`,
  )
}

/** Libraries of one file: `libraryname1` with `libraryaddress1`, and so on. */
function librariesOf(fields: Fields, path: string) {
  const named = Array.from({ length: 10 }, (_none, index) => [
    fields[`libraryname${index + 1}`] ?? '',
    fields[`libraryaddress${index + 1}`] ?? '',
  ]).filter(([name]) => name !== '')
  return named.length > 0 && { libraries: { [path]: Object.fromEntries(named) as Record<string, string> } }
}

async function statusOf({ guid }: Fields, { store }: RouteContext): Promise<string> {
  const { data } = z.uuid().safeParse(guid)
  const job = data === undefined ? undefined : await readVerificationJob(store.get().database, data)
  if (!job) throw new Refusal('Unknown UID')
  if (job.finished_ts === null) throw new Refusal('Pending in queue')
  // The words that tools compare with: anything else ends hardhat before it tries its second input.
  if (job.error_code !== null && ['no_match', 'bytecode_length_mismatch'].includes(job.error_code))
    throw new Refusal('Fail - Unable to verify')
  if (job.error_code !== null) throw new Refusal(`Fail - ${job.error_message ?? job.error_code}`)
  return 'Pass - Verified'
}

async function verifiedOf(fields: Fields, context: RouteContext): Promise<VerifiedContract | undefined> {
  const chain = chainOf(fields, context)
  const contract = addressOf(fields['address'], 'address')
  return readVerified(context.store.get().database, chain.key, bytesOf(contract))
}

async function abiOf(fields: Fields, context: RouteContext): Promise<string> {
  const row = await verifiedOf(fields, context)
  if (!row) throw new Refusal(notVerified)
  return row.abi
}

async function sourceOf(fields: Fields, context: RouteContext): Promise<unknown> {
  const row = await verifiedOf(fields, context)
  if (!row) return [{ ...emptySource, ABI: notVerified }]
  const sources: unknown = JSON.parse(row.sources)
  const settings = JSON.parse(row.settings) as {
    optimizer?: { enabled?: boolean; runs?: number }
    evmVersion?: string
  }
  const input = JSON.stringify({ language: row.language, sources, settings })
  return [
    {
      ...emptySource,
      // Two braces mark standard JSON.
      SourceCode: `{${input}}`,
      ABI: row.abi,
      ContractName: row.name,
      CompilerVersion: `v${row.compiler}`,
      OptimizationUsed: settings.optimizer?.enabled === true ? '1' : '0',
      Runs: String(settings.optimizer?.runs ?? 200),
      ConstructorArguments:
        row.constructor_arguments === null ? '' : Buffer.from(row.constructor_arguments).toString('hex'),
      EVMVersion: settings.evmVersion ?? 'Default',
    },
  ]
}

const emptySource = {
  SourceCode: '',
  ABI: '',
  ContractName: '',
  CompilerVersion: '',
  OptimizationUsed: '',
  Runs: '',
  ConstructorArguments: '',
  EVMVersion: '',
  Library: '',
  LicenseType: '',
  Proxy: '0',
  Implementation: '',
  SwarmSource: '',
}

/** The creations of at most five contracts. */
async function creationsOf(fields: Fields, context: RouteContext): Promise<unknown> {
  const chain = chainOf(fields, context)
  const asked = (fields['contractaddresses'] ?? '').split(',')
  if (asked.length > 5) throw new Refusal('contractaddresses: are at most five')
  const { database } = context.store.get()
  const found = await Promise.all(
    asked.map(async (text) => {
      const contract = addressOf(text, 'contractaddresses')
      const creation = await readCreation(database, chain.key, bytesOf(contract))
      return (
        creation && {
          contractAddress: getAddress(contract),
          contractCreator: getAddress(creation.origin),
          txHash: creation.txHash,
          blockNumber: creation.number.toString(),
          timestamp: String(creation.ts),
          contractFactory: creation.deployer === creation.origin ? '' : getAddress(creation.deployer),
        }
      )
    }),
  )
  const known = found.filter((each) => each !== undefined)
  if (known.length === 0) throw new Refusal('No data found')
  return known
}

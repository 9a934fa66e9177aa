import { getAddress } from 'viem'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { inEnglish } from '../../../../contract/base/english.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { badRequest, HttpError, notFound } from '../../../kernel/http-errors.ts'
import { clientOf } from '../../../http/identity.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import { sourceLimits, type VerificationRequest } from '../../../contracts/verification/request.ts'
import { readMetadata, readStandardJson, UnusableRequest } from '../../../contracts/verification/request.ts'
import type { Verifier } from '../../../contracts/verification/verifier.ts'
import { lastBlock } from '../../../store/read.ts'
import {
  isWhollyExact,
  readVerificationJob,
  readVerified,
  readVerifiedOfChain,
  type VerifiedContract,
} from '../../../store/evm/contracts/verified-contracts.ts'

/** The most bytes of a request: the sources, their escapes in JSON, and the settings. */
const requestBytes = sourceLimits.bytes + 2 * 1_048_576

const place = z.object({
  chainId: z.string().max(64),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits'),
})
const standardBody = z.object({
  stdJsonInput: z.unknown(),
  compilerVersion: z.string().max(100),
  contractIdentifier: z.string().max(1_024),
})
const metadataBody = z.object({ sources: z.record(z.string(), z.string()), metadata: z.unknown() })
const fieldsQuery = z.object({ fields: z.string().max(400).optional(), omit: z.string().max(400).optional() })

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(200),
  afterMatchId: z
    .string()
    .regex(/^\d{1,15}-0x[0-9a-f]{40}$/, 'must be the matchId of an entry')
    .optional(),
})

/** Reads a part of a request; a 400 that names the first thing that is wrong with it. */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value, inEnglish)
  if (error) {
    const [issue] = error.issues
    throw badRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not usable'}`)
  }
  return data
}

/** Makes an UnusableRequest a 400. */
function usable(read: () => VerificationRequest): VerificationRequest {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnusableRequest) throw badRequest(error.message)
    throw error
  }
}

/**
 * The API of Sourcify, version 2, as far as tools use it to give and read sources (docs/contracts.md). Its shapes are
 * Sourcify's, so that it is not a part of the contract.
 */
export function sourcifyRoutes(app: FastifyInstance, context: RouteContext, verifier: Verifier): void {
  const { chains, store, access } = context
  const options = { bodyLimit: requestBytes, ...access.guard('verify') }
  const placeOf = (params: unknown): { chain: Chain; address: string } => {
    const { chainId, address } = parse(place, params)
    return { chain: chains.find(chainId), address: address.toLowerCase() }
  }

  app.post('/sourcify/v2/verify/:chainId/:address', options, async (request, reply) => {
    const { chain, address } = placeOf(request.params)
    const body = parse(standardBody, request.body)
    const asked = usable(() =>
      readStandardJson(body.stdJsonInput, body.compilerVersion, body.contractIdentifier),
    )
    await refuseKnown(context, chain, address)
    const job = await verifier.submit({ chain, address, request: asked, caller: clientOf(request) })
    return reply.code(202).send({ verificationId: job })
  })

  app.post('/sourcify/v2/verify/metadata/:chainId/:address', options, async (request, reply) => {
    const { chain, address } = placeOf(request.params)
    const body = parse(metadataBody, request.body)
    const asked = usable(() => readMetadata(body.metadata, body.sources))
    await refuseKnown(context, chain, address)
    const job = await verifier.submit({ chain, address, request: asked, caller: clientOf(request) })
    return reply.code(202).send({ verificationId: job })
  })

  app.route({
    method: 'GET',
    url: '/sourcify/v2/verify/:verificationId',
    handler: async (request) => {
      const { verificationId } = parse(z.object({ verificationId: z.uuid('must be a UUID') }), request.params)
      const job = await readVerificationJob(store.get().database, verificationId)
      if (!job) throw notFound(`there is no check ${verificationId}`)
      const { chain, address, runtime_match, creation_match, finished_ts, error_code, error_message } = job
      return {
        isJobCompleted: finished_ts !== null,
        verificationId,
        jobStartTime: isoOf(job.started_ts),
        ...(finished_ts !== null && { jobFinishTime: isoOf(finished_ts) }),
        contract: {
          match: runtime_match ?? creation_match,
          creationMatch: creation_match,
          runtimeMatch: runtime_match,
          chainId: chain.toString(),
          address: getAddress(hexOf(address)),
        },
        ...(error_code !== null && {
          error: { customCode: error_code, message: error_message ?? '', errorId: verificationId },
        }),
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/sourcify/v2/contract/:chainId/:address',
    handler: async (request, reply) => {
      const { chain, address } = placeOf(request.params)
      const { fields, omit } = parse(fieldsQuery, request.query)
      if (fields !== undefined && omit !== undefined) throw badRequest('fields and omit exclude each other')
      const row = await readVerified(store.get().database, chain.key, bytesOf(address))
      if (!row)
        return reply.code(404).send({
          match: null,
          creationMatch: null,
          runtimeMatch: null,
          chainId: chain.id,
          address: getAddress(address),
        })
      return { ...verdictOf(row), ...chosen(detailsOf(row), fields, omit) }
    },
  })

  app.route({
    method: 'GET',
    url: '/sourcify/v2/contracts/:chainId',
    handler: async (request) => {
      const { chainId } = parse(place.pick({ chainId: true }), request.params)
      const chain = chains.find(chainId)
      const { limit, afterMatchId } = parse(listQuery, request.query)
      const [ts, last] = afterMatchId?.split('-') ?? []
      const after =
        ts === undefined || last === undefined
          ? { ts: lastBlock, address: Buffer.alloc(0) }
          : { ts: BigInt(ts), address: bytesOf(last) }
      const rows = await readVerifiedOfChain(store.get().database, chain.key, after, limit)
      return { results: rows.map(verdictOf) }
    },
  })
}

/** A 409, as Sourcify's, for a contract whose sources are known exactly. */
async function refuseKnown({ store }: RouteContext, chain: Chain, address: string): Promise<void> {
  const row = await readVerified(store.get().database, chain.key, bytesOf(address))
  if (isWhollyExact(row))
    throw new HttpError(
      409,
      `Contract ${address} on chain ${chain.id} is already verified with an exact match`,
    )
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`
const isoOf = (seconds: bigint): string => new Date(Number(seconds) * 1_000).toISOString()

const verdictOf = (
  row: Pick<VerifiedContract, 'chain' | 'address' | 'verified_ts' | 'runtime_match' | 'creation_match'>,
) => ({
  match:
    row.runtime_match === 'exact_match' || row.creation_match === 'exact_match' ? 'exact_match' : 'match',
  creationMatch: row.creation_match,
  runtimeMatch: row.runtime_match,
  matchId: `${row.verified_ts}-${hexOf(row.address)}`,
  chainId: row.chain.toString(),
  address: getAddress(hexOf(row.address)),
  verifiedAt: isoOf(row.verified_ts),
})

function detailsOf(row: VerifiedContract): Record<string, unknown> {
  const sources: unknown = JSON.parse(row.sources)
  const settings: unknown = JSON.parse(row.settings)
  return {
    creationBytecode: bytecodeOf(row.creation_code, row.creation_changes),
    runtimeBytecode: bytecodeOf(row.runtime_code, row.runtime_changes),
    deployment: { transactionHash: row.creation_tx === null ? null : hexOf(row.creation_tx) },
    sources,
    compilation: {
      language: row.language,
      compiler: 'solc',
      compilerVersion: row.compiler,
      compilerSettings: settings,
      name: row.name,
      fullyQualifiedName: `${row.path}:${row.name}`,
    },
    abi: JSON.parse(row.abi),
    userdoc: JSON.parse(row.userdoc),
    devdoc: JSON.parse(row.devdoc),
    storageLayout: JSON.parse(row.storage_layout),
    metadata: row.metadata === '' ? null : JSON.parse(row.metadata),
    stdJsonInput: { language: row.language, sources, settings },
  }
}

function bytecodeOf(code: string, changes: string | null): Record<string, unknown> {
  const { transformations, values } = JSON.parse(changes ?? '{}') as Record<string, unknown>
  return {
    recompiledBytecode: `0x${code}`,
    ...(transformations !== undefined && { transformations, transformationValues: values }),
  }
}

/** The fields that a request names: none without a name, or all but some. */
function chosen(
  all: Record<string, unknown>,
  fields: string | undefined,
  omit: string | undefined,
): Record<string, unknown> {
  const names = (fields ?? omit ?? '').split(',').filter((name) => name !== '' && name !== 'all')
  const isAll = omit !== undefined || fields === 'all'
  // A field of a field, such as `compilation.name`, brings the whole.
  const heads = new Set(names.map((name) => name.split('.')[0] ?? ''))
  for (const head of heads) if (!(head in all)) throw badRequest(`${head}: is not a field of a contract`)
  return Object.fromEntries(
    Object.entries(all).filter(([name]) =>
      isAll ? omit === undefined || !heads.has(name) : heads.has(name),
    ),
  )
}

import type { NftMetadataConfig } from '../../kernel/settings/config.ts'
import { RetryableError, type FailureKind } from '../../kernel/errors.ts'
import { bytesOfAnswer, readText } from '../facts/answers.ts'
import type { NodeCalls } from '../facts/node-calls.ts'
import { FetchFailure, type FetchFailureKind, type GuardedFetch } from '../../kernel/guarded-fetch.ts'
import { readMetadata, type NftFields } from './metadata.ts'
import type { IndexStatus, LeasedNft } from './queue.ts'
import { dataUriMayPass, expandTokenUri, longestLink, readDataUri } from './token-uri.ts'

type ReaderOptions = {
  readonly settings: NftMetadataConfig
  readonly node: NodeCalls
  readonly fetch: GuardedFetch
}

/** The metadata of an NFT from its contract and document. `retryAfter` is in seconds. */
export type NftReading = {
  readonly status: IndexStatus
  readonly uri?: string | null
  readonly fields?: NftFields
  readonly retryAfter?: number
  /** Set if another attempt would have the same result. */
  readonly final?: boolean
  /** The failure, for the log. */
  readonly why?: string
}

const documentTypes =
  /^(?:|application\/(?:[\w.+-]*\+)?json|text\/(?:json|plain|x-json)|(?:application|binary)\/octet-stream)$/

/** Content types of a document: JSON, and those of gateways that do not inspect files. */
const isDocumentType = (type: string): boolean => documentTypes.test(type)

const statusOf: Record<FetchFailureKind, IndexStatus> = {
  invalid: 'INVALID_TOKEN_URI',
  scheme: 'INVALID_TOKEN_URI_SCHEME',
  refused: 'UNREACHABLE_TOKEN_URI',
  unreachable: 'UNREACHABLE_TOKEN_URI',
  throttled: 'THROTTLED_TOKEN_URI',
  tooLarge: 'METADATA_CONTENT_TOO_LARGE',
  type: 'INVALID_METADATA_JSON',
}

/** Failures of the node as a whole, independent of the NFT. */
const nodeFailures: ReadonlySet<FailureKind> = new Set(['network', 'throttled', 'unavailable'])

/**
 * Reads one NFT: `tokenURI` (ERC-721) or `uri` (ERC-1155) of its contract, then the document behind it.
 * Errors of either become a status. Throws RetryableError if the node is down, or the signal's reason.
 */
export async function readNft(
  { settings, node, fetch }: ReaderOptions,
  nft: Pick<LeasedNft, 'token' | 'token_id'> & { readonly kind: number },
  signal: AbortSignal,
): Promise<NftReading> {
  const tokenId = BigInt(nft.token_id)
  let asked
  try {
    asked = await askUri(node, nft, tokenId, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof RetryableError) || nodeFailures.has(error.kind)) throw error
    return { status: 'UNKNOWN', why: error.message }
  }
  if ('status' in asked) return asked
  const uri = expandTokenUri(asked.uri.trim(), nft.kind, tokenId)
  const shown = { uri: shownUri(uri) }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return { status: 'INVALID_TOKEN_URI', ...shown }
  if (scheme === 'data') return { ...readInline(uri, settings, nft.kind, tokenId), ...shown }
  if (!['http', 'https', 'ipfs'].includes(scheme)) return { status: 'INVALID_TOKEN_URI_SCHEME', ...shown }
  if (uri.length > longestLink || !URL.canParse(uri)) return { status: 'INVALID_TOKEN_URI', ...shown }
  const off = !settings.enabled || (scheme === 'ipfs' && settings.ipfsGateway === undefined)
  if (off) return { status: 'UNINDEXED', ...shown }
  try {
    const body = await fetch(uri, { maxBytes: settings.maxBytes, accepts: isDocumentType, signal })
    return { ...readDocument(body, settings, nft.kind, tokenId), ...shown }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const wait = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }
    const final = error.kind === 'refused'
    return { status: statusOf[error.kind], why: error.message, final, ...wait, ...shown }
  }
}

/** tokenURI(uint256) and uri(uint256). */
const selectors = { 721: '0xc87b56dd', 1155: '0x0e89341c' } as const

async function askUri(
  node: NodeCalls,
  nft: Pick<LeasedNft, 'token'> & { readonly kind: number },
  tokenId: bigint,
  signal: AbortSignal,
): Promise<{ uri: string } | NftReading> {
  const selector = nft.kind === 721 ? selectors[721] : selectors[1155]
  const data = selector + tokenId.toString(16).padStart(64, '0')
  const answer = await node.call(`0x${nft.token.toString('hex')}`, data, 'latest', signal)
  if ('failed' in answer) {
    if (answer.failed === 'reverted') return { status: 'MISSING_TOKEN', why: 'the contract refused' }
    if (answer.failed === 'tooLarge') return { status: 'METADATA_CONTENT_TOO_LARGE' }
    return { status: 'UNKNOWN', why: 'the contract took too long' }
  }
  const bytes = bytesOfAnswer(answer.result)
  if (!bytes) return { status: 'UNKNOWN', why: 'the node answers no bytes' }
  // There is no code (any more), so the token cannot exist.
  if (bytes.length === 0) return { status: 'MISSING_TOKEN', why: 'the contract answers nothing' }
  const uri = readText(bytes, bytes.length)
  return uri === undefined || uri.trim() === '' ? { status: 'INVALID_TOKEN_URI', uri: null } : { uri }
}

function readInline(uri: string, settings: NftMetadataConfig, kind: number, tokenId: bigint): NftReading {
  if (dataUriMayPass(uri, settings.maxBytes)) return { status: 'METADATA_CONTENT_TOO_LARGE' }
  const found = readDataUri(uri)
  if (!found) return { status: 'INVALID_TOKEN_URI' }
  if (found.body.length > settings.maxBytes) return { status: 'METADATA_CONTENT_TOO_LARGE' }
  return readDocument(found.body, settings, kind, tokenId)
}

function readDocument(body: Buffer, settings: NftMetadataConfig, kind: number, tokenId: bigint): NftReading {
  const hosts = new Set(Object.keys(settings.hosts))
  const read = readMetadata(body, { kind, tokenId, hosts })
  if (read === 'json') return { status: 'INVALID_METADATA_JSON' }
  if (read === 'shape') return { status: 'INVALID_METADATA' }
  return { status: 'INDEXED', fields: read }
}

/** A URI to store and show; null if it cannot be shown completely. */
function shownUri(uri: string): string | null {
  const clean = uri.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
  return clean === '' || clean.length > longestLink ? null : clean
}

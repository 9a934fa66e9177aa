import { createHash } from 'node:crypto'
import type { Config } from '../../kernel/settings/config.ts'
import { foldConfusables } from './look-alikes.ts'

type Reputation = 'Malicious' | 'Benign'

/** The data by which a token is evaluated: its metadata (null: no usable answer) and its distribution. */
export type EvaluatedFacts = {
  readonly kind: number
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
  readonly spread?: Spread
}

/** How a token was distributed, based on a bounded number of transfers. */
export type Spread = {
  /** Distinct recipients of zero-value transfers. */
  readonly zeroValueRecipients: number
  /** The largest number of distinct recipients in one transaction. */
  readonly maxPaidAtOnce: number
}

export type Evaluation = { readonly reputation: Reputation | null; readonly reasons: readonly string[] }

export type TokenSettings = Pick<Config, 'tokens' | 'chains'>

/**
 * Above these numbers of distinct recipients, a distribution counts as an airdrop. docs/tokens.md gives the
 * reasons.
 */
const maxZeroValueRecipients = 1_000
const maxRecipientsAtOnce = 200

/** Increment it when a rule changes, so that stored evaluations are updated. */
const rulesRevision = 1

/**
 * Top-level domains that are recognized in names. A dot alone is not sufficient: `USDC.e` and `v2.0` are
 * names.
 */
const endings =
  'com|net|org|info|biz|io|co|me|us|eu|ru|cn|in|tk|ml|ga|cf|gq|to|ly|gg|cc|ws|app|dev|xyz|top|site|online|' +
  'website|space|live|life|world|today|club|shop|store|fun|lol|vip|win|bid|bet|cash|money|finance|exchange|' +
  'trade|trading|capital|fund|network|link|click|page|pro|promo|gift|gifts|claim|claims|reward|rewards|' +
  'bonus|event|events|airdrop|zone|buzz|icu|cyou|sbs|eth'
const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]*`
const link = new RegExp(
  String.raw`[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\b(?:t|discord|bit|telegram)\.(?:me|gg|ly)\b|` +
    // Spaces around the dot hide a domain from simple filters.
    String.raw`(?:${word}\.(?:${endings})|${word}\s?\.\s?(?:com|net|org|io|xyz))(?![\p{L}\p{N}])`,
  'iu',
)

/**
 * Evaluates a token by the rules of docs/tokens.md. Malicious comes with the matched rules in words; Benign is
 * for tokens that the operator lists; otherwise null, which means unknown.
 */
export function evaluate(
  settings: TokenSettings,
  chainId: number,
  address: string,
  facts: EvaluatedFacts,
): Evaluation {
  if (isListed(settings, chainId, address))
    return { reputation: 'Benign', reasons: ['listed by the operator'] }
  const reasons = [
    ...imitates(settings, chainId, facts),
    ...carriesLink(facts),
    ...unreadable(facts),
    ...spreads(facts),
  ]
  return { reputation: reasons.length > 0 ? 'Malicious' : null, reasons }
}

/** The reputation columns of `token_facts`; undefined or null without a row. */
type StoredReputation =
  | { readonly reputation: string | null; readonly reputation_reasons: readonly string[] | null }
  | null
  | undefined

/**
 * The displayed reputation (`tokenReputation`, `reputationReasons` of contract/tokens/balances.ts). The
 * operator's lists take precedence over the rules when it is read. `token` is a 0x address in any case.
 */
export function reputationOf(
  config: Pick<Config, 'tokens'>,
  chainId: number | bigint | string,
  token: string,
  facts: StoredReputation,
): { tokenReputation: Reputation | null; reputationReasons?: string[] } {
  const lists = listsOf(config)
  const key = keyOf(chainId, token)
  const denied = lists.deny.get(key)
  if (denied !== undefined) return { tokenReputation: 'Malicious', reputationReasons: [denied] }
  const allowed = lists.allow.get(key)
  if (allowed !== undefined) return { tokenReputation: 'Benign', reputationReasons: [allowed] }
  if (facts?.reputation !== 'Malicious') return { tokenReputation: null }
  return { tokenReputation: 'Malicious', reputationReasons: [...(facts.reputation_reasons ?? [])] }
}

/**
 * The operator's lists for a chain, as 0x text: the denied tokens, and the trusted ones that are not denied.
 */
export function operatorLists(
  config: Pick<Config, 'tokens'>,
  chainId: number | bigint | string,
): { denied: readonly string[]; trusted: readonly string[] } {
  const lists = listsOf(config)
  const prefix = keyOf(chainId, '')
  const ofChain = (keys: Iterable<string>): string[] =>
    [...keys].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  return { denied: ofChain(lists.deny.keys()), trusted: ofChain(lists.allow.keys()) }
}

type Lists = { readonly deny: Map<string, string>; readonly allow: Map<string, string> }

const known = new WeakMap<object, Lists>()

/** The lists by chain and address, built once per configuration. */
function listsOf({ tokens }: Pick<Config, 'tokens'>): Lists {
  const found = known.get(tokens)
  if (found) return found
  const entries = (
    list: readonly { chainId: number; address: string; reason?: string | undefined }[],
    why: string,
  ) => list.map((entry) => [keyOf(entry.chainId, entry.address), entry.reason ?? why] as const)
  const lists: Lists = {
    deny: new Map(entries(tokens.deny, 'denied by the operator')),
    allow: new Map([
      ...entries(tokens.listed, 'listed by the operator'),
      ...entries(tokens.allow, 'allowed by the operator'),
    ]),
  }
  known.set(tokens, lists)
  return lists
}

const keyOf = (chainId: number | bigint | string, address: string): string =>
  `${chainId} ${address.toLowerCase()}`

function isListed(settings: TokenSettings, chainId: number, address: string): boolean {
  const own = keyOf(chainId, address)
  return settings.tokens.listed.some((token) => keyOf(token.chainId, token.address) === own)
}

/** Whether the symbol looks like the native token's or a listed token's. */
function imitates({ tokens, chains }: TokenSettings, chainId: number, { symbol }: EvaluatedFacts): string[] {
  const key = symbol === null ? '' : foldConfusables(symbol)
  if (key === '') return []
  const native = chains.find((chain) => chain.evmChainId === chainId)?.token.symbol
  if (native !== undefined && foldConfusables(native) === key) {
    return [`its symbol reads like that of the native token ${native}`]
  }
  const listed = tokens.listed.find(
    (token) => token.chainId === chainId && foldConfusables(token.symbol) === key,
  )
  return listed
    ? [`its symbol reads like that of the listed token ${listed.symbol} at ${listed.address}`]
    : []
}

function carriesLink({ name, symbol }: EvaluatedFacts): string[] {
  const found = [...(hasLink(name) ? ['name'] : []), ...(hasLink(symbol) ? ['symbol'] : [])]
  return found.length > 0 ? [`its ${found.join(' and ')} carries a link or a domain`] : []
}

function hasLink(text: string | null): boolean {
  return text !== null && link.test(text.normalize('NFKC'))
}

/** NFTs need no name, symbol or decimals; an ERC-20 token without two of them is unreadable. */
function unreadable({ kind, name, symbol, decimals }: EvaluatedFacts): string[] {
  if (kind !== 20) return []
  const missing = [
    ...(name === null ? ['name'] : []),
    ...(symbol === null ? ['symbol'] : []),
    ...(decimals === null ? ['decimals'] : []),
  ]
  return missing.length >= 2 ? [`its ${missing.join(' and ')} cannot be read`] : []
}

function spreads({ spread }: EvaluatedFacts): string[] {
  if (!spread) return []
  const { zeroValueRecipients, maxPaidAtOnce } = spread
  return [
    ...(zeroValueRecipients >= maxZeroValueRecipients
      ? [`it announced transfers of nothing to ${count(zeroValueRecipients)} addresses`]
      : []),
    ...(maxPaidAtOnce >= maxRecipientsAtOnce
      ? [`one transaction handed it out to ${count(maxPaidAtOnce)} addresses`]
      : []),
  ]
}

const count = (value: number): string => value.toLocaleString('en')

/** Changes whenever the inputs of a chain's stored evaluations change. */
export function rulesVersion({ tokens, chains }: TokenSettings, chainId: number): string {
  const native = chains.find((chain) => chain.evmChainId === chainId)?.token.symbol
  const listed = tokens.listed.filter((token) => token.chainId === chainId)
  return createHash('sha256')
    .update(JSON.stringify([rulesRevision, native, listed]))
    .digest('hex')
}

import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import type { Decoded, TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { nameOf, type TokenFacts, zeroAddress } from '../../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { methodLabel } from '../../../lib/text.ts'
import { feeOf } from '../method-label.tsx'
import { netFlows } from '../net-flows.ts'
import { isEndless } from './token-arguments.ts'
import { transfersOf, type Transfer } from './transfers.ts'

type Party = { address: string; name?: string | undefined }

/** A piece of a sentence: plain text, or a value with its name, unit or link. */
export type HeadlinePart =
  | string
  | { party: Party }
  /** An amount of the native token in its smallest unit. */
  | { native: string }
  | { token: TokenFacts; value: string }
  | { item: TokenFacts; tokenId: string }
  | { method: string }

/** What transactions do, in the past; with the infinitive for one that failed. */
const verbs = {
  allowed: 'allow',
  bought: 'buy',
  burned: 'burn',
  called: 'call',
  deployed: 'deploy',
  minted: 'mint',
  moved: 'move',
  received: 'receive',
  revoked: 'revoke',
  sent: 'send',
  sold: 'sell',
  swapped: 'swap',
} as const

/** What a transaction does: the verb, and what follows it in the sentence. */
type Action = { verb: keyof typeof verbs; rest: readonly HeadlinePart[] }

const isSame = (a: Party, b: Party): boolean => a.address.toLowerCase() === b.address.toLowerCase()
const isNoOne = ({ address }: Party): boolean => address.toLowerCase() === zeroAddress

const argument = (call: Decoded, index: number): string => {
  const value = call.args[index]?.value
  return typeof value === 'string' ? value : ''
}

const itemsOf = (count: bigint, token: TokenFacts): string =>
  `${formatInteger(count)} NFTs${nameOf(token) ? ` of ${nameOf(token)}` : ''}`

const size = (value: bigint): string => String(value < 0n ? -value : value)

/** What came or went: of the native token without a token, an NFT with its id. */
type Flow = {
  total: bigint
  token?: TokenFacts
  tokenId?: string | undefined
  lastTokenId?: string | undefined
}

function partsOf({ total, token, tokenId, lastTokenId }: Flow): readonly HeadlinePart[] {
  const value = size(total)
  if (token === undefined) return [{ native: value }]
  if (tokenId === undefined) return [{ token, value }]
  if (lastTokenId !== undefined) return [itemsOf(BigInt(value), token)]
  const item: HeadlinePart = { item: token, tokenId }
  return value === '1' ? [item] : [`${formatInteger(value)} × `, item]
}

/** What a call with a decoded input asks a token for: the input alone says it, so it holds for failed calls too. */
function tokenCall(details: TransactionDetails): Action | undefined {
  const { nativeTransaction: tx, decodedInput: call } = details
  if (!call) return undefined
  const { to: token } = tx
  const party = (index: number): HeadlinePart => ({ party: { address: argument(call, index) } })
  const amount = (index: number): HeadlinePart => ({ token, value: argument(call, index) })
  const isFungible = decimalsOf(token) !== undefined
  const revoked: Action = {
    verb: 'revoked',
    rest: ['the approval of ', party(0), ' for ', { party: token }],
  }
  switch (call.signature) {
    case 'approve(address,uint256)': {
      const value = BigInt(argument(call, 1))
      // The same signature approves one NFT; only a token with decimals is known to mean an amount.
      if (!isFungible) return undefined
      if (value === 0n) return revoked
      const what: readonly HeadlinePart[] = isEndless(value)
        ? ['any amount of ', { party: token }]
        : [amount(1)]
      return { verb: 'allowed', rest: [party(0), ' to spend ', ...what] }
    }
    case 'setApprovalForAll(address,bool)':
      return argument(call, 1) === 'true'
        ? { verb: 'allowed', rest: [party(0), ' to transfer all NFTs of ', { party: token }] }
        : revoked
    case 'transfer(address,uint256)':
      return isFungible ? { verb: 'sent', rest: [amount(1), ' to ', party(0)] } : undefined
    case 'transferFrom(address,address,uint256)':
      return isFungible
        ? { verb: 'moved', rest: [amount(2), ' from ', party(0), ' to ', party(1)] }
        : undefined
    default:
      return undefined
  }
}

/** The exchange of one asset for another, if exactly one left the sender and one came back. */
function exchange(details: TransactionDetails): Action | undefined {
  const tx = details.nativeTransaction
  const { fungible, items, native } = netFlows(details, tx.from.address)
  const coin = native.reduce((sum, value) => sum + value, -BigInt(tx.value))
  const flows: readonly Flow[] = [{ total: coin }, ...fungible.values(), ...items.values()].filter(
    ({ total }) => total !== 0n,
  )
  const lost = flows.find(({ total }) => total < 0n)
  const gained = flows.find(({ total }) => total > 0n)
  if (flows.length !== 2 || !lost || !gained) return undefined
  const [out, back] = [partsOf(lost), partsOf(gained)]
  const where: readonly HeadlinePart[] = [' on ', { party: tx.to }]
  if (gained.tokenId !== undefined) return { verb: 'bought', rest: [...back, ' for ', ...out, ...where] }
  const verb = lost.tokenId === undefined ? 'swapped' : 'sold'
  return { verb, rest: [...out, ' for ', ...back, ...where] }
}

/** The token transfers of a call, where all are of one token and from one holder. */
function movement(details: TransactionDetails, transfers: readonly Transfer[]): Action | undefined {
  const tx = details.nativeTransaction
  const [first] = transfers
  if (!first || tx.value !== '0') return undefined
  const { token, tokenId, lastTokenId, from, to } = first
  if (!transfers.every((one) => one.token.address === token.address && isSame(one.from, from)))
    return undefined
  const recipients = new Set(transfers.map((one) => one.to.address.toLowerCase())).size
  const total = transfers.reduce((sum, { value }) => sum + BigInt(value ?? '1'), 0n)
  const isBatch = tokenId !== undefined && transfers.length > 1
  const what = isBatch ? [itemsOf(total, token)] : partsOf({ total, token, tokenId, lastTokenId })
  const isMine = isSame(from, tx.from)
  const isToMe = recipients === 1 && isSame(to, tx.from)
  const whom: HeadlinePart =
    recipients > 1 ? `${recipients} recipients` : isMine && isToMe ? 'itself' : { party: to }
  if (isNoOne(from)) return { verb: 'minted', rest: isToMe ? what : [...what, ' to ', whom] }
  if (recipients === 1 && isNoOne(to))
    return { verb: 'burned', rest: isMine ? what : [...what, ' of ', { party: from }] }
  if (isMine) return { verb: 'sent', rest: [...what, ' to ', whom] }
  if (isToMe) return { verb: 'received', rest: [...what, ' from ', { party: from }] }
  return { verb: 'moved', rest: [...what, ' from ', { party: from }, ' to ', whom] }
}

function actionOf(details: TransactionDetails): Action {
  const tx = details.nativeTransaction
  const failed = tx.txStatus === '0'
  if (tx.method?.callType === 'CONTRACT_CREATION' || tx.contractAddress !== undefined) {
    const contract = { ...tx.to, address: tx.contractAddress ?? tx.to.address }
    const rest: readonly HeadlinePart[] = failed ? ['a contract'] : ['contract ', { party: contract }]
    return { verb: 'deployed', rest }
  }
  if (tx.input === '0x') {
    const whom: HeadlinePart = isSame(tx.from, tx.to) ? 'itself' : { party: tx.to }
    return { verb: 'sent', rest: [{ native: tx.value }, ' to ', whom] }
  }
  const transfers = failed ? [] : transfersOf(details)
  const known =
    (failed ? undefined : (exchange(details) ?? movement(details, transfers))) ?? tokenCall(details)
  if (known) return known
  const label = methodLabel(tx.method?.methodName, tx.method?.methodHash)
  return {
    verb: 'called',
    rest: [
      ...(label === '' ? [] : [{ method: label }, ' on ']),
      { party: tx.to },
      ...(tx.value === '0' ? [] : [' with ', { native: tx.value }]),
    ],
  }
}

/** A transaction as one sentence: sender, action, recipient and fee. */
export function headlineOf(details: TransactionDetails): readonly HeadlinePart[] {
  const tx = details.nativeTransaction
  const { verb, rest } = actionOf(details)
  const did = tx.txStatus === '0' ? `tried to ${verbs[verb]}` : verb
  return [{ party: tx.from }, ` ${did} `, ...rest, ' and paid a fee of ', { native: feeOf(tx) }, '.']
}

import type { Decoded, TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { decimalsOf, nameOf, type TokenFacts } from '../../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { methodLabel } from '../../../lib/text.ts'
import { feeOf } from '../method-label.tsx'
import { transfersOf, type Transfer } from './transfers.ts'

type Party = { address: string; name?: string | undefined }

/** A piece of a sentence: plain words, or what is drawn with its name, unit or link. */
export type HeadlinePart =
  | string
  | { party: Party }
  /** An amount of the native token in its smallest unit. */
  | { native: string }
  | { token: TokenFacts; value: string }
  | { item: TokenFacts; tokenId: string }
  | { method: string }

/** What a transaction does: the verb in the past and in the infinitive, and the rest of the sentence. */
type Action = { did: string; do: string; rest: readonly HeadlinePart[] }

const noOne = `0x${'0'.repeat(40)}`
/** Above this an approval is meant to have no end. */
const endless = 2n ** 255n

const isSame = (a: Party, b: Party): boolean => a.address.toLowerCase() === b.address.toLowerCase()
const isNoOne = ({ address }: Party): boolean => address.toLowerCase() === noOne

const argument = (call: Decoded, index: number): string => {
  const value = call.args[index]?.value
  return typeof value === 'string' ? value : ''
}

const itemsOf = (count: bigint, token: TokenFacts): string =>
  `${formatInteger(count)} NFTs${nameOf(token) ? ` of ${nameOf(token)}` : ''}`

function whatMoved({ token, value, tokenId }: Transfer): readonly HeadlinePart[] {
  if (tokenId === undefined) return [{ token, value: value ?? '0' }]
  const item: HeadlinePart = { item: token, tokenId }
  return value === undefined || value === '1' ? [item] : [`${formatInteger(value)} × `, item]
}

/** What a call with a decoded input asks a token for: the input alone says it, so it holds for failed calls too. */
function tokenCall(details: TransactionDetails): Action | undefined {
  const { nativeTransaction: tx, decodedInput: call } = details
  if (!call) return undefined
  const { to: token } = tx
  const party = (index: number): HeadlinePart => ({ party: { address: argument(call, index) } })
  const amount = (index: number): HeadlinePart => ({ token, value: argument(call, index) })
  const isFungible = decimalsOf(token) !== undefined
  switch (call.signature) {
    case 'approve(address,uint256)': {
      const value = BigInt(argument(call, 1))
      // The same signature approves one NFT; only a token with decimals is known to mean an amount.
      if (!isFungible) return undefined
      if (value === 0n)
        return {
          did: 'revoked',
          do: 'revoke',
          rest: ['the approval of ', party(0), ' for ', { party: token }],
        }
      const what: readonly HeadlinePart[] =
        value >= endless ? ['any amount of ', { party: token }] : [amount(1)]
      return { did: 'allowed', do: 'allow', rest: [party(0), ' to spend ', ...what] }
    }
    case 'setApprovalForAll(address,bool)':
      return argument(call, 1) === 'true'
        ? { did: 'allowed', do: 'allow', rest: [party(0), ' to transfer all NFTs of ', { party: token }] }
        : { did: 'revoked', do: 'revoke', rest: ['the approval of ', party(0), ' for ', { party: token }] }
    case 'transfer(address,uint256)':
      return isFungible ? { did: 'sent', do: 'send', rest: [amount(1), ' to ', party(0)] } : undefined
    case 'transferFrom(address,address,uint256)':
      return isFungible
        ? { did: 'moved', do: 'move', rest: [amount(2), ' from ', party(0), ' to ', party(1)] }
        : undefined
    default:
      return undefined
  }
}

/** The exchange of one asset for another: what left the sender and what came back, if it was one of each. */
function exchange(details: TransactionDetails, transfers: readonly Transfer[]): Action | undefined {
  const { nativeTransaction: tx, internalTransactions = [] } = details
  const native = internalTransactions
    .filter((call) => !call.isReverted && call.internalTxType === 'CALL' && isSame(call.to, tx.from))
    .reduce((sum, call) => sum + BigInt(call.value), -BigInt(tx.value))
  const fungible = new Map<string, { token: TokenFacts; net: bigint }>()
  const items: { transfer: Transfer; isOut: boolean }[] = []
  for (const transfer of transfers) {
    const isOut = isSame(transfer.from, tx.from)
    const isIn = isSame(transfer.to, tx.from)
    if (isOut === isIn) continue
    if (transfer.tokenId !== undefined) {
      items.push({ transfer, isOut })
      continue
    }
    const key = transfer.token.address.toLowerCase()
    const net = (fungible.get(key)?.net ?? 0n) + (isIn ? 1n : -1n) * BigInt(transfer.value ?? '0')
    fungible.set(key, { token: transfer.token, net })
  }
  const moved = [
    ...(native === 0n ? [] : [{ isOut: native < 0n, isItem: false, what: [{ native: abs(native) }] }]),
    ...[...fungible.values()]
      .filter(({ net }) => net !== 0n)
      .map(({ token, net }) => ({ isOut: net < 0n, isItem: false, what: [{ token, value: abs(net) }] })),
    ...items.map(({ transfer, isOut }) => ({ isOut, isItem: true, what: whatMoved(transfer) })),
  ]
  const out = moved.find((one) => one.isOut)
  const back = moved.find((one) => !one.isOut)
  if (moved.length !== 2 || !out || !back) return undefined
  const [did, infinitive] = back.isItem
    ? ['bought', 'buy']
    : out.isItem
      ? ['sold', 'sell']
      : ['swapped', 'swap']
  const [first, second] = back.isItem ? [back, out] : [out, back]
  return { did, do: infinitive, rest: [...first.what, ' for ', ...second.what, ' on ', { party: tx.to }] }
}

const abs = (value: bigint): string => String(value < 0n ? -value : value)

/** The token transfers of a call, where all are of one token and from one holder. */
function movement(details: TransactionDetails, transfers: readonly Transfer[]): Action | undefined {
  const tx = details.nativeTransaction
  const [first] = transfers
  if (!first || tx.value !== '0') return undefined
  const { token, from, to } = first
  if (!transfers.every((one) => one.token.address === token.address && isSame(one.from, from)))
    return undefined
  const recipients = new Set(transfers.map((one) => one.to.address.toLowerCase())).size
  const what = transfers.length === 1 ? whatMoved(first) : [totalOf(transfers, first)]
  const isMine = isSame(from, tx.from)
  const isToMe = recipients === 1 && isSame(to, tx.from)
  const whom: HeadlinePart =
    recipients > 1 ? `${recipients} recipients` : isMine && isToMe ? 'itself' : { party: to }
  if (isNoOne(from)) return { did: 'minted', do: 'mint', rest: isToMe ? what : [...what, ' to ', whom] }
  if (recipients === 1 && isNoOne(to))
    return { did: 'burned', do: 'burn', rest: isMine ? what : [...what, ' of ', { party: from }] }
  if (isMine) return { did: 'sent', do: 'send', rest: [...what, ' to ', whom] }
  if (isToMe) return { did: 'received', do: 'receive', rest: [...what, ' from ', { party: from }] }
  return { did: 'moved', do: 'move', rest: [...what, ' from ', { party: from }, ' to ', whom] }
}

function totalOf(transfers: readonly Transfer[], { token, tokenId }: Transfer): HeadlinePart {
  const total = transfers.reduce((sum, { value }) => sum + BigInt(value ?? '1'), 0n)
  return tokenId === undefined ? { token, value: String(total) } : itemsOf(total, token)
}

function actionOf(details: TransactionDetails): Action {
  const tx = details.nativeTransaction
  const failed = tx.txStatus === '0'
  if (tx.method?.callType === 'CONTRACT_CREATION' || tx.contractAddress !== undefined) {
    const contract = { ...tx.to, address: tx.contractAddress ?? tx.to.address }
    const rest: readonly HeadlinePart[] = failed ? ['a contract'] : ['contract ', { party: contract }]
    return { did: 'deployed', do: 'deploy', rest }
  }
  if (tx.input === '0x') {
    const whom: HeadlinePart = isSame(tx.from, tx.to) ? 'itself' : { party: tx.to }
    return { did: 'sent', do: 'send', rest: [{ native: tx.value }, ' to ', whom] }
  }
  const transfers = failed ? [] : transfersOf(details)
  const known =
    (failed ? undefined : (exchange(details, transfers) ?? movement(details, transfers))) ??
    tokenCall(details)
  if (known) return known
  const label = methodLabel(tx.method?.methodName, tx.method?.methodHash)
  return {
    did: 'called',
    do: 'call',
    rest: [
      ...(label === '' ? [] : [{ method: label }, ' on ']),
      { party: tx.to },
      ...(tx.value === '0' ? [] : [' with ', { native: tx.value }]),
    ],
  }
}

/** A transaction as one sentence: who did what with whom, and what it cost. */
export function headlineOf(details: TransactionDetails): readonly HeadlinePart[] {
  const tx = details.nativeTransaction
  const { did, do: infinitive, rest } = actionOf(details)
  const fee: HeadlinePart = { native: tx.txFee ?? feeOf(tx) }
  const from: HeadlinePart = { party: tx.from }
  return tx.txStatus === '0'
    ? [from, ` tried to ${infinitive} `, ...rest, '. The transaction failed and cost ', fee, '.']
    : [from, ` ${did} `, ...rest, ' and paid a fee of ', fee, '.']
}

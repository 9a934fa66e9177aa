import type { Approval } from '../../../../contract/evm/approvals.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'

/**
 * Whether an allowance has no limit in practice: nobody ever has half of all the numbers there are. Wallets and contracts write
 * 2^256 − 1, and some tokens subtract what was taken from it.
 */
export const isUnlimited = ({ kind, allowance }: Approval): boolean =>
  kind === 'AMOUNT' && allowance !== undefined && BigInt(allowance) >= 2n ** 255n

/** The approvals of an address in a sentence: who may take something, and what there is no limit for. */
export function summaryOf(approvals: readonly Approval[]): string {
  const count = (isContract: boolean): number =>
    new Set(approvals.filter((each) => each.isContract === isContract).map(({ spender }) => spender.address))
      .size
  const [contracts, accounts] = [count(true), count(false)]
  const who = [
    contracts > 0 && `${formatInteger(contracts)} ${plural(contracts, 'contract')}`,
    accounts > 0 && `${formatInteger(accounts)} ${plural(accounts, 'account')}`,
  ]
    .filter((part) => part !== false)
    .join(' and ')
  const open = approvals.filter((each) => isUnlimited(each) || each.kind === 'COLLECTION').length
  return `${who} may take tokens of this address${open > 0 ? `, ${formatInteger(open)} ${plural(open, 'approval')} without a limit` : ''}.`
}

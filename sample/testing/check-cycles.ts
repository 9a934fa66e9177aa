import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { type PTx } from '../primary/transactions.ts'
import type { Ledger, Staker } from '../primary/ledger.ts'
import { splitReward } from '../../protocol/primary/rewards.ts'
import { maxValidatorStake } from '../../protocol/primary/staking-limits.ts'

/** What the recount tracks for an auto-renewed validator besides its cycle: the sums that former cycles restaked. */
export type Cycles = {
  autoCompoundShares: number
  nextPeriod: number
  own: bigint
  delegatee: bigint
}

/** The end of a cycle according to the recount. */
type Ending = {
  readonly weight: bigint
  readonly reward: bigint
  readonly accrued: bigint
  readonly cycles: Cycles
}

/** Own rewards and those of delegations, in nAVAX. */
type Parts = {
  readonly own: bigint
  readonly delegatee: bigint
}

/** What a cycle pays out and what it restakes; `again` is undefined for the last one. */
export function shareOut(
  { weight, reward, accrued, cycles }: Ending,
  isPaid: boolean,
): { readonly paid: Parts; readonly again: Parts | undefined } {
  if (!isPaid || cycles.nextPeriod === 0) {
    const own = cycles.own + (isPaid ? reward : 0n)
    return { paid: { own, delegatee: cycles.delegatee + accrued }, again: undefined }
  }
  let own = reward - splitReward(reward, cycles.autoCompoundShares).rest
  let delegatee = accrued - splitReward(accrued, cycles.autoCompoundShares).rest
  const excess = weight + own + delegatee - maxValidatorStake
  if (excess > 0n) {
    // Rounded so that the remainder of the division goes to the delegations' part.
    const kept = (own * (maxValidatorStake - weight)) / (own + delegatee)
    delegatee -= excess - (own - kept)
    own = kept
  }
  return { paid: { own: reward - own, delegatee: accrued - delegatee }, again: { own, delegatee } }
}

/**
 * Compares the UTXOs that the ledger has as a cycle's rewards with the recount: amounts, owners, and their index
 * under the id of the transaction that ended the cycle. Returns the problems.
 */
export function cycleProblems(ledger: Ledger, rewardTxId: BareHex, tx: PTx, paid: Parts): readonly string[] {
  const { unsigned } = tx
  if (unsigned.type !== 'AddAutoRenewedValidatorTx') return [`${rewardTxId} ends what is no cycle`]
  const due = [
    { amount: paid.own, owner: unsigned.rewardsOwner },
    { amount: paid.delegatee, owner: unsigned.delegationRewardsOwner },
  ].filter(({ amount }) => amount > 0n)
  const told = ledger.rewardUtxos(rewardTxId)
  const isRight =
    told.length === due.length &&
    told.every(({ txId, outputIndex, assetId, output }, place) => {
      const { amount, owner } = due[place] ?? {}
      return (
        txId === rewardTxId &&
        outputIndex === place &&
        assetId === ledger.ids.avax &&
        output.type === 'TRANSFER' &&
        output.amount === amount &&
        output.owner.threshold === owner?.threshold &&
        output.owner.addresses.join() === owner.addresses.join()
      )
    })
  if (isRight) return []
  return [`the cycle that ${rewardTxId} ended was not paid ${due.map(({ amount }) => amount).join(' and ')}`]
}

/** An active staker according to the recount. */
type Running = Ending & {
  readonly start: number
  readonly end: number
}

/** Whether the ledger's staker equals the recount: period, weight, rewards, and sums of its cycles. */
export function isAsRecounted(
  told: Staker | undefined,
  { start, end, weight, reward, accrued, cycles }: Omit<Running, 'cycles'> & { readonly cycles?: Cycles },
): boolean {
  if (told === undefined) return false
  const { renewal } = told
  return (
    told.start === start &&
    told.end === end &&
    told.weight === weight &&
    told.potentialReward === reward &&
    told.accruedDelegateeReward === accrued &&
    renewal?.restaked === cycles?.own &&
    renewal?.restakedDelegatee === cycles?.delegatee &&
    renewal?.autoCompoundShares === cycles?.autoCompoundShares &&
    renewal?.nextPeriod === cycles?.nextPeriod
  )
}

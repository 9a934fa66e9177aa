import type { FleetChange } from '../../../api/watch/fleets.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'

/** Whether a change is good, bad or neither: a movement between one's own buckets is neither. */
export type ChangeTone = 'good' | 'bad' | 'neutral'

const avax = (amount: string | undefined): string =>
  amount === undefined ? '' : ` ${formatAmount(amount, avaxDecimals, 2)} AVAX`

type Words = { readonly text: string; readonly tone: ChangeTone }

/** What happened to a member, after its name: “lost its connection”. */
export function changeWords(
  change: Pick<FleetChange, 'kind' | 'amount' | 'weight' | 'ruleName' | 'severity'>,
): Words {
  const { kind, amount, weight } = change
  const rule = safeText(change.ruleName ?? '', 80)
  switch (kind) {
    case 'connected':
      return { text: 'is connected again', tone: 'good' }
    case 'disconnected':
      return { text: 'lost its connection', tone: 'bad' }
    case 'validationStarted':
      return { text: 'began a validation', tone: 'good' }
    case 'validationEnded':
      return { text: 'ended its validation', tone: 'neutral' }
    case 'delegationAdded':
      return { text: `was delegated${avax(amount) || ' stake'}`, tone: 'neutral' }
    case 'delegationEnded':
      return {
        text: `had a delegation end${amount === undefined ? '' : `,${avax(amount)}`}`,
        tone: 'neutral',
      }
    case 'rewarded':
      return { text: `was paid${avax(amount) || ' its reward'}`, tone: 'good' }
    case 'l1WeightChanged':
      return {
        text: `has a new L1 weight${weight === undefined ? '' : `, ${formatInteger(String(weight))}`}`,
        tone: 'neutral',
      }
    case 'l1BalanceAdded':
      return {
        text: `had its L1 balance topped up${amount === undefined ? '' : ` by${avax(amount)}`}`,
        tone: 'good',
      }
    case 'l1Deactivated':
      return { text: 'used up its L1 balance and is inactive', tone: 'bad' }
    case 'alarmOpened':
      return { text: `set off “${rule}”`, tone: 'bad' }
    case 'alarmResolved':
      return { text: `no longer sets off “${rule}”`, tone: 'good' }
    default:
      // A newer service may know more kinds.
      return { text: safeText(kind, 40), tone: 'neutral' }
  }
}

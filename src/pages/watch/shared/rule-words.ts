import { watchKindOf } from '../../../../contract/watch/rule-kinds.ts'
import type { WatchRule } from '../../../../contract/watch/rules.ts'
import type { PillState } from '../../../components/pill.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { countText, measuredText } from './words.ts'

type Condition = Pick<WatchRule, 'kind' | 'threshold' | 'samples'>

/** When a rule fires, in a few words: “less than 5 points above the requirement, twice in a row”. */
export function ruleCondition({ kind, threshold, samples }: Condition): string {
  const facts = watchKindOf.get(kind)
  if (!facts) return ''
  if (facts.fires === 'event') return 'at every one'
  const often = samples > 1 ? `, for ${countText(samples, 'sample')} in a row` : ''
  if (facts.threshold === null || threshold === undefined)
    return samples > 1 ? `for ${countText(samples, 'sample')} in a row` : 'at the first sample'
  const side = facts.fires === 'below' ? 'less than' : 'more than'
  return `${side} ${measuredText(threshold, facts.unit)}${often}`
}

/** The worst state that a rule has for any subject. */
export function ruleStanding({ isEnabled, states }: Pick<WatchRule, 'isEnabled' | 'states'>): {
  state: PillState
  text: string
} {
  if (!isEnabled) return { state: 'ended', text: 'off' }
  if (states.firing > 0) return { state: 'failed', text: `${formatInteger(states.firing)} firing` }
  if (states.unknown > 0) return { state: 'stale', text: `${formatInteger(states.unknown)} unknown` }
  if (states.pending > 0) return { state: 'pending', text: `${formatInteger(states.pending)} pending` }
  return states.ok > 0
    ? { state: 'ok', text: `${formatInteger(states.ok)} ok` }
    : { state: 'neutral', text: 'not evaluated yet' }
}

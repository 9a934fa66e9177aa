import { watchKindOf, type WatchKindName, type WatchRuleKind } from '../../../../contract/watch/rule-kinds.ts'
import type { NetworkName } from '../../../api/current.ts'
import type { MemberSources } from '../../../api/watch/fleets.ts'

/** What a person wants to be warned of: a validator, an L1 validator, or the validators that pay a wallet. */
export type WarnSubject = {
  readonly kind: 'validator' | 'l1Validator' | 'wallet'
  readonly network: NetworkName
  readonly id: string
  /** What the subject is called in the name of its rule. */
  readonly name: string
}

/** The kinds of rules that make sense for each subject, the most asked for first. */
const kindsOf: Readonly<Record<WarnSubject['kind'], readonly WatchKindName[]>> = {
  validator: [
    'notConnected',
    'rewardUnreachable',
    'uptimeLow',
    'stakeEnds',
    'delegationEnded',
    'noProposals',
  ],
  l1Validator: ['l1BalanceLow', 'quorumNear'],
  wallet: ['notConnected', 'rewardUnreachable', 'uptimeLow', 'stakeEnds'],
}

/** The facts of these kinds. */
export const conditionsOf = ({ kind }: Pick<WarnSubject, 'kind'>): readonly WatchRuleKind[] =>
  kindsOf[kind].flatMap((name) => watchKindOf.get(name) ?? [])

/** The fleet that warnings about a subject belong to. */
export function fleetFor({ kind, network, id, name }: WarnSubject): {
  name: string
  network: NetworkName
  sources: MemberSources
} {
  return kind === 'wallet'
    ? { name: `Validators of ${name}`, network, sources: { rewardAddresses: [id] } }
    : { name: 'Warnings', network, sources: { members: [{ memberId: id }] } }
}

/** The member that a rule of this kind is about; undefined for all members of its fleet. */
export function memberFor({ kind, id }: WarnSubject, ruleKind: string): string | undefined {
  const isMember = kind === 'validator' || kind === 'l1Validator'
  return isMember && watchKindOf.get(ruleKind)?.subject === (kind === 'validator' ? 'node' : 'l1Validator')
    ? id
    : undefined
}

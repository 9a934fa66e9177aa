import { watchKindOf, type WatchKindName, type WatchRuleKind } from '../../../../contract/watch/rule-kinds.ts'
import type { NetworkName } from '../../../api/current.ts'
import type { MemberSources } from '../../../api/watch/fleets.ts'

/** What a person wants to be warned of by a fleet: a validator, an L1 validator, or the validators that pay a wallet. */
type FleetSubject = {
  readonly kind: 'validator' | 'l1Validator' | 'wallet'
  readonly network: NetworkName
  readonly id: string
  /** What the subject is called in the name of its rule. */
  readonly name: string
}

/** The same of an EVM chain, or of an address of one. */
type EvmSubject =
  | { readonly kind: 'chain'; readonly chainId: string; readonly name: string }
  | { readonly kind: 'address'; readonly chainId: string; readonly address: string; readonly name: string }

/** What a person wants to be warned of. */
export type WarnSubject = FleetSubject | EvmSubject

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
  chain: ['chainQuiet', 'indexerLate', 'nodeSilent'],
  address: ['addressBalanceLow', 'addressBalanceHigh', 'addressReceives', 'addressSends'],
}

/** The facts of these kinds. */
export const conditionsOf = ({ kind }: Pick<WarnSubject, 'kind'>): readonly WatchRuleKind[] =>
  kindsOf[kind].flatMap((name) => watchKindOf.get(name) ?? [])

/** The fleet that warnings about a subject belong to; undefined for what is in no fleet. */
export function fleetFor(
  subject: WarnSubject,
): { name: string; network: NetworkName; sources: MemberSources } | undefined {
  if (subject.kind === 'chain' || subject.kind === 'address') return undefined
  const { kind, network, id, name } = subject
  return kind === 'wallet'
    ? { name: `Validators of ${name}`, network, sources: { rewardAddresses: [id] } }
    : { name: 'Warnings', network, sources: { members: [{ memberId: id }] } }
}

/** What restricts a rule of this kind to the subject, as fields of a rule's form. */
export function targetOf(
  subject: WarnSubject,
  ruleKind: string,
): { memberId?: string; chainId?: string; address?: string } {
  switch (subject.kind) {
    case 'chain':
      return { chainId: subject.chainId }
    case 'address':
      return { chainId: subject.chainId, address: subject.address }
    case 'wallet':
      return {}
    default: {
      const isAbout =
        watchKindOf.get(ruleKind)?.subject === (subject.kind === 'validator' ? 'node' : 'l1Validator')
      return isAbout ? { memberId: subject.id } : {}
    }
  }
}

import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import { quietHours, type QuietHours } from '../../contract/watch/rules.ts'
import { cb58, nodeIdText } from '../../protocol/ids/text.ts'
import { primaryChainOf } from '../primary/chains.ts'
import type { MemberRow, RuleRow, SilenceRow } from '../store/watch/read-rules.ts'
import type { Limits, Subject } from './evaluate.ts'

/** A rule as the evaluation needs it. */
export type WatchedRule = Limits & {
  readonly id: string
  readonly name: string
  readonly samples: number
  readonly severity: string
  readonly repeatSeconds: number
  readonly quiet: QuietHours | null
  readonly channels: readonly string[]
  readonly fleet: string | undefined
  readonly fleetName: string | undefined
  readonly chain: number | undefined
  readonly network: string | undefined
  /** The text of the id of the only member that it is for. */
  readonly member: string | undefined
  /** The id of the only EVM chain that it is for. */
  readonly evmChain: string | undefined
  /** 0x text in lower case. */
  readonly address: string | undefined
  readonly revision: string
  readonly isEnabled: boolean
}

/** The text of the id of a member: a node id, or a validation id. */
export const memberText = (id: Buffer): string => (id.length === 20 ? nodeIdText(id) : cb58(id))

export function ruleOf(row: RuleRow): WatchedRule {
  const quiet = quietHours.safeParse(row.quiet)
  return {
    id: row.rule,
    name: row.name,
    kind: row.kind,
    threshold: row.threshold ?? undefined,
    hysteresis: row.hysteresis,
    samples: row.samples,
    severity: row.severity,
    repeatSeconds: row.repeat_seconds,
    quiet: quiet.success ? quiet.data : null,
    channels: row.channels === '' ? [] : row.channels.split(','),
    fleet: row.fleet ?? undefined,
    fleetName: row.fleet_name ?? undefined,
    chain: row.chain ?? undefined,
    network: row.chain === null ? undefined : primaryChainOf(row.chain).network,
    member: row.member === null ? undefined : memberText(row.member),
    evmChain: row.evm_chain?.toString(),
    address: row.address === null ? undefined : `0x${row.address.toString('hex')}`,
    revision: row.revision.toString(),
    isEnabled: row.enabled,
  }
}

/** A member of a fleet; `id` is the text of the bytes. */
export type Member = {
  readonly id: string
  readonly bytes: Buffer
  readonly isNode: boolean
  readonly label: string
}

export const memberOf = (row: MemberRow, textOf = memberText): Member => ({
  id: textOf(row.id),
  bytes: row.id,
  isNode: row.id.length === 20,
  label: row.label,
})

/** What ties members to their L1 validations and nodes; the texts of the ids. */
export type L1Ties = readonly {
  readonly validationId: string
  readonly nodeId: string
  readonly subnetId: string
}[]

/** The id of an address as a subject. */
export const addressId = (chain: string, address: string): string => `${chain}:${address}`

/** What an address is called in alarms. */
export const addressName = (address: string, chainName: string): string =>
  `${address.slice(0, 10)}…${address.slice(-6)} on ${chainName}`

/** Kinds that also make sense for the node of an L1 validator. */
const anyNode: ReadonlySet<string> = new Set(['notConnected', 'versionBehind'])

/**
 * The subjects of a rule: the nodes, L1 validations or L1s of the members of its fleet, parts of the service, or an
 * address. Each once, in the order of the members.
 */
export function subjectsOf(
  rule: WatchedRule,
  members: readonly Member[],
  ties: L1Ties,
  service: {
    readonly chains: Readonly<Record<string, { name: string; network?: string; sampleSeconds?: number }>>
    readonly networks: readonly string[]
  },
): Subject[] {
  const { network, evmChain, address } = rule
  const isOurs = (name: string | undefined): boolean => network === undefined || name === network
  const isChain = (id: string): boolean => evmChain === undefined || id === evmChain
  switch (watchKindOf.get(rule.kind)?.subject) {
    case 'service':
      return [{ kind: 'service', id: 'service' }]
    case 'network':
      return [
        ...service.networks
          .filter((id) => evmChain === undefined && isOurs(id))
          .map((id): Subject => ({ kind: 'network', id, network: id })),
        // The node of an EVM chain may be another one than that of its network.
        ...Object.entries(service.chains)
          .filter(
            ([id, { network: of, sampleSeconds }]) =>
              sampleSeconds !== undefined && isOurs(of) && isChain(id),
          )
          .map(([id, { name }]): Subject => ({ kind: 'chain', id, name })),
      ]
    case 'chain':
      return Object.entries(service.chains)
        .filter(([id, chain]) => isOurs(chain.network) && isChain(id))
        .map(([id, { name }]) => ({ kind: 'chain', id, name }))
    case 'address': {
      if (evmChain === undefined || address === undefined) return []
      const name = addressName(address, service.chains[evmChain]?.name ?? evmChain)
      return [{ kind: 'address', id: addressId(evmChain, address), name }]
    }
    case undefined:
      return []
  }
  const found = new Map<string, Subject>()
  const add = (subject: Subject): void => {
    if (!found.has(subject.id)) found.set(subject.id, { ...subject, network })
  }
  const subject = watchKindOf.get(rule.kind)?.subject
  for (const member of members) {
    if (rule.member !== undefined && member.id !== rule.member) continue
    const name = member.label === '' ? undefined : member.label
    const own = ties.filter((tie) => (member.isNode ? tie.nodeId : tie.validationId) === member.id)
    if (subject === 'node') {
      if (member.isNode) add({ kind: 'node', id: member.id, name, nodeId: member.id })
      else if (anyNode.has(rule.kind)) {
        for (const { nodeId } of own) add({ kind: 'node', id: nodeId, name, nodeId })
      }
    } else if (subject === 'l1Validator') {
      for (const { validationId, nodeId } of own) add({ kind: 'l1Validator', id: validationId, name, nodeId })
      if (!member.isNode && own.length === 0) add({ kind: 'l1Validator', id: member.id, name })
    } else {
      for (const { subnetId } of own) add({ kind: 'subnet', id: subnetId })
    }
  }
  return [...found.values()]
}

/** A silence in texts. */
export type Silence = {
  readonly fleet: string | undefined
  readonly rule: string | undefined
  readonly member: string | undefined
  readonly from: number
  readonly to: number
}

export const silenceOf = (row: SilenceRow): Silence => ({
  fleet: row.fleet ?? undefined,
  rule: row.rule ?? undefined,
  member: row.member === null ? undefined : memberText(row.member),
  from: Number(row.start_ts),
  to: Number(row.end_ts),
})

/** Whether a silence covers a subject of a rule now. A node is also silenced at its L1 validations. */
export function isSilenced(
  silences: readonly Silence[],
  rule: { readonly id: string; readonly fleet: string | undefined },
  subject: Subject,
  now: number,
): boolean {
  return silences.some(
    (silence) =>
      silence.from <= now &&
      now < silence.to &&
      (silence.fleet === undefined || silence.fleet === rule.fleet) &&
      (silence.rule === undefined || silence.rule === rule.id) &&
      (silence.member === undefined || silence.member === subject.id || silence.member === subject.nodeId),
  )
}

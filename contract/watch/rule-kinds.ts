/** The unit of a rule's threshold and of what it measures. */
type WatchUnit =
  'percent' | 'percentagePoints' | 'samples' | 'seconds' | 'events' | 'blocks' | 'versions' | 'nativeTokens'

/** The subject of a rule of a kind; a kind is for a fleet, for the service, or for an address of an EVM chain. */
export type WatchRuleKind = {
  readonly kind: string
  readonly scope: 'fleet' | 'service' | 'address'
  readonly subject: 'node' | 'l1Validator' | 'subnet' | 'chain' | 'network' | 'service' | 'address'
  readonly title: string
  /** What fires it, in a sentence. */
  readonly summary: string
  /** The measured value, and how it is compared: it fires below or above the threshold. */
  readonly unit: WatchUnit
  readonly fires: 'below' | 'above' | 'event'
  /** What the threshold means; null for kinds without one. */
  readonly threshold: {
    readonly title: string
    readonly default: number
    readonly min: number
    readonly max: number
  } | null
  /** Fires again and resolves only beyond the threshold by this much; null where there is no hysteresis. */
  readonly hysteresis: { readonly default: number; readonly max: number } | null
  /** Samples in a row that must agree before it fires. */
  readonly defaultSamples: number
  readonly defaultSeverity: 'info' | 'warning' | 'critical'
}

const day = 86_400

/** Every kind of rule, in the order in which a form offers them. */
export const watchRuleKinds = [
  {
    kind: 'notConnected',
    scope: 'fleet',
    subject: 'node',
    title: 'Not connected',
    summary: 'The configured node has no connection to the validator for a number of samples.',
    unit: 'samples',
    fires: 'above',
    threshold: null,
    hysteresis: null,
    defaultSamples: 2,
    defaultSeverity: 'critical',
  },
  {
    kind: 'uptimeLow',
    scope: 'fleet',
    subject: 'node',
    title: 'Uptime near the requirement',
    summary: 'The uptime is less than this margin above what the reward needs.',
    unit: 'percentagePoints',
    fires: 'below',
    threshold: { title: 'Margin in percentage points', default: 5, min: 0, max: 50 },
    hysteresis: { default: 0.5, max: 20 },
    defaultSamples: 1,
    defaultSeverity: 'warning',
  },
  {
    kind: 'rewardUnreachable',
    scope: 'fleet',
    subject: 'node',
    title: 'Reward out of reach',
    summary:
      'Even without a further interruption until the end, the uptime stays less than this margin above the requirement.',
    unit: 'percentagePoints',
    fires: 'below',
    threshold: { title: 'Margin in percentage points', default: 0, min: 0, max: 20 },
    hysteresis: { default: 0.1, max: 20 },
    defaultSamples: 1,
    defaultSeverity: 'critical',
  },
  {
    kind: 'stakeEnds',
    scope: 'fleet',
    subject: 'node',
    title: 'Stake ends soon',
    summary: 'The validation ends within this time, and does not renew itself.',
    unit: 'seconds',
    fires: 'below',
    threshold: { title: 'Time left', default: 3 * day, min: 60, max: 365 * day },
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'warning',
  },
  {
    kind: 'delegationAdded',
    scope: 'fleet',
    subject: 'node',
    title: 'Delegation added',
    summary: 'Someone delegated to the validator.',
    unit: 'events',
    fires: 'event',
    threshold: null,
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'info',
  },
  {
    kind: 'delegationEnded',
    scope: 'fleet',
    subject: 'node',
    title: 'Delegation ended',
    summary: 'A delegation to the validator ended.',
    unit: 'events',
    fires: 'event',
    threshold: null,
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'info',
  },
  {
    kind: 'l1BalanceLow',
    scope: 'fleet',
    subject: 'l1Validator',
    title: 'L1 balance runs out',
    summary: 'The balance of the L1 validator lasts less than this at the present fee.',
    unit: 'seconds',
    fires: 'below',
    threshold: { title: 'Time left', default: 7 * day, min: 60, max: 365 * day },
    hysteresis: { default: 3_600, max: 30 * day },
    defaultSamples: 1,
    defaultSeverity: 'critical',
  },
  {
    kind: 'quorumNear',
    scope: 'fleet',
    subject: 'subnet',
    title: 'L1 near its quorum',
    summary: 'The weight of the connected validators is less than this margin above the quorum of 67 %.',
    unit: 'percentagePoints',
    fires: 'below',
    threshold: { title: 'Margin in percentage points', default: 8, min: 0, max: 33 },
    hysteresis: { default: 1, max: 20 },
    defaultSamples: 2,
    defaultSeverity: 'critical',
  },
  {
    kind: 'noProposals',
    scope: 'fleet',
    subject: 'node',
    title: 'No block proposed',
    summary:
      'The validator has proposed no P-Chain block since so many were expected of it by its share of the stake.',
    unit: 'blocks',
    fires: 'above',
    threshold: { title: 'Blocks expected since its last one', default: 10, min: 1, max: 1_000 },
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'warning',
  },
  {
    kind: 'versionBehind',
    scope: 'fleet',
    subject: 'node',
    title: 'Client version behind',
    summary: 'At least this share of the network’s peers runs a newer version than the validator.',
    unit: 'percent',
    fires: 'above',
    threshold: { title: 'Share of newer peers in percent', default: 50, min: 1, max: 100 },
    hysteresis: { default: 5, max: 50 },
    defaultSamples: 2,
    defaultSeverity: 'warning',
  },
  {
    kind: 'indexerLate',
    scope: 'service',
    subject: 'chain',
    title: 'Indexer late',
    summary:
      'The service is this far behind a node’s head, the node has been silent for this time, or the indexer has stopped.',
    unit: 'seconds',
    fires: 'above',
    threshold: { title: 'Delay', default: 120, min: 10, max: 30 * day },
    hysteresis: null,
    defaultSamples: 2,
    defaultSeverity: 'warning',
  },
  {
    kind: 'chainQuiet',
    scope: 'service',
    subject: 'chain',
    title: 'No new block',
    summary:
      'The newest block of the chain is older than this. Chains that make a block only for a transaction may be quiet for long.',
    unit: 'seconds',
    fires: 'above',
    threshold: { title: 'Age of the newest block', default: 600, min: 10, max: 30 * day },
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'critical',
  },
  {
    kind: 'nodeSilent',
    scope: 'service',
    subject: 'network',
    title: 'Node silent',
    summary:
      'The node of a network or of an EVM chain has not answered for this time, at least for two sampling intervals, or sees almost no validator.',
    unit: 'seconds',
    fires: 'above',
    threshold: { title: 'Silence', default: 60, min: 10, max: day },
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'critical',
  },
  {
    kind: 'diskFull',
    scope: 'service',
    subject: 'service',
    title: 'Disk nearly full',
    summary: 'Less than this share of the disk with the home folder is free.',
    unit: 'percent',
    fires: 'below',
    threshold: { title: 'Free space in percent', default: 10, min: 1, max: 100 },
    hysteresis: { default: 2, max: 50 },
    defaultSamples: 2,
    defaultSeverity: 'warning',
  },
  {
    kind: 'addressBalanceLow',
    scope: 'address',
    subject: 'address',
    title: 'Balance low',
    summary: 'The address holds less than this of the chain’s native token.',
    unit: 'nativeTokens',
    fires: 'below',
    threshold: { title: 'Balance', default: 1, min: 0.000001, max: 1_000_000_000 },
    hysteresis: { default: 0, max: 1_000_000_000 },
    defaultSamples: 1,
    defaultSeverity: 'warning',
  },
  {
    kind: 'addressBalanceHigh',
    scope: 'address',
    subject: 'address',
    title: 'Balance high',
    summary: 'The address holds this much of the chain’s native token, or more.',
    unit: 'nativeTokens',
    fires: 'above',
    threshold: { title: 'Balance', default: 1_000, min: 0.000001, max: 1_000_000_000 },
    hysteresis: { default: 0, max: 1_000_000_000 },
    defaultSamples: 1,
    defaultSeverity: 'info',
  },
  {
    kind: 'addressSends',
    scope: 'address',
    subject: 'address',
    title: 'Transaction sent',
    summary: 'The address sent a transaction.',
    unit: 'events',
    fires: 'event',
    threshold: null,
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'info',
  },
  {
    kind: 'addressReceives',
    scope: 'address',
    subject: 'address',
    title: 'Funds received',
    summary: 'The address received the native token, a token or an NFT.',
    unit: 'events',
    fires: 'event',
    threshold: null,
    hysteresis: null,
    defaultSamples: 1,
    defaultSeverity: 'info',
  },
] as const satisfies readonly WatchRuleKind[]

export type WatchKindName = (typeof watchRuleKinds)[number]['kind']

export const watchKindNames = watchRuleKinds.map(({ kind }) => kind)

/** The facts of a kind by its name. */
export const watchKindOf: ReadonlyMap<string, WatchRuleKind> = new Map(
  watchRuleKinds.map((each) => [each.kind, each]),
)

/** Whether rules of a kind may be for one EVM chain. */
export function mayBeForChain(kind: string): boolean {
  const subject = watchKindOf.get(kind)?.subject
  return subject === 'chain' || subject === 'network' || subject === 'address'
}

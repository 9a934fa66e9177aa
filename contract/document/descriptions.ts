import { commonFields } from './common-fields.ts'
import { evmFields } from './evm-fields.ts'
import { primaryFields } from './primary-fields.ts'

/**
 * The descriptions, with units, of the fields that the contract does not describe where it defines them: by name, and by
 * `Record.field` where the same name means something else. Only the document has them: the pages would load them with
 * the operations.
 */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  ...commonFields,
  ...evmFields,
  ...primaryFields,
}

/** The same of the parameters, by name or by `operation.parameter`. */
export const parameterDescriptions: Readonly<Record<string, string>> = {
  address: 'A contract or an account: 0x and 40 hex digits',
  blockchainId: 'The ID of a blockchain (cb58)',
  breakdown: 'What is broken down',
  chain: 'p-chain or x-chain',
  chart: 'The name of the chart',
  days: 'The number of days of chain time that count',
  feedToken: 'The token in the path of the feed, as `feedPath` of a fleet has it',
  format: 'The form of the answer',
  includesEnded: 'Whether to include silences that have ended',
  isOpen: 'Only open alarms, or only closed ones',
  maxDelegationCapacity: 'The highest capacity, in nAVAX',
  maxUptimePerformance: 'The highest uptime, in percent',
  memberId: 'Only this member: a node ID, or a validation ID of an L1',
  metric: 'The name of the metric',
  minDelegationCapacity: 'The lowest capacity, in nAVAX',
  minUptimePerformance: 'The lowest uptime, in percent',
  network: 'The network; testnet is another name of fuji',
  'listChains.network': 'Only chains of this network',
  'listChainTraffic.network': 'Only chains of this network',
  'listLargestTraffic.network': 'Only chains of this network',
  'listWatchFleets.network': 'Only fleets of this network',
  nodeId: 'The ID of a node: NodeID- and cb58',
  query: 'A height, hash, address, name or ID, or the beginning of one',
  severity: 'Only alarms of this severity',
  sortBy: 'What to sort by; the largest comes first',
  state: 'Only this state',
  status: 'Only messages of this status',
  subnetId: 'The ID of a subnet (cb58)',
  table: 'The name of the table',
  theme: 'The colours: light or dark',
  timeInterval: 'The length of a period',
  tokenId: 'The ID of the token, in decimal digits',
  txHash: 'The hash of the transaction: 0x and 64 hex digits',
  validationId: 'The ID of a validation of an L1 (cb58)',
  vertexHash: 'The ID of a vertex (cb58)',
}

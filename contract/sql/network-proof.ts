import type { NetworkMetricName } from '../metrics/network-catalogue.ts'
import { statementOf, type Statement } from './metric-proof.ts'

/** The period that is counted: from its start to before its end, or to the second after the head. */
type ProvenPeriod = { readonly network: string; readonly start: number; readonly end: number }

const primary = '11111111111111111111111111111111LpoYY'
const moment = (seconds: number): string =>
  `timestamp '${new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')}'`

type Rows = (period: ProvenPeriod) => Parameters<typeof statementOf>[0]

/** Delegations of the primary network. The periods of a validator that renews itself are not in the table. */
const delegations =
  (amount: string, when: (start: string, end: string) => string): Rows =>
  ({ network, start, end }) => ({
    rows: `select tx_id as place, tx_id, weight from stakers
  where network = '${network}' and is_delegator and subnet_id = '${primary}'
    and ${when(moment(start), moment(end))}`,
    form: ['tx_id', 'weight'],
    amount,
  })

const running = (_start: string, end: string): string =>
  `start_time < ${end} and (ended_time is null or ended_time >= ${end})`
const within =
  (column: string) =>
  (start: string, end: string): string =>
    `${column} >= ${start} and ${column} < ${end}`

const rewards =
  (...types: string[]): Rows =>
  ({ network, start, end }) => ({
    rows: `select row(height, staking_tx_id, type) as place, height, staking_tx_id, type, amount
  from rewards join (select network, tx_id as staking_tx_id from stakers where subnet_id = '${primary}')
    using (network, staking_tx_id)
  where network = '${network}' and type in (${types.map((type) => `'${type}'`).join(', ')})
    and ${within('time')(moment(start), moment(end))}`,
    form: ['height', 'staking_tx_id', 'type', 'amount'],
    amount: 'sum(amount)',
  })

/** The series of a network whose rows are in the tables of docs/sql.md. */
const provable: Partial<Record<NetworkMetricName, Rows>> = {
  delegatedStake: delegations('sum(weight)', running),
  delegations: delegations('count(*)', running),
  delegationsEntered: delegations('count(*)', within('start_time')),
  delegationsLeft: delegations('count(*)', within('ended_time')),
  rewardsPaid: rewards('VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE'),
  validatorRewardsPaid: rewards('VALIDATOR'),
  delegatorRewardsPaid: rewards('DELEGATOR'),
  delegationFeesPaid: rewards('VALIDATOR_FEE'),
}

/** Whether a series of a network can be counted again by SQL. */
export const isProvable = (metric: string): metric is NetworkMetricName => Object.hasOwn(provable, metric)

/** The statement that counts a period of a network's metric again; undefined if its rows are in no table. */
export const networkProofOf = (metric: NetworkMetricName, period: ProvenPeriod): Statement | undefined => {
  const rows = provable[metric]
  return rows && statementOf(rows(period))
}

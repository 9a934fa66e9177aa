/** What a chart says of itself wherever it is drawn: on its page, in its picture, and where a link to its page is shared. */
type ChartWords = {
  readonly title: string
  /** What its values are. */
  readonly about?: string
  /** Said in its place if there is nothing to draw. */
  readonly empty: string
}

const inRange = (what: string): string => `${what} in this range`
const ends = 'at the end of each period'

/** The charts of a token, by day. */
export const tokenCharts = {
  supply: {
    title: 'Supply',
    about: 'at the end of the day: minted minus burned',
    empty: inRange('No transfers'),
  },
  holders: {
    title: 'Holders',
    about: 'addresses with a balance at the end of the day',
    empty: inRange('No transfers'),
  },
  transfers: {
    title: 'Transfers',
    about: 'movements of the day, mints and burns too',
    empty: inRange('No transfers'),
  },
} as const satisfies Record<string, ChartWords>

/** The holders of a token by the size of their balance. */
export const tokenSpreadChart = {
  title: 'Distribution of balances',
  empty: 'No current holders',
} as const satisfies ChartWords

/** The active validators of the primary network, in bins. */
export const validatorSpreadCharts = {
  stake: {
    title: 'Validators by stake',
    about: 'stake, own and delegated, in AVAX',
    empty: 'No active validators',
  },
  uptime: {
    title: 'Validators by uptime',
    about: 'uptime in % of the validation so far, as the node sees it',
    empty: 'No active validators',
  },
} as const satisfies Record<string, ChartWords>

/** The charts of a validator of the primary network. */
export const validatorCharts = {
  stake: {
    title: 'Delegated and own stake',
    about: `on the Primary Network, ${ends}`,
    empty: inRange('No stake'),
  },
  delegations: { title: 'Delegations', about: `that run ${ends}`, empty: inRange('No stake') },
  uptime: {
    title: 'Uptime',
    about: 'of the validation so far, as the configured node saw it when it was last asked in each period',
    empty: inRange('No samples'),
  },
} as const satisfies Record<string, ChartWords>

/** The charts of an L1 validator. */
export const l1ValidatorCharts = {
  balance: { title: 'Balance', about: ends, empty: inRange('Not registered') },
  weight: { title: 'Weight', about: ends, empty: inRange('Not registered') },
} as const satisfies Record<string, ChartWords>

/** What is locked or staked, by when it becomes free. */
export const unlocksChart = {
  title: 'What becomes free',
  empty: 'Nothing is locked or staked',
} as const satisfies ChartWords

/** The graph of the vertices of the X-Chain. */
export const verticesChart = {
  title: 'Vertices of the X-Chain',
  empty: 'There are no vertices',
} as const satisfies ChartWords

/** A metric by hour of the week. */
export const weekChart = {
  titleOf: (metric: string): string => `${metric} by hour of the week`,
  /** What its values are; `symbol` is that of their unit. */
  aboutOf: (symbol: string): string =>
    `average ${symbol === '' ? '' : `${symbol} `}per hour, last 90 days, UTC`,
} as const

/** The number of addresses that are new to the chain, and to the hour, day, week and month of the block. */
export type NewAddresses = {
  readonly ever: number
  readonly hour: number
  readonly day: number
  readonly week: number
  readonly month: number
}

/** The values of a block from which running sums are computed. */
export type BlockAmounts = {
  readonly txCount: number
  readonly gasUsed: number
  readonly fees: bigint
  /** Sum of the effective gas prices. */
  readonly gasPrices: bigint
  /** Sum of gas used times what the effective gas price exceeds the base fee by. */
  readonly priorityFees: bigint
  readonly failedCount: number
  readonly contractCount: number
  readonly logCount: number
  /** Token movements in the logs. */
  readonly movements: number
  readonly header: { readonly baseFee: bigint | undefined; readonly gasLimit: bigint }
}

/** A block's new addresses by role: participants, senders, contract creators. */
export type BlockAddresses = Readonly<Record<'parties' | 'senders' | 'deployers', NewAddresses>>

/**
 * The running sums of a block row, by column: each covers all blocks of the chain up to this one. The
 * functions return the amount that a block adds.
 */
export const additions = {
  cum_txs: ({ txCount }) => txCount,
  cum_gas: ({ gasUsed }) => gasUsed,
  cum_fees: ({ fees }) => fees,
  cum_burned: ({ gasUsed, header }) => (header.baseFee ?? 0n) * BigInt(gasUsed),
  cum_priority: ({ priorityFees }) => priorityFees,
  cum_gas_limit: ({ header }) => header.gasLimit,
  cum_failed: ({ failedCount }) => failedCount,
  cum_gas_price: ({ gasPrices }) => gasPrices,
  cum_addresses: (_, { parties }) => parties.ever,
  cum_contracts: ({ contractCount }) => contractCount,
  cum_deployers: (_, { deployers }) => deployers.ever,
  cum_transfers: ({ movements }) => movements,
  cum_logs: ({ logCount }) => logCount,
  cum_hour_addresses: (_, { parties }) => parties.hour,
  cum_day_addresses: (_, { parties }) => parties.day,
  cum_week_addresses: (_, { parties }) => parties.week,
  cum_month_addresses: (_, { parties }) => parties.month,
  cum_hour_senders: (_, { senders }) => senders.hour,
  cum_day_senders: (_, { senders }) => senders.day,
  cum_week_senders: (_, { senders }) => senders.week,
  cum_month_senders: (_, { senders }) => senders.month,
  cum_day_deployers: (_, { deployers }) => deployers.day,
} satisfies Record<`cum_${string}`, (block: BlockAmounts, addresses: BlockAddresses) => bigint | number>

export type SumColumn = keyof typeof additions
export const sumColumns = Object.keys(additions) as SumColumn[]

import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../kernel/settings/config.ts'
import { openPriceFile } from './file.ts'
import { createPriceSource } from './http.ts'
import type { PriceOf, Prices } from './prices.ts'

const nothingPriced: PriceOf = () => undefined

/** Opens the configured `prices`. Throws a SettingsError for an invalid file. */
export function openPrices(config: Pick<Config, 'prices'>, logger: Pick<FastifyBaseLogger, 'warn'>): Prices {
  const { prices } = config
  if (prices === undefined) return { label: undefined, on: async () => nothingPriced }
  return 'file' in prices ? openPriceFile(prices.file, logger) : createPriceSource(prices, logger)
}

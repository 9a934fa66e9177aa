import { DAY } from '../../../charts/series/periods.ts'
import { figureText } from '../../../charts/series/units.ts'

/** Transactions a second, the mean of 24 hours, with three digits. */
export const dayRate = (count: string | number): string =>
  figureText(Number(count) / DAY, { symbol: '', decimals: 0 })

import { formatNumber } from './amounts.ts'
import { formatDuration } from './time.ts'

/** The time from block to block, in seconds, in words: to a tenth below 100 s, `1.6 s`; in whole units above, `58 min`. */
export const blockTimeText = (seconds: number): string =>
  seconds < 100 ? `${formatNumber(seconds, 1)} s` : formatDuration(Math.round(seconds))

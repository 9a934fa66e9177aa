import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import type { PillState } from '../../../components/pill.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { isLost, isRunningOut, isUnder } from './sentence.ts'

export const connectedText = ({ isConnected }: WatchFleetRow): string | undefined =>
  isConnected === undefined ? undefined : isConnected ? 'connected' : 'not connected'

/** The worst that is the matter with a member, in a word or two; `title` names its alarms. */
export function stateOf(row: WatchFleetRow): { state: PillState; text: string; title?: string } {
  const { alarms, isConnected } = row
  const silenced = alarms.filter(({ isSilenced }) => isSilenced).length
  const title = alarms.map(({ ruleName, severity }) => `${ruleName} (${severity})`).join('\n')
  if (alarms.length > silenced)
    return { state: 'failed', text: `${formatInteger(alarms.length - silenced)} firing`, title }
  if (silenced > 0) return { state: 'ended', text: `${formatInteger(silenced)} silenced`, title }
  // Before a lost reward: it can still be ended.
  if (isConnected === false) return { state: 'lost', text: 'not connected' }
  if (isLost(row)) return { state: 'failed', text: 'reward lost' }
  if (isConnected === undefined) return { state: 'stale', text: 'unknown' }
  if (isUnder(row)) return { state: 'late', text: 'uptime too low' }
  return isRunningOut(row) ? { state: 'late', text: 'runs out soon' } : { state: 'ok', text: 'connected' }
}

import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { nameOf } from '../shared/names.ts'

/** The name of a member: its label, else its shortened id. */
export const memberName = ({ memberId, label }: Pick<WatchFleetRow, 'memberId' | 'label'>): string =>
  nameOf(memberId, label)

import { useQuery } from '@tanstack/react-query'
import { useOffers } from '../../../api/current.ts'
import { addMembers, createFleet, fleetsQuery } from '../../../api/watch/fleets.ts'
import { summaryQuery } from '../../../api/watch/summary.ts'
import { useStore } from '../../../components/hooks.ts'
import { MenuPopup, type MenuEntry, type PopupProps } from '../../../components/overlays/popups.tsx'
import { labels } from '../../../lib/storage/labels.ts'
import { watchUse } from '../../../lib/storage/watch-use.ts'
import { safeText } from '../../../lib/text.ts'
import { addedText } from '../../watch/shared/members.ts'
import { nameOf } from '../../watch/shared/names.ts'
import { feedPath, seriesPath } from '../validators/feeds.ts'
import type { Node } from './node.ts'

/** The fleet that has the validator now, and what is said of that on its page. */
type Added = { readonly fleetId: string; readonly said?: string }
/** Adds the validator to a fleet, or to a new one. */
export type Add = (signal: AbortSignal) => Promise<Added>

/** The entries for fleets; only browsers that use the watch have them. */
function useFleetEntries({ network, nodeId }: Node, onAdd: (add: Add) => void): readonly MenuEntry[] {
  const isFollowed = useStore(watchUse, (use) => use.isFollowed)
  const offered = useOffers('getWatchSummary') && isFollowed
  const mayWrite = useQuery({ ...summaryQuery(), enabled: offered }).data?.mayWrite ?? false
  const fleets = useQuery({ ...fleetsQuery(), enabled: mayWrite }).data
  const label = useStore(labels, (all) => all[nodeId])
  if (!mayWrite) return []
  const members = [{ memberId: nodeId, ...(label !== undefined && { label }) }]
  const entry = (text: string, add: Add): MenuEntry => ({
    kind: 'action',
    label: text,
    onSelect: () => onAdd(add),
  })
  return [
    { kind: 'heading', label: 'Add to a fleet' },
    ...(fleets ?? [])
      .filter((fleet) => fleet.network === network)
      .map(({ fleetId, name }) =>
        entry(safeText(name), async (signal) => ({
          fleetId,
          said: addedText(await addMembers(fleetId, { members }, signal)),
        })),
      ),
    entry('New fleet', async (signal) => {
      const { fleet } = await createFleet({ name: nameOf(nodeId, label), network, members }, signal)
      return { fleetId: fleet.fleetId }
    }),
  ]
}

/** The open menu of what is rarely done with a validator. */
export function MorePopup({ onAdd, ...node }: Node & { onAdd: (add: Add) => void } & PopupProps) {
  const { network, nodeId, ...popup } = node
  const fleets = useFleetEntries({ network, nodeId }, onAdd)
  const open = (path: string) => () => location.assign(path)
  const programs: readonly MenuEntry[] = [
    { kind: 'heading', label: 'For programs' },
    { kind: 'action', label: 'Prometheus series', onSelect: open(seriesPath(network, [nodeId])) },
    { kind: 'action', label: 'JSON feed', onSelect: open(feedPath(network, nodeId)) },
  ]
  return <MenuPopup {...popup} entries={[...fleets, ...programs]} />
}

import { useStore } from '../../components/hooks.ts'
import type { MenuEntry } from '../../components/overlays/menu-popup.tsx'
import { settings, type Settings } from '../../lib/storage/settings.ts'

const set = (part: Partial<Settings>) => (): void => settings.set((now) => ({ ...now, ...part }))

/** The entries for the time zone and the time format of lists. */
export function useEntries(): MenuEntry[] {
  const { zone, times } = useStore(settings)
  return [
    { kind: 'heading', label: 'Time zone' },
    { kind: 'radio', label: 'UTC', checked: zone === 'utc', onSelect: set({ zone: 'utc' }) },
    { kind: 'radio', label: 'Local time', checked: zone === 'local', onSelect: set({ zone: 'local' }) },
    { kind: 'heading', label: 'In lists' },
    { kind: 'radio', label: 'Age', checked: times === 'age', onSelect: set({ times: 'age' }) },
    {
      kind: 'radio',
      label: 'Date and time',
      checked: times === 'absolute',
      onSelect: set({ times: 'absolute' }),
    },
  ]
}

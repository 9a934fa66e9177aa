import { useStore } from '../../components/hooks.ts'
import { MoonIcon, SunIcon, SystemIcon } from '../../components/icons.ts'
import type { MenuEntry } from '../../components/overlays/menu-popup.tsx'
import { applyTheme, settings, type Settings } from '../../lib/storage/settings.ts'

/** Sets a theme and applies it at once. */
export function chooseTheme(theme: Settings['theme']): void {
  settings.set((now) => ({ ...now, theme }))
  applyTheme(theme)
}

const themes = [
  { id: 'system', label: 'As the system', icon: SystemIcon },
  { id: 'light', label: 'Light', icon: SunIcon },
  { id: 'dark', label: 'Dark', icon: MoonIcon },
] as const

/** The menu's entries for themes. */
export function useEntries(): MenuEntry[] {
  const theme = useStore(settings, (all) => all.theme)
  return themes.map((one) => ({
    kind: 'radio',
    label: one.label,
    icon: <one.icon />,
    checked: one.id === theme,
    onSelect: () => chooseTheme(one.id),
  }))
}

import { ClockIcon, GlobeIcon, MoonIcon, SunIcon, SystemIcon } from '../../components/icons.ts'
import { useStore } from '../../components/hooks.ts'
import { Menu, type MenuEntry } from '../../components/menu.tsx'
import { applyTheme, settings, type Settings } from '../../lib/settings.ts'

/** Chooses a theme and applies it at once. */
export function chooseTheme(theme: Settings['theme']): void {
  settings.set((now) => ({ ...now, theme }))
  applyTheme(theme)
}

const themes = [
  { id: 'system', label: 'As the system', icon: SystemIcon },
  { id: 'light', label: 'Light', icon: SunIcon },
  { id: 'dark', label: 'Dark', icon: MoonIcon },
] as const

/** Theme and times, for the top bar. */
export function Preferences() {
  const { theme, zone, times } = useStore(settings)
  const Shape = themes.find((one) => one.id === theme)?.icon ?? SystemIcon
  const timeEntries = (): MenuEntry[] => [
    { kind: 'heading', label: 'Time zone' },
    {
      kind: 'radio',
      label: 'UTC',
      checked: zone === 'utc',
      onSelect: () => settings.set((now) => ({ ...now, zone: 'utc' })),
    },
    {
      kind: 'radio',
      label: 'Local time',
      checked: zone === 'local',
      onSelect: () => settings.set((now) => ({ ...now, zone: 'local' })),
    },
    { kind: 'heading', label: 'In lists' },
    {
      kind: 'radio',
      label: 'Age',
      checked: times === 'age',
      onSelect: () => settings.set((now) => ({ ...now, times: 'age' })),
    },
    {
      kind: 'radio',
      label: 'Date and time',
      checked: times === 'absolute',
      onSelect: () => settings.set((now) => ({ ...now, times: 'absolute' })),
    },
  ]
  return (
    <>
      <Menu label="Time zone and times" className="control border-transparent px-2" entries={timeEntries}>
        {zone === 'utc' ? <GlobeIcon /> : <ClockIcon />}
        <span className="text-xs max-lg:sr-only">{zone === 'utc' ? 'UTC' : 'Local'}</span>
      </Menu>
      <Menu
        label="Theme"
        className="control border-transparent px-2"
        entries={() =>
          themes.map((one) => ({
            kind: 'radio',
            label: one.label,
            icon: <one.icon />,
            checked: one.id === theme,
            onSelect: () => chooseTheme(one.id),
          }))
        }
      >
        <Shape />
      </Menu>
    </>
  )
}

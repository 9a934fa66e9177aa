import { useLocation } from 'react-router'
import { useStore } from '../../components/hooks.ts'
import { ClockIcon, GlobeIcon, MoonIcon, SettingsIcon, SunIcon, SystemIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { Menu, MenuPopup } from '../../components/overlays/menu.tsx'
import type { PopupProps } from '../../components/overlays/popups.tsx'
import { paths } from '../../lib/paths.ts'
import { applyTheme, settings, type Settings } from '../../lib/storage/settings.ts'

const set = (part: Partial<Settings>) => (): void => settings.set((now) => ({ ...now, ...part }))

/** The menu for the time zone and the time format of lists. */
function Times(popup: PopupProps) {
  const { zone, times } = useStore(settings)
  return (
    <MenuPopup
      {...popup}
      entries={[
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
      ]}
    />
  )
}

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

/** The menu for the theme. */
function Themes(popup: PopupProps) {
  const theme = useStore(settings, (all) => all.theme)
  return (
    <MenuPopup
      {...popup}
      entries={themes.map((one) => ({
        kind: 'radio',
        label: one.label,
        icon: <one.icon />,
        checked: one.id === theme,
        onSelect: () => chooseTheme(one.id),
      }))}
    />
  )
}

const shapes = { system: SystemIcon, light: SunIcon, dark: MoonIcon }

/** The menus for theme and times, and the link to all settings, in the top bar. */
export function Preferences({ onGo }: { onGo?: () => void }) {
  const { pathname } = useLocation()
  const { theme, zone } = useStore(settings)
  const Shape = shapes[theme]
  const zoneName = zone === 'utc' ? 'UTC' : 'Local'
  return (
    <>
      <Menu
        label={`Time zone and times: ${zoneName}`}
        className="control border-transparent px-2"
        popup={Times}
      >
        {zone === 'utc' ? <GlobeIcon /> : <ClockIcon />}
        <span className="text-xs max-lg:sr-only">{zoneName}</span>
      </Menu>
      <Menu label="Theme" className="control border-transparent px-2" popup={Themes}>
        <Shape />
      </Menu>
      <Link
        to={paths.settings()}
        aria-label="Settings"
        title="Settings"
        aria-current={pathname === paths.settings() ? 'page' : undefined}
        onClick={onGo}
        className="control border-transparent px-2"
      >
        <SettingsIcon />
      </Link>
    </>
  )
}

import { useStore } from '../../components/hooks.ts'
import { ClockIcon, GlobeIcon, MoonIcon, SunIcon, SystemIcon } from '../../components/icons.ts'
import { lazyPopup, Menu } from '../../components/overlays/menu.tsx'
import { settings } from '../../lib/storage/settings.ts'

const times = lazyPopup(() => import('./times-entries.tsx'))
const themes = lazyPopup(() => import('./theme-entries.tsx'))
const shapes = { system: SystemIcon, light: SunIcon, dark: MoonIcon }

/** The menus for theme and times in the top bar. */
export function Preferences() {
  const { theme, zone } = useStore(settings)
  const Shape = shapes[theme]
  const zoneName = zone === 'utc' ? 'UTC' : 'Local'
  return (
    <>
      <Menu
        label={`Time zone and times: ${zoneName}`}
        className="control border-transparent px-2"
        popup={times}
      >
        {zone === 'utc' ? <GlobeIcon /> : <ClockIcon />}
        <span className="text-xs max-lg:sr-only">{zoneName}</span>
      </Menu>
      <Menu label="Theme" className="control border-transparent px-2" popup={themes}>
        <Shape />
      </Menu>
    </>
  )
}

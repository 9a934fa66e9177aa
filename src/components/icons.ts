import { createElement, type ReactElement } from 'react'

export type Icon = {
  (props: { size?: number; className?: string }): ReactElement
  /** The icon's name at lucide. */
  displayName: string
}

/**
 * A lucide icon. The build draws all icons of this file into the document (vite.config.ts), so that their shapes
 * need no script. Icons accompany text, so screen readers skip them.
 */
function icon(name: string): Icon {
  const Icon: Icon = ({ size = 16, className }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 1.75,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        className: `shrink-0 ${className ?? ''}`,
      },
      createElement('use', { href: `#icon-${name}` }),
    )
  Icon.displayName = name
  return Icon
}

export const BanIcon = icon('ban')
export const BlockIcon = icon('box')
export const ChainsIcon = icon('blocks')
export const CheckIcon = icon('check')
export const ChevronDownIcon = icon('chevron-down')
export const ChevronLeftIcon = icon('chevron-left')
export const ChevronRightIcon = icon('chevron-right')
export const AlertIcon = icon('circle-exclamation-point')
export const OkIcon = icon('circle-check')
export const SlashIcon = icon('circle-slash')
export const FailedIcon = icon('circle-x')
export const ChartIcon = icon('chart-line')
export const ClockIcon = icon('clock')
export const CodeIcon = icon('code')
export const ColumnsIcon = icon('columns-3')
export const DatabaseIcon = icon('database')
export const CopyIcon = icon('copy')
export const OverviewIcon = icon('layout-dashboard')
export const DownloadIcon = icon('download')
export const GlobeIcon = icon('globe')
export const HourglassIcon = icon('hourglass')
export const MenuIcon = icon('menu')
export const SystemIcon = icon('monitor')
export const MoonIcon = icon('moon')
export const NetworkIcon = icon('network')
export const PauseIcon = icon('pause')
export const PlayIcon = icon('play')
export const UnplugIcon = icon('unplug')
export const SearchIcon = icon('search')
export const ServerIcon = icon('server')
export const SettingsIcon = icon('settings')
export const ValidatorIcon = icon('shield-check')
export const SignatureIcon = icon('signature')
export const SunIcon = icon('sun')
export const TransactionIcon = icon('arrow-left-right')
export const WalletIcon = icon('wallet')
export const VertexIcon = icon('waypoints')
export const CoinsIcon = icon('coins')
export const CloseIcon = icon('x')
export const PictureIcon = icon('image')
export const ContractIcon = icon('file-code')
export const GaugeIcon = icon('gauge')
export const CompareIcon = icon('chart-spline')
export const BadgeIcon = icon('badge-check')
export const SubnetIcon = icon('layers')
export const BellIcon = icon('bell')
export const FleetIcon = icon('radar')

import { createElement, type ComponentType, type ReactElement } from 'react'
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Ban from 'lucide-react/icons/ban'
import Blocks from 'lucide-react/icons/blocks'
import Box from 'lucide-react/icons/box'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleSlash from 'lucide-react/icons/circle-slash'
import CircleX from 'lucide-react/icons/circle-x'
import ChartLine from 'lucide-react/icons/chart-line'
import Clock from 'lucide-react/icons/clock'
import Code from 'lucide-react/icons/code'
import Columns from 'lucide-react/icons/columns-3'
import Copy from 'lucide-react/icons/copy'
import Dashboard from 'lucide-react/icons/layout-dashboard'
import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Globe from 'lucide-react/icons/globe'
import Hourglass from 'lucide-react/icons/hourglass'
import MenuLines from 'lucide-react/icons/menu'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import Search from 'lucide-react/icons/search'
import Server from 'lucide-react/icons/server'
import Settings from 'lucide-react/icons/settings'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Signature from 'lucide-react/icons/signature'
import Sun from 'lucide-react/icons/sun'
import Tag from 'lucide-react/icons/tag'
import Wallet from 'lucide-react/icons/wallet'
import Waypoints from 'lucide-react/icons/waypoints'
import X from 'lucide-react/icons/x'

type Shape = ComponentType<{
  size?: number | string
  strokeWidth?: number | string
  'aria-hidden'?: boolean
  className?: string
}>

export type Icon = (props: { size?: number; className?: string }) => ReactElement

/** Icons beside words say nothing of their own, so a screen reader skips them. */
const icon = (shape: Shape): Icon =>
  function IconOf({ size = 16, className }) {
    return createElement(shape, {
      size,
      strokeWidth: 1.75,
      'aria-hidden': true,
      className: `shrink-0 ${className ?? ''}`,
    })
  }

export const BanIcon = icon(Ban)
export const BlockIcon = icon(Box)
export const ChainsIcon = icon(Blocks)
export const CheckIcon = icon(Check)
export const ChevronDownIcon = icon(ChevronDown)
export const ChevronLeftIcon = icon(ChevronLeft)
export const ChevronRightIcon = icon(ChevronRight)
export const AlertIcon = icon(CircleAlert)
export const OkIcon = icon(CircleCheck)
export const DashedIcon = icon(CircleDashed)
export const SlashIcon = icon(CircleSlash)
export const FailedIcon = icon(CircleX)
export const ChartIcon = icon(ChartLine)
export const ClockIcon = icon(Clock)
export const CodeIcon = icon(Code)
export const ColumnsIcon = icon(Columns)
export const CopyIcon = icon(Copy)
export const OverviewIcon = icon(Dashboard)
export const DownloadIcon = icon(Download)
export const MoreIcon = icon(Ellipsis)
export const GlobeIcon = icon(Globe)
export const HourglassIcon = icon(Hourglass)
export const MenuIcon = icon(MenuLines)
export const SystemIcon = icon(Monitor)
export const MoonIcon = icon(Moon)
export const PauseIcon = icon(Pause)
export const PlayIcon = icon(Play)
export const SearchIcon = icon(Search)
export const ServerIcon = icon(Server)
export const SettingsIcon = icon(Settings)
export const ValidatorIcon = icon(ShieldCheck)
export const SignatureIcon = icon(Signature)
export const SunIcon = icon(Sun)
export const TagIcon = icon(Tag)
export const TransactionIcon = icon(ArrowLeftRight)
export const WalletIcon = icon(Wallet)
export const VertexIcon = icon(Waypoints)
export const CloseIcon = icon(X)

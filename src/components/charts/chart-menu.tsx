import { useState, type ReactNode } from 'react'
import type { MenuEntry } from '../overlays/popups.tsx'
import { Menu } from '../overlays/menu.tsx'
import { download } from '../../lib/download.ts'
import { chartPng } from './png.ts'

function Dots(): ReactNode {
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <circle cx={3} cy={8} r={1.4} />
      <circle cx={8} cy={8} r={1.4} />
      <circle cx={13} cy={8} r={1.4} />
    </svg>
  )
}

/** A text of a chart for the clipboard, made when it is copied. */
export type ChartCopy = {
  readonly label: string
  readonly note: string
  readonly textOf: () => string | Promise<string>
}

type Props = {
  /** The chart's name; the menu's accessible name starts with it. */
  readonly name: string
  /** The parts of the file names. */
  readonly file: readonly string[]
  /** Undefined for a chart with a table below it, which has its own export. */
  readonly csv?: () => string | Promise<string>
  /**
   * The drawing with its note, and its heading if that is not the name; null before it is drawn. A chart without a
   * drawing has no file of it.
   */
  readonly picture?: () => { svg: SVGSVGElement; heading?: string; note: string } | null
  /** Path and query of the view. */
  readonly link: string
  /** What else can be copied: the addresses under which other sites show the chart. */
  readonly copies?: readonly ChartCopy[] | undefined
  /** How the chart is drawn, in sentences. */
  readonly remarks?: readonly string[] | undefined
  readonly table?: boolean
  /** Undefined for a chart with a table below it. */
  readonly onTable?: (open: boolean) => void
}

/** The menu that every chart has: CSV, PNG, copy link, view as table; and how others show it. */
export function ChartMenu(props: Props): ReactNode {
  const { name, file, csv, picture, link, copies = [], remarks = [], table = false, onTable } = props
  const [message, setMessage] = useState('')

  const save = (saving: Promise<void>): void => {
    saving.then(
      () => setMessage(''),
      (error: unknown) =>
        setMessage(`Could not save the file: ${error instanceof Error ? error.message : 'unknown reason'}`),
    )
  }
  const onPng = (): void => {
    const shown = picture?.()
    if (shown) save(savePng(file, shown.svg, shown.heading ?? name, shown.note))
  }
  const copied = (label: string, note: string, textOf: ChartCopy['textOf']): MenuEntry => ({
    kind: 'action',
    label,
    note,
    onSelect: () => {
      const write = async (): Promise<void> => {
        const text = await textOf()
        // Without a secure context there is no clipboard, and this fails.
        await navigator.clipboard.writeText(text)
      }
      write().then(
        () => setMessage('Copied'),
        () => setMessage('Copying was refused'),
      )
    },
  })
  const entries = (): MenuEntry[] => [
    ...(csv
      ? [
          {
            kind: 'action',
            label: 'Download CSV',
            note: 'All points, exact figures',
            onSelect: () => save(saveCsv(file, csv)),
          } as const,
        ]
      : []),
    ...(picture
      ? [{ kind: 'action', label: 'Download PNG', disabled: table, onSelect: onPng } as const]
      : []),
    copied('Copy link', '', () => new URL(link, location.href).href),
    ...copies.map(({ label, note, textOf }) => copied(label, note, textOf)),
    ...(onTable
      ? [
          { kind: 'separator' } as const,
          {
            kind: 'action',
            label: table ? 'View as chart' : 'View as table',
            onSelect: () => onTable(!table),
          } as const,
        ]
      : []),
    ...(remarks.length > 0 ? [{ kind: 'separator' } as const] : []),
    ...remarks.map((label): MenuEntry => ({ kind: 'heading', label })),
  ]
  return (
    <>
      <output className="text-xs text-muted">{message}</output>
      <Menu
        label={`${name}: export and view`}
        entries={entries}
        className="reach inline-flex size-6 shrink-0 items-center justify-center rounded-small text-muted hover:bg-hover hover:text-text"
      >
        <Dots />
      </Menu>
    </>
  )
}

/** A file name of plain letters: "C-Chain Gas used" becomes "ridgeline-c-chain-gas-used". */
function fileName(about: readonly string[]): string {
  return ['ridgeline', ...about]
    .join(' ')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Saves the figures of a chart; `about` becomes the file's name. */
async function saveCsv(about: readonly string[], csv: () => string | Promise<string>): Promise<void> {
  download(`${fileName(about)}.csv`, 'text/csv;charset=utf-8', [await csv()])
}

/** Saves a chart as a picture with its heading and a note. Throws an Error if the browser cannot draw it. */
async function savePng(
  about: readonly string[],
  svg: SVGSVGElement,
  heading: string,
  note: string,
): Promise<void> {
  download(`${fileName(about)}.png`, 'image/png', [await chartPng(svg, heading, note)])
}

import { useState } from 'react'
import { formatInteger } from '../lib/amounts.ts'
import { plural } from '../lib/text.ts'
import { ChevronDownIcon, ChevronRightIcon } from './icons.ts'

type Entry = readonly [name: string | number, value: unknown]

/** The number of entries of a list or object that are shown at first. */
const step = 100

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

const entriesOf = (value: object): readonly Entry[] =>
  Array.isArray(value) ? value.map((item: unknown, index): Entry => [index, item]) : Object.entries(value)

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string')
    return <span className="break-all whitespace-pre-wrap text-ok">{JSON.stringify(value)}</span>
  // Integers above 2^53 were parsed as bigint and are shown with all digits.
  return <span className="break-all text-accent">{String(value)}</span>
}

function sizeOf(value: object): string {
  const count = Array.isArray(value) ? value.length : Object.keys(value).length
  const noun = Array.isArray(value) ? plural(count, 'item') : plural(count, 'field')
  return `${formatInteger(count)} ${noun}`
}

function Branch({ name, value, depth }: { name: string | number | undefined; value: object; depth: number }) {
  const [open, setOpen] = useState(depth < 2)
  const [shown, setShown] = useState(step)
  const brackets = Array.isArray(value) ? '[]' : '{}'
  const entries = open ? entriesOf(value) : []
  const left = entries.length - shown
  const Chevron = open ? ChevronDownIcon : ChevronRightIcon
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        className="-ml-4 inline-flex min-h-6 max-w-full items-center gap-1 rounded-small text-left hover:bg-hover"
        onClick={() => setOpen(!open)}
      >
        <Chevron size={12} className="text-muted" />
        {name !== undefined && <span className="break-all">{name}</span>}
        <span className="text-muted">
          {brackets[0]}
          {!open && '…'}
          {!open && brackets[1]} {sizeOf(value)}
        </span>
      </button>
      {open && (
        <ul className="ml-0.5 border-l border-line pl-5">
          {entries.slice(0, shown).map(([key, item]) => (
            <Node key={key} name={key} value={item} depth={depth + 1} />
          ))}
          {left > 0 && (
            <li>
              <button type="button" className="link" onClick={() => setShown(shown + step * 10)}>
                {formatInteger(left)} more
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  )
}

function Node({ name, value, depth }: { name: string | number | undefined; value: unknown; depth: number }) {
  return (
    <li className="min-w-0">
      {isBranch(value) ? (
        <Branch name={name} value={value} depth={depth} />
      ) : (
        <span className="flex min-h-6 min-w-0 flex-wrap items-baseline gap-x-2">
          {name !== undefined && <span className="text-muted">{name}</span>}
          <Leaf value={value} />
        </span>
      )}
    </li>
  )
}

/**
 * JSON as a tree of collapsible branches: `value` as returned by `parseLossless`. The first two levels are open,
 * collapsed ones are not rendered, and long lists are shown in steps.
 */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  return (
    <ul aria-label={label} className="min-w-0 pl-4 font-mono text-mono">
      <Node name={undefined} value={value} depth={0} />
    </ul>
  )
}

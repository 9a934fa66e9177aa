import type { ReactNode } from 'react'
import type { KnownNames } from '../lib/address-name.ts'
import { shorten } from '../lib/text.ts'
import { Address } from './address.tsx'

type Known = KnownNames & { address: string }

export type Side = 'in' | 'out' | 'self'

/** The direction of a transfer as seen from one address. */
export function sideOf(address: string, from: Known, to: Known): Side {
  const own = address.toLowerCase()
  const sent = from.address.toLowerCase() === own
  const received = to.address.toLowerCase() === own
  return sent && received ? 'self' : sent ? 'out' : 'in'
}

const looks: Record<Side, { word: string; arrow: string; tone: string }> = {
  in: { word: 'in', arrow: '↓', tone: 'bg-ok-soft text-ok' },
  out: { word: 'out', arrow: '↑', tone: 'bg-accent-soft text-accent' },
  self: { word: 'self', arrow: '↺', tone: 'bg-hover text-muted' },
}

/** The direction of a transfer, as a word with an arrow. */
export function SideTag({ side }: { side: Side }) {
  const { word, arrow, tone } = looks[side]
  return (
    <span className={`inline-flex h-5 items-center gap-1 rounded-full px-2 text-xs ${tone}`}>
      <span aria-hidden="true">{arrow}</span>
      {word}
    </span>
  )
}

const nobody = /^0x0{40}$/

type PartyProps = {
  party: Known
  chainId: string
  /** Shortens an address without a name further, for the first line of a row on a phone. */
  brief?: boolean
}

/** One side of a transfer. The zero address gets a name; a failed creation has no receiver. */
export function Party({ party, chainId, brief = false }: PartyProps) {
  const { address, name } = party
  if (address === '') return <span className="text-muted">nobody</span>
  return (
    <Address
      {...party}
      name={nobody.test(address) ? 'zero address' : name}
      otherwise={brief ? shorten(address, 2, 4) : undefined}
      chainId={chainId}
    />
  )
}

/** The other party of a row on a phone, which has no column for the direction: an arrow to or from it. */
export function OtherParty({ way, children }: { way: 'to' | 'from'; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5 md:hidden max-[359px]:[&_svg]:hidden">
      <span aria-hidden="true">{way === 'to' ? '→' : '←'}</span>
      <span className="sr-only">{way}</span>
      {children}
    </span>
  )
}

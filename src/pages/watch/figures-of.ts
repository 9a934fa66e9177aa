import type { NetworkName } from '../../api/current.ts'
import { avaxDecimals } from '../../components/asset-amount.tsx'
import type { Watched, WatchKind } from '../../lib/storage/watch-list.ts'
import type { FigureForm, WatchedFigure } from './figure-change.ts'

/** The labels of the figures of each kind, which stand above its rows. */
export const figureLabels: Readonly<Record<WatchKind, readonly string[]>> = {
  address: ['Balance', 'ERC-20 tokens', 'NFTs', 'Last seen'],
  wallet: ['All, AVAX', 'Free, AVAX', 'Staked, AVAX', 'Locked, AVAX'],
  validator: ['Status', 'Own stake, AVAX', 'Delegated, AVAX', 'Uptime'],
  l1Validator: ['State', 'Weight', 'Balance, AVAX'],
  token: ['Supply', 'Holders', 'Transfers'],
}

export type Values = readonly (readonly [form: FigureForm, value: string | null | undefined])[]

/** The figures of a row in the order of the labels of its kind. */
export const figuresOf = (kind: WatchKind, values: Values): WatchedFigure[] =>
  figureLabels[kind].flatMap((label, index) => {
    const [form, value] = values[index] ?? []
    return form ? [{ label, form, value }] : []
  })

/** The value of a field once its answer has come: null if the answer has none. */
export const field = <Data>(data: Data | undefined, pick: (data: Data) => string | undefined) =>
  data === undefined ? undefined : (pick(data) ?? null)

export const avax = { kind: 'amount', decimals: avaxDecimals } satisfies FigureForm
export const count: FigureForm = { kind: 'count' }
export const word: FigureForm = { kind: 'word' }

/** A row whose place is a network. */
export type OnNetwork = { readonly entry: Watched; readonly network: NetworkName }

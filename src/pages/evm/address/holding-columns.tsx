import type { ChainFacts } from '../../../api/current.ts'
import { useNarrow } from '../../../components/hooks.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { Pill } from '../../../components/pill.tsx'
import { dash } from '../../../components/table/column-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { plainTokenAmount, symbolOf, TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { Fiat, fiatText } from '../../../components/tokens/token-amount-fiat.tsx'
import { TokenName } from '../../../components/tokens/token-name.tsx'
import { ReputationPill } from '../../../components/tokens/token-name-pill.tsx'
import { gainOf, valueGainOf, type Held, type Holding, type Money } from './holdings.ts'

const unknown = (
  <span className="text-muted" title="The node keeps no state of this block, or does not answer">
    not known
  </span>
)

const narrowMax = { maxWidth: 'min(100%, 56vw)' }

type BalanceProps = { held: Held | undefined; holding: Holding; withSymbol?: boolean }

function Balance({ held, holding, withSymbol = false }: BalanceProps) {
  const narrow = useNarrow()
  if (!held) return unknown
  return (
    // On a phone a long figure must leave room for the name beside it, which has the symbol.
    <span className="inline-block max-w-full truncate align-bottom" style={narrowMax}>
      <TokenAmount value={held.balance} token={holding.token} withSymbol={withSymbol && !narrow} />
    </span>
  )
}

/** Shown beside the name: before a figure it would displace digits. */
function SourcePill({ native, now, other }: Holding) {
  if (native || (now?.source !== 'node' && other?.source !== 'node')) return null
  return (
    <Pill
      state="neutral"
      title="Asked of the contract through the node: its own balance differs from what its transfers add up to"
    >
      from the node
    </Pill>
  )
}

const worth = (money: Money | undefined) => (money ? <Fiat money={money} /> : dash)
const plain = (held: Held | undefined, { token }: Holding): string =>
  held ? plainTokenAmount(held.balance, token) : ''
const signed = (value: bigint, holding: Holding): string =>
  `${value < 0n ? '-' : ''}${plainTokenAmount(value < 0n ? -value : value, holding.token)}`

function Difference({ holding }: { holding: Holding }) {
  const gain = gainOf(holding)
  if (gain === undefined) return unknown
  if (gain === 0n)
    return (
      <span className="text-muted">
        <span className="md:hidden">no change</span>
        <span className="max-md:hidden">none</span>
      </span>
    )
  return (
    <span className={gain > 0n ? 'text-ok' : ''}>
      <TokenAmount value={gain} token={holding.token} signed />
    </span>
  )
}

type Options = {
  chain: ChainFacts
  /** The headings of the two times; `other` only in a comparison. */
  now: string
  other: string | undefined
  /** Whether any holding has a price at each of the times. */
  priced: { now: boolean; other: boolean }
  currency: string
}

/** The values at two times, and their difference. */
const comparedMoney = (code: string): Column<Holding>[] => [
  {
    id: 'valueOther',
    header: `Value then, ${code}`,
    align: 'right',
    width: '140px',
    cell: (holding) => worth(holding.other?.value),
    text: (holding) => holding.other?.value?.value ?? '',
  },
  {
    id: 'valueNow',
    header: `Value, ${code}`,
    align: 'right',
    width: '140px',
    cell: (holding) => worth(holding.now?.value),
    text: (holding) => holding.now?.value?.value ?? '',
  },
  {
    id: 'valueDifference',
    header: `Gain, ${code}`,
    align: 'right',
    width: '140px',
    narrow: 'side',
    cell: (holding) => {
      const gain = valueGainOf(holding)
      return gain ? <span title={gain.value}>{fiatText(gain, { signed: true })}</span> : dash
    },
    text: (holding) => valueGainOf(holding)?.value ?? '',
  },
]

/** The columns of an address's balances; two sets of them in a comparison. */
export function holdingColumns({ chain, now, other, priced, currency }: Options): Column<Holding>[] {
  const code = currency.toUpperCase()
  const anyPriced = priced.now || priced.other
  const moments: Column<Holding>[] = [
    ...(other === undefined
      ? []
      : [
          {
            id: 'other',
            header: other,
            align: 'right' as const,
            cell: (holding: Holding) => <Balance held={holding.other} holding={holding} />,
            text: (holding: Holding) => plain(holding.other, holding),
          },
        ]),
    {
      id: 'now',
      header: now,
      align: 'right',
      narrow: other === undefined ? 'side' : 'below',
      cell: (holding) => <Balance held={holding.now} holding={holding} withSymbol={other === undefined} />,
      text: (holding) => plain(holding.now, holding),
    },
    ...(other === undefined
      ? []
      : [
          {
            id: 'difference',
            header: 'Difference',
            align: 'right' as const,
            width: anyPriced ? '170px' : '250px',
            narrow: 'belowSide' as const,
            cell: (holding: Holding) => <Difference holding={holding} />,
            text: (holding: Holding) => {
              const gain = gainOf(holding)
              return gain === undefined ? '' : signed(gain, holding)
            },
          },
        ]),
  ]
  const money: Column<Holding>[] = !anyPriced
    ? []
    : other === undefined
      ? [
          {
            id: 'price',
            header: `Price, ${code}`,
            align: 'right',
            width: '108px',
            cell: (holding) => worth(holding.price),
            text: (holding) => holding.price?.value ?? '',
          },
          {
            id: 'value',
            header: `Value, ${code}`,
            align: 'right',
            width: '150px',
            narrow: 'belowSide',
            cell: (holding) => worth(holding.now?.value),
            text: (holding) => holding.now?.value?.value ?? '',
          },
        ]
      : comparedMoney(code).filter(
          ({ id }) => (id === 'valueOther' || priced.now) && (id === 'valueNow' || priced.other),
        )
  return [
    {
      id: 'token',
      header: 'Token',
      always: true,
      ...(other === undefined ? {} : { width: '210px' }),
      narrow: 'title',
      cell: (holding) => {
        const { native, token, reputation, reasons } = holding
        return (
          <span className="inline-flex max-w-full min-w-0 items-center gap-2">
            {native ? (
              <span className="inline-flex min-w-0 items-center gap-1.5 font-strong">
                <Identicon value={`native:${chain.chainId}`} />
                <span className="truncate">{token.name ?? token.symbol}</span>
                <span className="font-normal text-muted">native</span>
              </span>
            ) : (
              <TokenName
                address={token.address}
                name={token.name}
                symbol={token.symbol}
                chainId={chain.chainId}
              />
            )}
            {/* Beside two amounts it would cut the name; the balances of one time have it. */}
            {!native && other === undefined && reputation != null && (
              <ReputationPill reputation={reputation} reasons={reasons} />
            )}
            <SourcePill {...holding} />
          </span>
        )
      },
      text: ({ native, token }) => (native ? 'native' : token.address),
    },
    {
      id: 'symbol',
      header: 'Symbol',
      hidden: true,
      width: '96px',
      cell: ({ token }) => symbolOf(token) || dash,
      text: ({ token }) => token.symbol ?? '',
    },
    ...moments,
    ...money,
    {
      id: 'source',
      header: 'Source',
      hidden: true,
      width: '90px',
      cell: ({ now: held }) => held?.source ?? dash,
      text: ({ now: held }) => held?.source ?? '',
    },
  ]
}

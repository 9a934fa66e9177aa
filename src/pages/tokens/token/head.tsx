import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import { useProfile, type ChainFacts } from '../../../api/current.ts'
import type { TokenDetails } from '../../../api/tokens/tokens.ts'
import { Figures, type Figure } from '../../../components/figures.tsx'
import { inWords } from '../../../components/states.tsx'
import { AlertIcon } from '../../../components/icons.ts'
import { Link } from '../../../components/link.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { whyNoUnits } from '../../../components/tokens/token-amount.tsx'
import { fiatText } from '../../../components/tokens/token-amount-fiat.tsx'
import { ReputationPill } from '../../../components/tokens/token-name-pill.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { exactAmount, formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { CurrencyMenu } from '../../shared/currency-menu.tsx'

/** Warns that a token may not be what it claims, with the rules that it matched. */
function TokenWarning({ token }: { token: TokenDetails }) {
  if (token.tokenReputation !== 'Malicious') return null
  const reasons = token.reputationReasons ?? []
  return (
    <div role="note" aria-label="Warning" className="mb-4 rounded-base bg-bad-soft px-4 py-3">
      <p className="flex items-start gap-2 font-strong">
        <AlertIcon className="mt-0.5 text-bad" />
        This token may not be what it calls itself. Trust the address, not the name.
      </p>
      {reasons.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {reasons.map((reason) => (
            <li key={reason} className="break-words">
              {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Decimals are not useful after millions; the title has every digit. */
const figureDecimals = (raw: string, decimals: number): number => (raw.length - decimals > 6 ? 0 : 2)

function supplyFigure(token: TokenDetails): Figure {
  const decimals = decimalsOf(token)
  const why = whyNoUnits(token)
  const unit = readableName(token.symbol, 16)
  const note =
    token.ercType === 'ERC-20'
      ? why === undefined
        ? unit
        : `smallest units: ${why}`
      : token.ercType === 'ERC-1155'
        ? 'over all IDs'
        : plural(token.supply, 'item')
  return {
    label: 'Supply',
    value:
      decimals === undefined
        ? formatInteger(token.supply)
        : formatAmount(token.supply, decimals, figureDecimals(token.supply, decimals)),
    title:
      decimals === undefined
        ? formatInteger(token.supply)
        : `${exactAmount(token.supply, decimals)} ${unit}, minted minus burned, from Transfer events`,
    note,
  }
}

type Props = { token: TokenDetails; chain: ChainFacts }

/** The warning and the key figures of a token. */
export function TokenHead({ token, chain }: Props) {
  const priceLabel = useProfile()?.priceLabel
  const collection = token.ercType !== 'ERC-20'
  const price = token.price && fiatText(token.price)
  const figures: Figure[] = [
    supplyFigure(token),
    {
      label: 'Holders',
      value: formatInteger(token.holderCount),
      note:
        token.balanceSource === 'node'
          ? 'told by the contract'
          : token.isUnprovable
            ? 'by the logs, not provable'
            : 'with a balance now',
      ...(token.isUnprovable && {
        title: 'balanceOf answers nothing, so nothing tells whether the logs are complete',
      }),
      ...(token.balanceSource === 'node' && {
        title:
          'What the logs add up to is not what the contract says: supply, holders and balances are asked of it',
      }),
    },
    {
      label: 'Transfers',
      value: formatInteger(token.transferCount),
      note: token.lastTransferTimestamp !== undefined && (
        <>
          last <TimeAgo at={token.lastTransferTimestamp} />
        </>
      ),
    },
    {
      label: 'First block',
      value: (
        <Link to={paths.block(chain.chainId, token.firstBlock)} className="link">
          {formatInteger(token.firstBlock)}
        </Link>
      ),
      note: 'of the first transfer',
    },
    ...(collection && token.idCount === token.supply
      ? []
      : [
          collection
            ? {
                label: 'IDs',
                value: token.idCount === undefined ? null : formatInteger(token.idCount),
                note: 'ever seen',
              }
            : {
                label: 'Price',
                value: price ?? inWords('not known'),
                note: price !== undefined && priceLabel,
              },
        ]),
  ]
  return (
    <>
      <TokenWarning token={token} />
      <Figures figures={figures} />
    </>
  )
}

/** The rules' verdict on the token, next to its name. */
export function HeadPill({ token }: { token: TokenDetails }) {
  return <ReputationPill reputation={token.tokenReputation} reasons={token.reputationReasons} />
}

/** The currency of its price. */
export const HeadMenu = () => <CurrencyMenu small={false} />

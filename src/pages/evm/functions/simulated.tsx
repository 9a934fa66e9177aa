import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { simulateCall } from '../../../../contract/evm/simulation.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { nameOf, shortId, TokenAmount } from '../../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { plural, safeText, shorten } from '../../../lib/text.ts'
import { Outputs } from './output-value.tsx'

type Answer = ResponseOf<typeof simulateCall>
type Change = NonNullable<Answer['changes']>[number]

function ChangeLine({ change: { address, asset, change }, chainId }: { change: Change; chainId: string }) {
  const { address: token = '', tokenId } = asset
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-1.5">
      <Address {...address} chainId={chainId} />
      {tokenId === undefined ? (
        <TokenAmount value={change} token={{ ...asset, address: token }} signed withSymbol />
      ) : (
        <span className="font-mono text-mono">
          {change.startsWith('-') ? '' : '+'}
          {formatInteger(change)} {nameOf({ ...asset, address: token }) || shorten(token)} {shortId(tokenId)}
        </span>
      )}
    </li>
  )
}

function Failure({ failure }: { failure: NonNullable<Answer['failure']> }) {
  const { reason, error } = failure
  return (
    <div role="alert" className="flex flex-col gap-1">
      <p className="font-strong break-words text-bad">It would fail: {safeText(reason, 400)}</p>
      {failure.kind === 'CUSTOM_ERROR' && error && (
        <p className="font-mono text-mono break-all">
          {error.name}(
          {error.args
            .map(
              ({ name, value }) =>
                `${name && `${name}: `}${typeof value === 'string' ? value : JSON.stringify(value)}`,
            )
            .join(', ')}
          )
        </p>
      )}
    </div>
  )
}

/** What a call would do: whether it succeeds, what it moves and returns, and its gas. */
export function Simulated({ answer, chain }: { answer: Answer; chain: ChainFacts }) {
  const { failure, changes = [], outputs = [], omittedCount, gasUsed, isTraced, blockNumber } = answer
  if (failure) return <Failure failure={failure} />
  return (
    <output className="flex w-full min-w-0 max-w-[80ch] flex-col gap-2">
      <p className="font-strong text-ok">
        It would succeed{isTraced && changes.length === 0 && ', and move nothing'}
        {gasUsed !== undefined && `, with ${formatInteger(gasUsed)} gas`}
      </p>
      {changes.length > 0 && (
        <ul aria-label="Balance changes, without the fee">
          {changes.map((change, index) => (
            // A change has no key of its own: the same address may have several of one token.
            // oxlint-disable-next-line react/no-array-index-key
            <ChangeLine key={index} change={change} chainId={chain.chainId} />
          ))}
        </ul>
      )}
      {omittedCount > 0 && (
        <p className="text-muted">
          {formatInteger(omittedCount)} further {plural(omittedCount, 'change')} not shown
        </p>
      )}
      {outputs.length > 0 && <Outputs outputs={outputs} chainId={chain.chainId} />}
      <p className="text-xs text-muted">
        Tried after block {formatInteger(blockNumber)}; the fee is not counted.
        {!isTraced && ` The node of ${chain.name} can’t trace, so what would move is not known.`}
      </p>
    </output>
  )
}

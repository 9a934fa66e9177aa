import type { Decoded } from '../../../../contract/evm/transactions.ts'
import { Address } from '../../../components/address.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { TokenAmount, type TokenFacts } from '../../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { addressIn, valueText } from '../abi-text.ts'
import { isTokenAmount } from './token-arguments.ts'

type Argument = Decoded['args'][number]

/** More elements of a list than these are shown as JSON. */
const maxElements = 50
/** The longest text of an argument. */
const maxText = 2_000

function Value({
  argument,
  chainId,
  contract,
}: {
  argument: Argument
  chainId: string
  contract: TokenFacts | undefined
}) {
  const { type, value } = argument
  const element = /^(.+)\[\d*\]$/.exec(type)?.[1]
  if (Array.isArray(value) && element !== undefined)
    return (
      <ol className="flex min-w-0 flex-col gap-1">
        {value.slice(0, maxElements).map((one, index) => (
          // A list in a call has no other key than the place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Value
              argument={{ ...argument, type: element, value: one as Argument['value'] }}
              chainId={chainId}
              contract={contract}
            />
          </li>
        ))}
        {value.length === 0 && <li className="text-muted">none</li>}
        {value.length > maxElements && (
          <li className="font-mono text-mono break-all">
            {valueText({ type, value: value.slice(maxElements) }, maxText)}
          </li>
        )}
      </ol>
    )
  const address = addressIn(argument)
  if (address !== undefined) return <Address address={address} chainId={chainId} full copy />
  const isText = typeof value === 'string'
  if (isText && contract && isTokenAmount(argument, contract))
    return (
      <span className="flex flex-wrap items-center gap-x-2">
        <TokenAmount value={value} token={contract} withSymbol />
        <span className="text-xs break-all text-muted">{formatInteger(value)}</span>
      </span>
    )
  return (
    <span
      className="font-mono text-mono break-all"
      {...(isText && value.startsWith('0x') && { 'data-value': value.toLowerCase() })}
    >
      {valueText(argument, maxText)}
    </span>
  )
}

/**
 * A decoded call or event: its signature, then one argument a line. With the facts of the `contract`, amounts of a token
 * are shown in its unit too.
 */
export function DecodedCall({
  decoded,
  chainId,
  contract,
}: {
  decoded: Decoded
  chainId: string
  contract?: TokenFacts | undefined
}) {
  return (
    <div className="flex min-w-0 flex-col">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-mono text-mono break-all">{decoded.signature}</span>
        <span className="text-xs text-muted">
          {origins[decoded.abiFrom ?? 'signature'] ?? decoded.abiFrom}
        </span>
      </p>
      {decoded.args.length > 0 && (
        <dl className="mt-1 border-l-2 border-line pl-3">
          {decoded.args.map((argument, index) => (
            <div
              key={`${index}:${argument.name}`}
              className="grid grid-cols-1 gap-x-4 py-1 lg:grid-cols-[200px_minmax(0,1fr)]"
            >
              <dt className="min-w-0 truncate text-muted">
                {safeText(argument.name, 40) || `argument ${index}`}{' '}
                <span className="font-mono text-xs">
                  {argument.type}
                  {argument.indexed ? ' indexed' : ''}
                </span>
              </dt>
              <dd className="min-w-0">
                <Value argument={argument} chainId={chainId} contract={contract} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Who says what the bytes mean. */
const origins: Readonly<Record<string, string>> = {
  operator: 'by the operator’s ABI',
  source: 'by the verified source',
  label: 'by a label, not verified',
  signature: 'by a known signature',
}

/** Bytes in a box that scrolls on its own, with their length and a copy button. */
export function RawBytes({ value, name }: { value: string; name: string }) {
  const length = Math.max(0, (value.length - 2) / 2)
  return (
    <div className="w-full min-w-0">
      <p className="flex items-center gap-1 text-xs text-muted">
        {formatInteger(length)} bytes <CopyButton text={value} name={name} />
      </p>
      {length > 0 && (
        // A box that scrolls must be reachable by the keyboard.
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-48 overflow-y-auto rounded-small bg-sunken p-2 font-mono text-mono break-all whitespace-pre-wrap"
        >
          {value}
        </pre>
      )}
    </div>
  )
}

import { minus } from '../../../charts/series/minus.ts'

type Money = { currencyCode: string; value: string }

/** A figure as text for Intl, which keeps all its digits. */
const exactly = (value: string) => value as Intl.StringNumericLiteral

/**
 * A fiat value (a decimal string) with its currency sign: the currency's decimals, or four significant ones below 1.
 * Invalid values and currencies are shown as they are.
 */
export function fiatText({ currencyCode, value }: Money, options: { signed?: boolean } = {}): string {
  if (!/^-?\d+(\.\d+)?$/.test(value) || !/^[A-Za-z]{3}$/.test(currencyCode)) return `${value} ${currencyCode}`
  const small = /^-?0\./.test(value) && /[1-9]/.test(value)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currencyCode.toUpperCase(),
    ...(small && { maximumSignificantDigits: 4 }),
    ...(options.signed && { signDisplay: 'exceptZero' }),
  })
    .format(exactly(value))
    .replace('-', minus)
}

/** A fiat value; the exact figure is in the title. */
export function Fiat({ money, signed = false }: { money: Money; signed?: boolean }) {
  return (
    <span
      className="whitespace-nowrap"
      title={`${money.value.replace('-', minus)} ${money.currencyCode.toUpperCase()}`}
    >
      {fiatText(money, { signed })}
    </span>
  )
}

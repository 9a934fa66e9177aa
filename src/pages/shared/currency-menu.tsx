import { currencyCodes } from '../../../contract/base/currency.ts'
import { currency, type Currency } from '../../api/tokens/balances-currency.ts'
import { useStore } from '../../components/hooks.ts'
import { Menu } from '../../components/overlays/menu.tsx'

const currencyNames: Readonly<Record<Currency, string>> = {
  usd: 'US dollar',
  eur: 'Euro',
  aud: 'Australian dollar',
  cad: 'Canadian dollar',
  chf: 'Swiss franc',
  clp: 'Chilean peso',
  cny: 'Chinese yuan',
  czk: 'Czech koruna',
  dkk: 'Danish krone',
  gbp: 'Pound sterling',
  hkd: 'Hong Kong dollar',
  huf: 'Hungarian forint',
  jpy: 'Japanese yen',
  nzd: 'New Zealand dollar',
}

/** Selects the currency of fiat values on all pages; among small controls unless `small` is false. */
export function CurrencyMenu({ small = true }: { small?: boolean }) {
  const chosen = useStore(currency)
  return (
    <Menu
      label={`Currency: in ${chosen.toUpperCase()}`}
      className={small ? 'control control-small' : 'control'}
      entries={() =>
        currencyCodes.map((code) => ({
          kind: 'radio',
          label: code.toUpperCase(),
          note: currencyNames[code],
          checked: code === chosen,
          onSelect: () => currency.set(code),
        }))
      }
    >
      In {chosen.toUpperCase()}
    </Menu>
  )
}

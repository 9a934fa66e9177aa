import { useHref } from 'react-router'
import type { NetworkName } from '../../../api/current.ts'
import type { ValidatorDistribution } from '../../../api/network/validators.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { ChartMenu } from '../../../components/charts/chart-menu.tsx'
import { exactAmount, formatInteger, plainAmount } from '../../../lib/amounts.ts'
import { csvCell } from '../../../lib/export.ts'
import { paths } from '../../../lib/paths.ts'
import { useEmbedCopies } from '../../embed/embed-copies.ts'

/** The two distributions of the page; the names are those of their pictures and of `?table=`. */
export type DistributionName = 'stake' | 'uptime'

/** How figures are written: with separators on the page, without them in a file. */
type Form = { readonly avax: (amount: string) => string; readonly count: (count: number) => string }
const inFile: Form = { avax: (amount) => plainAmount(amount, avaxDecimals), count: String }
const onPage: Form = { avax: (amount) => exactAmount(amount, avaxDecimals), count: formatInteger }

/** The headings and rows of a distribution, exact. */
function tableOf(name: DistributionName, sent: ValidatorDistribution, { avax, count }: Form): string[][] {
  if (name === 'uptime')
    return [
      ['From, %', 'Below, %', 'Validators'],
      ...sent.uptime.map(({ from, below, validatorCount }) => [
        String(from),
        below === undefined ? '' : String(below),
        count(validatorCount),
      ]),
    ]
  return [
    ['From, AVAX', 'Below, AVAX', 'Validators', 'Own stake, AVAX', 'Delegated, AVAX'],
    ...sent.stake.map((bin) => [
      avax(bin.from),
      avax(bin.below),
      count(bin.validatorCount),
      avax(bin.amountStaked),
      avax(bin.amountDelegated),
    ]),
  ]
}

type Props = {
  name: DistributionName
  title: string
  network: NetworkName
  data: ValidatorDistribution
  table: boolean
  onTable: (open: boolean) => void
}

/** The menu of a distribution. Its bars are not a drawing that could be saved: the service draws them. */
export function DistributionMenu({ name, title, network, data, table, onTable }: Props) {
  const page = paths.validators(network)
  const link = useHref(paths.validators(network, table ? { table: name } : {}))
  const copies = useEmbedCopies(
    'getValidatorDistributionPicture',
    `${page}/${name}`,
    new URLSearchParams(),
    title,
  )
  return (
    <ChartMenu
      name={title}
      file={[network, title]}
      csv={() =>
        tableOf(name, data, inFile)
          .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
          .join('')
      }
      link={link}
      copies={copies}
      table={table}
      onTable={onTable}
    />
  )
}

/** The figures of a distribution as a table. */
export function DistributionTable({
  name,
  title,
  data,
}: {
  name: DistributionName
  title: string
  data: ValidatorDistribution
}) {
  const [head = [], ...rows] = tableOf(name, data, onPage)
  return (
    <section
      aria-label={title}
      // A scrolling element must be focusable, otherwise its lower rows are unreachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-base border border-line"
    >
      <table className="w-full border-collapse text-right">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th
                key={text}
                scope="col"
                className="sticky top-0 border-b border-line bg-surface px-3 py-2 text-xs font-strong"
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]} className="border-b border-line last:border-0">
              {cells.map((text, index) => (
                <td key={head[index]} className="px-3 py-1.5 whitespace-nowrap">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

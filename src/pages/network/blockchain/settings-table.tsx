import { Address } from '../../../components/address.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { Table } from '../../../components/table/table.tsx'
import { Section } from '../../../components/section.tsx'
import { pagedRows } from '../../../lib/paging.ts'
import { faceOf } from '../../../lib/text.ts'
import {
  genesisGroups,
  genesisRows,
  notSet,
  precompilesOf,
  valueText,
  type GenesisPrecompile,
  type GenesisRow,
} from './genesis.ts'

const settingColumns: Column<GenesisRow>[] = [
  {
    id: 'label',
    header: 'Setting',
    always: true,
    width: '280px',
    narrow: 'title',
    cell: ({ label, key }) => <span title={key}>{label}</span>,
    text: ({ key }) => key,
  },
  {
    id: 'value',
    header: 'Value',
    narrow: 'below',
    cell: ({ text }) => (
      <span className={faceOf(text)} title={text}>
        {text}
      </span>
    ),
    text: ({ text }) => text,
  },
]

const settingKey = (row: GenesisRow): string => row.key

function Addresses({ all, chainId }: { all: readonly string[]; chainId: string | undefined }) {
  if (all.length === 0) return <span className="text-muted">–</span>
  return (
    <ul className="flex min-w-0 flex-col gap-1 py-1.5">
      {all.map((address) => (
        <li key={address}>
          {chainId !== undefined && /^0x[0-9a-fA-F]{40}$/.test(address) ? (
            <Address address={address} chainId={chainId} />
          ) : (
            <span className="font-mono text-mono break-all">{address}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The precompiles of a genesis with their roles, whose lists of addresses need more room than a row. */
function Precompiles({ all, chainId }: { all: readonly GenesisPrecompile[]; chainId: string | undefined }) {
  const roles = [
    ['Admins', 'admins'],
    ['Managers', 'managers'],
    ['Enabled', 'enabled'],
  ] as const
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2 xl:grid-cols-3">
      {all.map((one) => (
        <div key={one.key} className="min-w-0 border-t border-line pt-2">
          <h3 className="font-strong">{one.label}</h3>
          <p className="text-xs wrap-anywhere text-muted">
            {one.from === undefined ? 'no time is named' : valueText('blockTimestamp', one.from)}
            {one.more && ` · ${one.more}`}
          </p>
          <dl className="pt-1">
            {roles.map(
              ([label, role]) =>
                one[role].length > 0 && (
                  <div key={role} className="grid grid-cols-[88px_minmax(0,1fr)] items-start">
                    <dt className="pt-1.5 text-muted">{label}</dt>
                    <dd className="min-w-0">
                      <Addresses all={one[role]} chainId={chainId} />
                    </dd>
                  </div>
                ),
            )}
          </dl>
        </div>
      ))}
    </div>
  )
}

/**
 * The settings of an EVM chain's genesis as tables. `chainId` is the EVM chain that addresses link to, if this
 * service indexes it.
 */
export function SettingsTables({ genesis, chainId }: { genesis: unknown; chainId: string | undefined }) {
  const rows = genesisRows(genesis)
  const precompiles = precompilesOf(genesis)
  return (
    <div className="flex min-w-0 flex-col gap-8">
      {genesisGroups.map((group) => {
        const own = rows.filter((row) => row.group === group)
        if (own.length === 0) return null
        // In the header of the first block, most fields have no other meaning.
        const isZero = ({ text, key }: GenesisRow): boolean =>
          group === 'Chain' && key !== 'config.chainId' && /^(0x0*|0|1970-01-01 .*)$/.test(text)
        const unset = own.filter((row) => row.text === notSet)
        const zero = own.filter(isZero)
        const set = own.filter((row) => row.text !== notSet && !isZero(row))
        return (
          <Section key={group} title={group === 'Other' ? 'Other settings' : group} note={own.length} repeats>
            {group === 'Precompiles' ? (
              <Precompiles all={precompiles} chainId={chainId} />
            ) : (
              <>
                <Table
                  id={`genesis-${group.toLowerCase()}`}
                  label={group}
                  columns={settingColumns}
                  rows={pagedRows([set])}
                  rowKey={settingKey}
                />
                {[['Zero', zero] as const, ['Not set', unset] as const].map(
                  ([words, rest]) =>
                    rest.length > 0 && (
                      <p key={words} className="pt-2 text-muted">
                        {words}: {rest.map(({ label }) => label).join(', ')}
                      </p>
                    ),
                )}
              </>
            )}
          </Section>
        )
      })}
    </div>
  )
}

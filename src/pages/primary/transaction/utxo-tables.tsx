import { useMemo } from 'react'
import type { Utxo } from '../../../../contract/primary/fields.ts'
import type { NetworkName } from '../../../api/current.ts'
import { Section } from '../../../components/section.tsx'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { utxoColumns } from '../utxo-columns.tsx'

const rowKey = (utxo: Utxo): string => utxo.utxoId

function Side({
  utxos,
  side,
  network,
  name,
}: {
  utxos: readonly Utxo[]
  side: 'in' | 'out'
  network: NetworkName
  name: string
}) {
  const columns = useMemo(() => utxoColumns(network, side), [network, side])
  const title = side === 'in' ? 'Inputs' : 'Outputs'
  return (
    <Section title={title}>
      {utxos.length === 0 ? (
        <p className="border-t border-line py-3 text-muted">
          {side === 'in' ? 'No UTXOs were consumed.' : 'No UTXOs were produced.'}
        </p>
      ) : (
        <WholeTable
          id={`utxos-${side}`}
          label={title}
          noun="UTXO"
          columns={columns}
          rows={utxos}
          rowKey={rowKey}
          all
          file={`${name}-${title.toLowerCase()}`}
        />
      )}
    </Section>
  )
}

/** The inputs and outputs of a transaction, one UTXO a row: the picture's data. */
export function UtxoTables({
  inputs,
  outputs,
  network,
  name,
}: {
  inputs: readonly Utxo[]
  outputs: readonly Utxo[]
  network: NetworkName
  /** The exports' file name. */
  name: string
}) {
  return (
    <div className="flex flex-col gap-8">
      <Side side="in" utxos={inputs} network={network} name={name} />
      <Side side="out" utxos={outputs} network={network} name={name} />
    </div>
  )
}

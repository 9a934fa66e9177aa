import * as z from 'zod/mini'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../../contract/primary/chains.ts'
import { Choice } from '../../shared/choice.tsx'

/** The chain of a list, in the URL. */
export const chainSchema = z.object({ chain: z.catch(z.enum(primaryChainAliases), 'p-chain') })

const options = primaryChainAliases.map((id) => ({ id, label: chainLabel(id) ?? id }))

type Props = { current: PrimaryChainAlias; onChange: (chain: PrimaryChainAlias) => void }

/** Selects one of the three chains. */
export function ChainChoice({ current, onChange }: Props) {
  return <Choice label="Chain" options={options} current={current} onChange={onChange} />
}

import * as z from 'zod/mini'
import { chainLabel, primaryChains, type ChainAlias } from '../../../lib/primary-chains.ts'
import { Choice } from '../../shared/choice.tsx'

/** The chain of a list, in the URL. */
export const chainSchema = z.object({ chain: z.catch(z.enum(primaryChains), 'p-chain') })

const options = primaryChains.map((id) => ({ id, label: chainLabel(id) ?? id }))

type Props = { current: ChainAlias; onChange: (chain: ChainAlias) => void }

/** Selects one of the three chains. */
export function ChainChoice({ current, onChange }: Props) {
  return <Choice label="Chain" options={options} current={current} onChange={onChange} />
}

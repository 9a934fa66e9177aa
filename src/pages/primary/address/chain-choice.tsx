import { z } from 'zod'
import { chainLabel, primaryChains, type ChainAlias } from '../../../lib/primary-chains.ts'
import { Choice } from '../../shared/choice.tsx'

/** Which of the three chains a list is of, in the URL. */
export const chainSchema = z.object({ chain: z.enum(['p-chain', 'x-chain', 'c-chain']).catch('p-chain') })

const options = primaryChains.map((id) => ({ id, label: chainLabel(id) ?? id }))

type Props = { current: ChainAlias; onChange: (chain: ChainAlias) => void }

/** Chooses one of the three chains. */
export function ChainChoice({ current, onChange }: Props) {
  return <Choice label="Chain" options={options} current={current} onChange={onChange} />
}

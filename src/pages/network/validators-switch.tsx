import type { NetworkName } from '../../api/current.ts'
import { PageSwitch } from '../../components/page-tabs.tsx'
import { paths } from '../../lib/paths.ts'

type Props = { network: NetworkName; current: 'validators' | 'l1Validators' }

/** Links between the validators of the primary network and those of its L1s. */
export function ValidatorsSwitch({ network, current }: Props) {
  const to = { validators: paths.validators(network), l1Validators: paths.l1Validators(network) }
  return (
    <PageSwitch
      label="Validators of"
      tabs={[
        { label: 'Primary Network', to: to.validators },
        { label: 'L1 validators', to: to.l1Validators },
      ]}
      current={to[current]}
    />
  )
}

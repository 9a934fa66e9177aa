import type { NetworkName } from '../../api/current.ts'
import type { RegistryChain } from '../../api/network/registry.ts'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { SubnetLink } from '../../components/primary-link.tsx'
import type { Column } from '../../components/table/columns.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { isoTime } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'

/** The virtual machines that many chains share, by their ids. */
const vmNames: Readonly<Record<string, string>> = {
  srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy: 'Subnet-EVM',
  mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6: 'EVM of the C-Chain',
  jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq: 'AVM of the X-Chain',
  rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: 'Platform',
}

/** A virtual machine by its usual name, else by its id. */
export const vmLabel = (vmId: string): string | undefined => vmNames[vmId]

/** A chain's name as its maker wrote it, without what would turn or hide it. */
export const chainNameOf = (chain: { blockchainName: string }): string =>
  safeText(chain.blockchainName, 60) || 'without a name'

/** The columns of a list of blockchains. */
export function blockchainColumns(
  network: NetworkName,
  { withSubnet = true }: { withSubnet?: boolean } = {},
): Column<RegistryChain>[] {
  const subnet: Column<RegistryChain> = {
    id: 'subnet',
    header: 'Subnet',
    width: '170px',
    cell: ({ subnetId }) => <SubnetLink subnetId={subnetId} network={network} />,
    text: ({ subnetId }) => subnetId,
  }
  return [
    {
      id: 'name',
      header: 'Blockchain',
      always: true,
      narrow: 'title',
      cell: (chain) => (
        <span className="inline-flex max-w-full items-center gap-2">
          <Link to={paths.blockchain(network, chain.blockchainId)} className="link truncate font-strong">
            {chainNameOf(chain)}
          </Link>
          {chain.isL1 === true && <Pill state="active">L1</Pill>}
        </span>
      ),
      text: (chain) => chain.blockchainName,
    },
    {
      id: 'id',
      header: 'Id',
      width: '170px',
      narrow: 'below',
      cell: ({ blockchainId }) => (
        <Hash value={blockchainId} name="blockchain id" to={paths.blockchain(network, blockchainId)} />
      ),
      text: ({ blockchainId }) => blockchainId,
    },
    {
      id: 'evm',
      header: 'EVM chain id',
      align: 'right',
      width: '120px',
      narrow: 'belowSide',
      cell: ({ evmChainId }) => (evmChainId === undefined ? '–' : String(evmChainId)),
      text: ({ evmChainId }) => String(evmChainId ?? ''),
    },
    {
      id: 'vm',
      header: 'Virtual machine',
      width: '160px',
      cell: ({ vmId }) => {
        const label = vmLabel(vmId)
        return label === undefined ? (
          <Hash value={vmId} name="virtual machine id" />
        ) : (
          <span title={vmId}>{label}</span>
        )
      },
      text: ({ vmId }) => vmId,
    },
    ...(withSubnet ? [subnet] : []),
    {
      id: 'validators',
      header: 'Validators',
      align: 'right',
      width: '96px',
      cell: ({ validatorCount }) => (validatorCount === undefined ? '–' : formatInteger(validatorCount)),
      text: ({ validatorCount }) => String(validatorCount ?? ''),
    },
    {
      id: 'created',
      header: 'Made',
      width: '116px',
      narrow: 'side',
      cell: ({ createBlockTimestamp }) => <TimeAgo at={createBlockTimestamp} />,
      text: ({ createBlockTimestamp }) => isoTime(createBlockTimestamp),
    },
    {
      id: 'genesis',
      header: 'Genesis, bytes',
      align: 'right',
      hidden: true,
      width: '120px',
      cell: ({ genesisSizeBytes }) =>
        genesisSizeBytes === undefined ? '–' : formatInteger(genesisSizeBytes),
      text: ({ genesisSizeBytes }) => String(genesisSizeBytes ?? ''),
    },
  ]
}

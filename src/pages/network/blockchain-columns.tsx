import type { NetworkName } from '../../api/current.ts'
import type { RegistryChain } from '../../api/network/registry.ts'
import type { Figure } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { countColumn, hashColumn, timeColumn, dash } from '../../components/table/column-kinds.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { subnetColumn } from '../../components/table/primary-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { safeText } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'

/** The names of common virtual machines, by id. */
const vmNames: Readonly<Record<string, string>> = {
  srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy: 'Subnet-EVM',
  mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6: 'EVM of the C-Chain',
  jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq: 'AVM of the X-Chain',
  rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: 'Platform',
}

/** A virtual machine by its usual name, else by its id. */
export const vmLabel = (vmId: string): string | undefined => vmNames[vmId]

/** A chain's own name without control characters. */
export const chainNameOf = (chain: { blockchainName: string }): string =>
  safeText(chain.blockchainName, 60) || 'without a name'

/** When a blockchain or a subnet was created; a node does not tell, while it is not indexed. */
export const createdFigure = ({
  createBlockTimestamp: at,
}: {
  createBlockTimestamp?: number | undefined
}): Figure => ({
  label: 'Created',
  value: at === undefined ? null : <TimeAgo at={at} />,
})

/** The columns of a list of blockchains. */
export function blockchainColumns(
  network: NetworkName,
  { withSubnet = true }: { withSubnet?: boolean } = {},
): Column<RegistryChain>[] {
  const subnet: Column<RegistryChain> = subnetColumn(
    'subnet',
    'Subnet',
    ({ subnetId }) => subnetId,
    network,
    { width: '170px' },
  )
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
    hashColumn('id', 'ID', ({ blockchainId }) => blockchainId, 'blockchain ID', {
      to: ({ blockchainId }) => paths.blockchain(network, blockchainId),
      width: '170px',
      narrow: 'below',
    }),
    {
      id: 'evm',
      header: 'EVM chain ID',
      align: 'right',
      width: '112px',
      narrow: 'belowSide',
      cell: ({ evmChainId }) => (evmChainId === undefined ? dash : String(evmChainId)),
      text: ({ evmChainId }) => String(evmChainId ?? ''),
    },
    {
      id: 'vm',
      header: 'Virtual machine',
      width: '184px',
      cell: ({ vmId }) => {
        const label = vmLabel(vmId)
        return label === undefined ? (
          <Hash value={vmId} name="virtual machine ID" />
        ) : (
          <span title={vmId}>{label}</span>
        )
      },
      text: ({ vmId }) => vmId,
    },
    ...(withSubnet ? [subnet] : []),
    countColumn('validators', 'Validators', ({ validatorCount }) => validatorCount, { width: '96px' }),
    timeColumn('created', 'Created', ({ createBlockTimestamp }) => createBlockTimestamp, {
      width: '116px',
      narrow: 'side',
    }),
    countColumn('genesis', 'Genesis, bytes', ({ genesisSizeBytes }) => genesisSizeBytes, {
      hidden: true,
      width: '120px',
    }),
  ]
}

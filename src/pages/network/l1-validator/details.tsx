import type { L1Validator } from '../../../../contract/network/validators.ts'
import type { NetworkName } from '../../../api/current.ts'
import { Term } from '../../../components/glossary/term.tsx'
import { Hash } from '../../../components/hash.tsx'
import { NodeId } from '../../../components/node-id.tsx'
import { SubnetLink } from '../../../components/primary-link.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { Facts } from '../../shared/facts.tsx'

type Owner = L1Validator['remainingBalanceOwner']

function OwnerOf({ owner, network }: { owner: Owner; network: NetworkName }) {
  if (!owner || owner.addresses.length === 0) return <span className="text-muted">nobody</span>
  return (
    <>
      {owner.addresses.length > 1 && (
        <span className="text-muted">
          {owner.threshold} of {owner.addresses.length}:
        </span>
      )}
      {owner.addresses.map((address) => (
        <WalletAddress key={address} address={address} network={network} copy />
      ))}
    </>
  )
}

/** The registration of an L1 validator. */
export function Details({ validator, network }: { validator: L1Validator; network: NetworkName }) {
  const { validationIdHex, blsCredentials } = validator
  const publicKey = blsCredentials?.['publicKey']
  return (
    <Facts
      label="Details"
      facts={[
        {
          label: 'Validation ID',
          value: (
            <>
              <Hash value={validator.validationId} name="validation ID" full copy />
              <Term word="validation ID" />
            </>
          ),
        },
        validationIdHex !== undefined && {
          label: 'Validation ID, hex',
          value: <Hash value={validationIdHex} name="validation ID in hex" full copy />,
        },
        { label: 'Node', value: <NodeId nodeId={validator.nodeId} network={network} full copy /> },
        { label: 'Subnet', value: <SubnetLink subnetId={validator.subnetId} network={network} full copy /> },
        { label: 'Registered', value: <TimeAgo at={validator.creationTimestamp} both /> },
        {
          label: 'Balance goes back to',
          value: <OwnerOf owner={validator.remainingBalanceOwner} network={network} />,
          help: 'Who gets what is left of the balance when the validator is disabled or removed',
        },
        {
          label: 'May disable it',
          value: <OwnerOf owner={validator.deactivationOwner} network={network} />,
        },
        typeof publicKey === 'string' && {
          label: 'BLS public key',
          value: <Hash value={publicKey} name="BLS public key" full copy />,
        },
      ]}
    />
  )
}

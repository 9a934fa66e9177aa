import { useQuery } from '@tanstack/react-query'
import type { L1Message, WarpMessage } from '../../../contract/signatures/warp.ts'
import { chainsQuery } from '../../api/chains.ts'
import type { NetworkName } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Hash } from '../../components/hash.tsx'
import { NodeId } from '../../components/node-id.tsx'
import { BlockchainLink, SubnetLink } from '../../components/primary-link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { chainAlias } from '../../lib/primary-chains.ts'
import { safeText, shorten } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { Facts, type Fact } from '../shared/facts.tsx'
import { readBytes } from '../shared/readable.ts'

const words: Readonly<Record<string, string>> = {
  SubnetToL1Conversion: 'A subnet was converted to an L1',
  RegisterL1Validator: 'The L1 asks to register a validator',
  L1ValidatorRegistration: 'Validator registration (accepted or expired)',
  L1ValidatorWeight: 'A validator’s weight was set',
  Hash: 'The hash of an accepted block',
  AddressedCall: 'A message of a contract',
}

const networks: Readonly<Record<number, string>> = { 1: 'Mainnet', 5: 'Fuji', 12345: 'local network' }

/** The payload of a contract's message in quotes, if it is readable text. */
function saidIn(payload: string | undefined): string | undefined {
  const read = readBytes(payload)
  return read.kind === 'text' ? `“${safeText(read.text, 120)}”` : undefined
}

/**
 * The purpose of a message as text, or its payload where that is text, or the contract that sent it; an unknown type is
 * shown as it is.
 */
export function purposeOf(
  message: Pick<WarpMessage, 'payloadKind' | 'l1Message' | 'payload' | 'sourceAddress'>,
): string {
  const { l1Message, payloadKind, payload, sourceAddress } = message
  if (l1Message?.type === 'L1ValidatorRegistration' && l1Message.registered !== undefined)
    return l1Message.registered ? 'A validator was registered' : 'A validator was removed or has expired'
  if (l1Message) return words[l1Message.type] ?? safeText(l1Message.type, 40)
  const said = saidIn(payload)
  if (said !== undefined) return said
  if (payloadKind === 'AddressedCall' && sourceAddress !== undefined)
    return `A message of ${shorten(sourceAddress, 4, 4)}`
  return words[payloadKind] ?? 'A payload of an unknown kind'
}

function Bytes({ value, name }: { value: string; name: string }) {
  const bytes = (value.length - 2) / 2
  return (
    <>
      <span className="min-w-0 font-mono text-mono break-all">
        {value.length > 400 ? `${value.slice(0, 400)}…` : value}
      </span>
      <span className="text-xs text-muted">{formatInteger(Math.max(0, bytes))} bytes</span>
      <CopyButton text={value} name={name} />
    </>
  )
}

type Owner = NonNullable<L1Message['disableOwner']>

function OwnerText({ owner }: { owner: Owner }) {
  return (
    <span className="flex min-w-0 flex-col gap-1">
      <span className="text-muted">
        {formatInteger(owner.threshold)} of {formatInteger(owner.addresses.length)} must sign
      </span>
      {owner.addresses.map((address) => (
        <Hash key={address} value={address} name="address" full copy />
      ))}
    </span>
  )
}

function l1Facts(message: L1Message, network: NetworkName): (Fact | false)[] {
  const { validationId, conversionId, subnetId, nodeId, weight, nonce, registered, expiry } = message
  const { blsPublicKey, remainingBalanceOwner, disableOwner } = message
  return [
    validationId !== undefined && {
      label: 'Validation',
      value: (
        <Hash
          value={validationId}
          name="validation ID"
          to={paths.l1Validator(network, validationId)}
          full
          copy
        />
      ),
    },
    registered !== undefined && { label: 'Registered', value: registered ? 'Yes' : 'No' },
    weight !== undefined && {
      label: 'Weight',
      value: BigInt(weight) === 0n ? '0: the validator is removed' : formatInteger(weight),
    },
    nonce !== undefined && { label: 'Nonce', value: formatInteger(nonce) },
    conversionId !== undefined && {
      label: 'Conversion',
      value: <Hash value={conversionId} name="conversion ID" full copy />,
    },
    subnetId !== undefined && {
      label: 'Subnet',
      value: <SubnetLink subnetId={subnetId} network={network} full copy />,
    },
    nodeId !== undefined && { label: 'Node', value: <NodeId nodeId={nodeId} network={network} full copy /> },
    expiry !== undefined && { label: 'Expires', value: <TimeAgo at={expiry} both /> },
    blsPublicKey !== undefined && {
      label: 'BLS public key',
      value: <Hash value={blsPublicKey} name="BLS public key" full copy />,
    },
    remainingBalanceOwner !== undefined && {
      label: 'Balance goes to',
      value: <OwnerText owner={remainingBalanceOwner} />,
    },
    disableOwner !== undefined && { label: 'May disable', value: <OwnerText owner={disableOwner} /> },
  ]
}

function Sender({ address, chainId }: { address: string; chainId: string }) {
  const chains = useQuery(chainsQuery()).data
  const chain = chains?.find(({ platformChainId }) => platformChainId === chainId)
  return chain && /^0x[0-9a-fA-F]{40}$/.test(address) ? (
    <Address address={address} chainId={chain.chainId} full copy />
  ) : (
    <Hash value={address} name="address" full copy />
  )
}

/** A decoded unsigned message, with links. */
export function DecodedMessage({ message, network }: { message: WarpMessage; network: NetworkName }) {
  const { networkId, sourceBlockchainId, sourceBlockchainName, signingSubnetId, l1Message } = message
  const { blockHash, sourceAddress, payload } = message
  const networkName = networks[networkId]
  return (
    <Facts
      label="Message"
      facts={[
        { label: 'Says', value: purposeOf(message) },
        {
          label: 'Source',
          value: (
            <>
              {sourceBlockchainName !== undefined && chainAlias(sourceBlockchainId) === undefined && (
                <span>{safeText(sourceBlockchainName, 64)}</span>
              )}
              <BlockchainLink blockchainId={sourceBlockchainId} network={network} copy />
            </>
          ),
        },
        sourceAddress !== undefined && {
          label: 'Sender',
          value: <Sender address={sourceAddress} chainId={sourceBlockchainId} />,
        },
        ...(l1Message ? l1Facts(l1Message, network) : []),
        blockHash !== undefined && {
          label: 'Block hash',
          value: <Hash value={blockHash} name="block hash" full copy />,
        },
        !l1Message &&
          payload !== undefined && { label: 'Payload', value: <Bytes value={payload} name="payload" /> },
        {
          label: 'Signed by',
          help: 'The subnet whose validators sign unless another one is asked for',
          value:
            signingSubnetId === undefined ? (
              <span className="text-muted">unknown: give the signing subnet</span>
            ) : (
              <SubnetLink subnetId={signingSubnetId} network={network} copy />
            ),
        },
        {
          label: 'Network',
          value: `${formatInteger(networkId)}${networkName === undefined ? '' : `, ${networkName}`}`,
        },
        {
          label: 'Kind',
          value: <span className="font-mono text-mono">{l1Message?.type ?? message.payloadKind}</span>,
        },
        { label: 'Message ID', value: <Hash value={message.messageId} name="message ID" full copy /> },
      ]}
    />
  )
}

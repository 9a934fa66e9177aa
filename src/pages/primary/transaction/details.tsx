import type { ReactNode } from 'react'
import type { NetworkName } from '../../../api/current.ts'
import type { PrimaryTransactionDetails } from '../../../api/primary/transactions.ts'
import { AssetAmount, Avax, type Asset } from '../../../components/asset-amount.tsx'
import { Hash } from '../../../components/hash.tsx'
import { Link } from '../../../components/link.tsx'
import { NodeId } from '../../../components/node-id.tsx'
import {
  BlockchainLink,
  PrimaryBlockLink,
  PrimaryTxLink,
  SubnetLink,
} from '../../../components/primary-link.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger, formatNumber } from '../../../lib/amounts.ts'
import type { PrimaryChainAlias } from '../../../../contract/primary/chains.ts'
import { safeText } from '../../../lib/text.ts'
import { formatDuration } from '../../../lib/time.ts'
import { paths } from '../../../lib/paths.ts'
import { heightOf, timeOf } from '../transaction-columns.tsx'
import { Facts, type Fact } from '../../shared/facts.tsx'
import { Owners } from '../../shared/owners.tsx'
import { L1Changes } from './l1-changes.tsx'
import { MemoText } from './memo-text.tsx'

type Props = { tx: PrimaryTransactionDetails; network: NetworkName; chain: PrimaryChainAlias }

const amounts = (assets: readonly Asset[]): ReactNode => (
  <span className="flex flex-wrap gap-x-4 gap-y-1">
    {assets.map((asset) => (
      <AssetAmount key={asset.assetId} asset={asset} exact />
    ))}
  </span>
)

const code = (text: string, name: string) => <Hash value={text} name={name} full copy />

function moneyFacts({ tx }: Props): (Fact | false | undefined)[] {
  const present = (assets: readonly Asset[] | undefined): assets is readonly Asset[] =>
    assets !== undefined && assets.length > 0
  return [
    present(tx.value) && { label: 'Value', value: amounts(tx.value) },
    present(tx.amountStaked) && { label: 'Staked', value: amounts(tx.amountStaked) },
    present(tx.amountBurned) && {
      label: 'Fee',
      help: 'Inputs minus outputs (the fee)',
      value: amounts(tx.amountBurned),
    },
    present(tx.amountL1ValidatorBalanceBurned) && {
      label: 'To L1 validators',
      help: 'What went into the balance that an L1 validator pays its fee from',
      value: amounts(tx.amountL1ValidatorBalanceBurned),
    },
  ]
}

function stakeFacts({ tx, network }: Props): (Fact | false | undefined)[] {
  const { startTimestamp: start, endTimestamp: end } = tx
  // The current or last period of an auto-renewed validator.
  const stay = tx.autoRenewalTerms === undefined ? 'Staked' : 'Period'
  return [
    tx.nodeId !== undefined && {
      label: 'Node',
      value: <NodeId nodeId={tx.nodeId} network={network} full copy />,
    },
    start !== undefined && { label: `${stay} from`, value: <TimeAgo at={start} both /> },
    end !== undefined && { label: `${stay} until`, value: <TimeAgo at={end} both /> },
    start !== undefined && end !== undefined && { label: 'Duration', value: formatDuration(end - start) },
    tx.delegationFeePercent !== undefined && {
      label: 'Delegation fee',
      help: 'What the validator keeps of the rewards of its delegators',
      value: `${tx.delegationFeePercent} %`,
    },
    tx.estimatedReward !== undefined && {
      label: 'Estimated reward',
      help: 'Paid if the validator was online long enough',
      value: <Avax value={tx.estimatedReward} exact />,
    },
    tx.rewardTxHash !== undefined && {
      label: 'Rewarded in',
      value: <PrimaryTxLink chain="p-chain" txHash={tx.rewardTxHash} network={network} full copy />,
    },
    tx.stakingTxHash !== undefined && {
      label: 'Staking transaction',
      value: <PrimaryTxLink chain="p-chain" txHash={tx.stakingTxHash} network={network} full copy />,
    },
    tx.rewardAddresses !== undefined &&
      tx.rewardAddresses.length > 0 && {
        label: 'Rewards go to',
        value: <Owners addresses={tx.rewardAddresses} network={network} />,
      },
    tx.blsCredentials !== undefined && {
      label: 'BLS public key',
      value: code(tx.blsCredentials.publicKey, 'BLS public key'),
    },
    tx.blsCredentials !== undefined && {
      label: 'Proof of possession',
      value: code(tx.blsCredentials.proofOfPossession, 'proof of possession'),
    },
  ]
}

/** The settings of an auto-renewed validator, or the end of its period. */
function renewalFacts({ tx, network }: Props): (Fact | false | undefined)[] {
  const { autoRenewalTerms: terms, validationCycle: cycle } = tx
  const ends: Readonly<Record<string, string>> = {
    renewed: 'the validation was renewed',
    rewarded: 'the validator left, and was rewarded',
    unrewarded: 'the validator left without a reward for this period',
  }
  return [
    terms !== undefined && {
      label: 'Staked again',
      help: 'How much of a period’s rewards is added to the stake; the rest is paid',
      value: `${formatNumber(Number(terms.autoCompoundPercentage), 4)} % of each period’s rewards`,
    },
    terms !== undefined && {
      label: tx.txType === 'SetAutoRenewedValidatorConfigTx' ? 'Next period' : 'Each period',
      value:
        Number(terms.periodSeconds) === 0
          ? 'none: the validator leaves at the end of this one'
          : formatDuration(Number(terms.periodSeconds)),
    },
    terms?.authorityAddresses !== undefined && {
      label: 'Config owner',
      value: <Owners addresses={terms.authorityAddresses} network={network} />,
    },
    cycle !== undefined && { label: 'Outcome', value: ends[cycle.outcome] ?? cycle.outcome },
    cycle !== undefined && {
      label: 'Stake in the period',
      value: <Avax value={cycle.amountStaked} exact />,
    },
    cycle !== undefined && {
      label: 'Paid',
      help: 'Of its own reward, and of its delegators’ rewards',
      value: (
        <>
          <Avax value={cycle.validationRewardAmount} exact /> own,{' '}
          <Avax value={cycle.delegationRewardAmount} exact /> from delegators
        </>
      ),
    },
    cycle?.outcome === 'renewed' && {
      label: 'Added to the stake',
      value: (
        <>
          <Avax value={cycle.restakedValidationRewardAmount} exact /> own,{' '}
          <Avax value={cycle.restakedDelegationRewardAmount} exact /> from delegators
        </>
      ),
    },
  ]
}

function registryFacts({ tx, network, chain }: Props): (Fact | false | undefined)[] {
  const owner = tx.subnetOwnershipInfo
  const manager = tx.l1ValidatorManagerDetails
  const created = tx.blockchainInfo
  const asset = tx.assetCreated
  return [
    tx.subnetId !== undefined && {
      label: 'Subnet',
      value: <SubnetLink subnetId={tx.subnetId} network={network} full copy />,
    },
    tx.txType === 'CreateSubnetTx' && {
      label: 'Makes the subnet',
      value: <SubnetLink subnetId={tx.txHash} network={network} full copy />,
    },
    owner !== undefined && {
      label: 'Owners',
      help: 'Who may act on the subnet',
      value: (
        <span className="flex min-w-0 flex-col gap-1">
          <span className="text-muted">
            {formatInteger(owner.threshold)} of {formatInteger(owner.addresses.length)} must sign
          </span>
          <Owners addresses={owner.addresses} network={network} />
        </span>
      ),
    },
    manager !== undefined && {
      label: 'Validator manager',
      help: 'The contract that manages the validators of the L1',
      value: (
        <>
          {code(manager.contractAddress, 'contract address')}
          <span className="text-muted">on</span>
          <BlockchainLink blockchainId={manager.blockchainId} network={network} />
        </>
      ),
    },
    created !== undefined && {
      label: 'Makes the blockchain',
      value: (
        <>
          <Link to={paths.blockchain(network, tx.txHash)} className="link">
            {safeText(created.chainName, 128) || 'without a name'}
          </Link>
          <Link
            to={paths.blockchain(network, tx.txHash, { tab: 'genesis' })}
            className="control control-small"
          >
            Genesis
          </Link>
        </>
      ),
    },
    created !== undefined && { label: 'Virtual machine', value: code(created.vmId, 'virtual machine ID') },
    asset !== undefined && {
      label: 'Makes the asset',
      value: (
        <>
          <span>
            {safeText(asset.name, 128)} ({safeText(asset.symbol, 16)})
          </span>
          <span className="text-muted">
            {asset.type === 'nft' ? 'NFT' : `${asset.denomination} decimals`}
            {asset.cap !== undefined && `, ${asset.cap} cap`}
          </span>
          <Hash value={asset.assetId} name="asset ID" copy />
        </>
      ),
    },
    tx.sourceChain !== undefined && {
      label: 'From',
      value: <BlockchainLink blockchainId={tx.sourceChain} network={network} />,
    },
    tx.destinationChain !== undefined && {
      label: 'To',
      value: <BlockchainLink blockchainId={tx.destinationChain} network={network} />,
    },
    tx.vertices !== undefined &&
      tx.vertices.length > 0 && {
        label: tx.vertices.length === 1 ? 'Vertex' : 'Vertices',
        value: (
          <span className="flex min-w-0 flex-col gap-1">
            {tx.vertices.map((vertex) => (
              <Hash
                key={vertex.hash}
                value={vertex.hash}
                name="vertex ID"
                to={paths.vertex(network, vertex.hash)}
                full
              />
            ))}
          </span>
        ),
      },
    chain === 'x-chain' &&
      tx.chainFormat !== undefined && {
        label: 'Format',
        help: 'Whether it was accepted in a block or, before those, in a vertex',
        value: tx.chainFormat,
      },
  ]
}

/** The facts of a transaction: fee, memo, and its stake, subnet, L1 or asset. */
export function TransactionFacts(props: Props) {
  const { tx, network, chain } = props
  const at = timeOf(tx)
  const height = heightOf(tx)
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Facts
        label="Transaction"
        facts={[
          { label: 'Type', value: <span className="font-mono text-mono">{tx.txType}</span> },
          at !== undefined && { label: 'Time', value: <TimeAgo at={at} both /> },
          height !== undefined && {
            label: 'Block',
            value: (
              <>
                <PrimaryBlockLink network={network} chain={chain} height={height} />
                {tx.blockHash !== undefined && (
                  <Hash
                    value={tx.blockHash}
                    name="block ID"
                    to={paths.primaryBlock(network, chain, tx.blockHash)}
                    copy
                  />
                )}
              </>
            ),
          },
          ...moneyFacts(props),
          ...stakeFacts(props),
          ...renewalFacts(props),
          ...registryFacts(props),
          chain !== 'c-chain' && { label: 'Memo', value: <MemoText memo={tx.memo} /> },
        ]}
      />
      {tx.l1ValidatorDetails !== undefined && tx.l1ValidatorDetails.length > 0 && (
        <L1Changes changes={tx.l1ValidatorDetails} network={network} />
      )}
    </div>
  )
}

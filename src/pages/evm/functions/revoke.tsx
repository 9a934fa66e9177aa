import { useState } from 'react'
import { encodeFunctionData, parseAbi, zeroAddress, type Hex } from 'viem'
import type { Approval } from '../../../../contract/evm/approvals.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { account } from '../../../api/wallet/wallets.ts'
import { Address } from '../../../components/address.tsx'
import { Button } from '../../../components/controls.tsx'
import { useStore } from '../../../components/hooks.ts'
import { TriedCall, type Call } from './tried-call.tsx'
import { WalletLine } from './wallet-line.tsx'

const abi = parseAbi([
  'function approve(address, uint256)',
  'function setApprovalForAll(address operator, bool approved)',
])

/** The call of the token that takes an approval back. */
function revocation({ kind, spender, tokenId = '0' }: Approval): Hex {
  if (kind === 'COLLECTION')
    return encodeFunctionData({
      abi,
      functionName: 'setApprovalForAll',
      args: [spender.address as Hex, false],
    })
  const args =
    kind === 'NFT' ? ([zeroAddress, BigInt(tokenId)] as const) : ([spender.address as Hex, 0n] as const)
  return encodeFunctionData({ abi, functionName: 'approve', args })
}

/** Takes an approval back by the wallet of the address that gave it. */
export function Revoke({ approval, owner, chain }: { approval: Approval; owner: string; chain: ChainFacts }) {
  const from = useStore(account)
  const [call, setCall] = useState<Call>()
  const isOwner = from?.address.toLowerCase() === owner.toLowerCase()
  return (
    <div className="flex flex-col items-start gap-3">
      <p>
        <Address {...approval.spender} chainId={chain.chainId} /> will no longer be able to take these tokens.
        That is a transaction of <Address address={owner} chainId={chain.chainId} />, which pays its fee.
      </p>
      <WalletLine chainId={chain.chainId} />
      {from && !isOwner && (
        <p role="alert" className="text-bad">
          The wallet uses another account. Choose the one that gave the approval.
        </p>
      )}
      {isOwner && !call && (
        <Button
          className="border-accent text-accent"
          onClick={() => setCall({ attempt: 1, from, data: revocation(approval), value: '0' })}
        >
          Try it
        </Button>
      )}
      {call && call.from === from && <TriedCall call={call} address={approval.token.address} chain={chain} />}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useHref, useNavigate } from 'react-router'
import { chainsQuery } from '../../../api/chains.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { simulationQuery } from '../../../api/evm/contract-code.ts'
import { transactionQuery } from '../../../api/evm/transactions.ts'
import { sendByWallet } from '../../../api/wallet/send.ts'
import type { Account } from '../../../api/wallet/wallets.ts'
import { Button } from '../../../components/controls.tsx'
import { Hash } from '../../../components/hash.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { messageOf } from './message-of.ts'
import { Simulated } from './simulated.tsx'

type Contract = { address: string; chain: ChainFacts }

/** A call that somebody is about to make; `attempt` tells one from the next with the same data. */
export type Call = {
  readonly attempt: number
  readonly from: Account
  readonly data: `0x${string}`
  /** In the smallest unit of the native token. */
  readonly value: string
}

/** A transaction that was sent, until its page has something to show; then that page opens. */
function Sent({ txHash, chainId }: { txHash: string; chainId: string }) {
  const navigate = useNavigate()
  const { data } = useQuery({
    ...transactionQuery(chainId, txHash),
    retry: false,
    refetchInterval: ({ state }) => (state.data ? false : 1_500),
  })
  const isThere = data !== undefined
  useEffect(() => {
    if (isThere) void navigate(paths.transaction(chainId, txHash))
  }, [isThere, navigate, chainId, txHash])
  return (
    <output className="flex flex-wrap items-center gap-x-1.5">
      Sent as <Hash value={txHash} name="transaction hash" to={paths.transaction(chainId, txHash)} />
      <span className="text-muted">· waiting for its block</span>
    </output>
  )
}

/** Has the wallet send a call, which was tried before. */
function Send({ call, address, chain }: Contract & { call: Call }) {
  const known = useQuery(chainsQuery()).data?.find(({ chainId }) => chainId === chain.chainId)
  const explorer = new URL(useHref(`/chain/${chain.chainId}`), location.href).href
  const send = useRequest(() => {
    if (!known) throw new Error('The chain is not known yet.')
    const { data, value } = call
    return sendByWallet(call.from, known, explorer, { to: address, data, value: BigInt(value) })
  })
  if (send.data) return <Sent txHash={send.data} chainId={chain.chainId} />
  return (
    <>
      <Button
        className="border-accent text-accent"
        disabled={send.isPending || !known}
        onClick={() => send.mutate()}
      >
        {send.isPending
          ? `Confirm it in ${safeText(call.from.wallet.name, 40)}`
          : `Send with ${safeText(call.from.wallet.name, 40)}`}
      </Button>
      {send.error && (
        <p role="alert" className="max-w-[80ch] break-words text-bad">
          {safeText(send.error.message, 400)}
        </p>
      )}
    </>
  )
}

/** A call as it would go, and if it would succeed, the button by which the wallet sends it. */
export function TriedCall({ call, address, chain }: Contract & { call: Call }) {
  const { attempt, from, data, value } = call
  const tried = useQuery(
    simulationQuery(chain.chainId, address, { from: from.address, data, value }, attempt),
  )
  if (tried.error)
    return (
      <p role="alert" className="break-words text-bad">
        {messageOf(tried.error)}
      </p>
    )
  if (!tried.data) return <output className="text-muted">Trying it</output>
  return (
    <>
      <Simulated answer={tried.data} chain={chain} />
      {tried.data.isSuccess && <Send call={call} address={address} chain={chain} />}
    </>
  )
}

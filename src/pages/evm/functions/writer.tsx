import { useState } from 'react'
import type { AbiFunction } from '../../../../contract/evm/contract-code.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { account } from '../../../api/wallet/wallets.ts'
import { Button, Input } from '../../../components/controls.tsx'
import { useStore } from '../../../components/hooks.ts'
import { safeText } from '../../../lib/text.ts'
import { toSmallestUnit } from '../../shared/decimal.ts'
import { encodeCall } from './encode-call.ts'
import { FunctionForm } from './function-form.tsx'
import type { Value } from './parameters.ts'
import { TriedCall, type Call } from './tried-call.tsx'
import { WalletLine } from './wallet-line.tsx'

type Contract = { address: string; chain: ChainFacts }

/** The form of a function that changes something: it is tried first, then the wallet signs and sends it. */
export function Writer({ fn, address, chain }: Contract & { fn: AbiFunction }) {
  const from = useStore(account)
  const [amount, setAmount] = useState('')
  const [wrong, setWrong] = useState<string>()
  const [call, setCall] = useState<Call>()
  const submit = (args: Value[]): void => {
    const value = fn.isPayable === true && amount.trim() !== '' ? toSmallestUnit(amount, chain.decimals) : '0'
    setCall(undefined)
    if (!from) return setWrong('Connect a wallet first: a call is tried as somebody’s.')
    if (value === undefined) return setWrong(`Give an amount of ${chain.symbol}, such as 0.5.`)
    try {
      const data = encodeCall(fn, args)
      setWrong(undefined)
      setCall({ attempt: (call?.attempt ?? 0) + 1, from, data, value })
    } catch (error) {
      setWrong(error instanceof Error ? error.message.split('\n')[0] : String(error))
    }
  }
  // What was tried is not what the fields say now.
  const forget = (): void => setCall(undefined)
  return (
    <FunctionForm fn={fn} onSubmit={submit} onChange={forget}>
      {fn.isPayable === true && (
        <label className="flex w-full max-w-[64ch] flex-col gap-1">
          <span className="text-muted">Amount to pay, {chain.symbol}</span>
          <Input
            mono
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            value={amount}
            onChange={(text) => {
              setAmount(text)
              forget()
            }}
          />
        </label>
      )}
      <WalletLine chainId={chain.chainId} />
      <Button type="submit" small>
        Try it
      </Button>
      {wrong !== undefined && (
        <p role="alert" className="max-w-[80ch] break-words text-bad">
          {safeText(wrong, 400)}
        </p>
      )}
      {/* Another account would be another call. */}
      {call && call.from === from && (
        <TriedCall key={call.attempt} call={call} address={address} chain={chain} />
      )}
    </FunctionForm>
  )
}

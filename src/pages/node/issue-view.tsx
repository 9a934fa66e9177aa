import { useEffect, useState } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { askNode, atomicCall, atomicStatusOf } from '../../api/node/node-queries.ts'
import { issuedTx } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Hash } from '../../components/hash.tsx'
import { useLatest } from '../../components/hooks.ts'
import { useRequest } from '../../components/use-request.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { Button, Form } from '../../components/controls.tsx'
import { AskedButton, OutcomeLine, Labelled } from './shared/act.tsx'
import { isFinal, isTransient, parseSigned, progressAfter, type Progress } from './issue.ts'
import { reasonOf } from './shared/node-failed.tsx'

const everySecond = 1_000
/** The number of status requests before following ends. */
const timeoutMs = 120

/** Follows a transaction until it is accepted or dropped, for at most two minutes. */
function useProgress(
  target: NodeTarget,
  txId: string,
): { progress: Progress; error: unknown; isWatching: boolean; again: () => void } {
  const [progress, setProgress] = useState<Progress>({ step: 'asked' })
  const [error, setError] = useState<unknown>()
  const [isWatching, setWatching] = useState(true)
  const known = useLatest(progress)
  useEffect(() => {
    if (!isWatching) return
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (left: number): Promise<void> => {
      try {
        const next = progressAfter(known.current, await atomicStatusOf(target, txId, signal))
        setProgress(next)
        setError(undefined)
        if (isFinal(next)) return setWatching(false)
      } catch (reason) {
        if (signal.aborted) return
        setError(reason)
        if (!isTransient(reason)) return setWatching(false)
      }
      if (left <= 1) setWatching(false)
      else timer = setTimeout(() => void look(left - 1), everySecond)
    }
    void look(timeoutMs)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [target, txId, isWatching, known])
  return { progress, error, isWatching, again: () => setWatching(true) }
}

const steps = ['sent', 'processing', 'accepted'] as const

function stepWords(progress: Progress, isWatching: boolean): string {
  switch (progress.step) {
    case 'asked':
      return 'The node took it.'
    case 'processing':
      return 'The node holds it and waits for a block.'
    case 'accepted':
      return progress.height === undefined
        ? 'It is accepted.'
        : `It is accepted in block ${formatInteger(progress.height)}.`
    case 'dropped':
      return 'The node dropped it: it no longer knows it, and no block has it.'
    default:
      return isWatching ? 'The node does not know it yet.' : 'The node does not know it.'
  }
}

/** The steps of a transaction to acceptance, with the current one. */
function Follow({ target, txId }: { target: NodeTarget; txId: string }) {
  const network = useCurrentNetwork()
  const { progress, error, isWatching, again } = useProgress(target, txId)
  const reached = { asked: 0, unknown: 0, processing: 1, accepted: 2, dropped: 1 }[progress.step]
  return (
    <section
      aria-label="Issued transaction"
      className="flex flex-col gap-2 border-l-2 border-line-strong pl-4"
    >
      <Hash
        value={txId}
        name="transaction ID"
        full
        copy
        to={
          target.isOfProfile && progress.step === 'accepted'
            ? paths.primaryTransaction(network, 'c-chain', txId)
            : undefined
        }
      />
      <ol aria-label="Steps" className="flex flex-wrap items-center gap-2">
        {steps.map((step, index) => (
          <li
            key={step}
            aria-current={index === reached ? 'step' : undefined}
            className={`rounded-full border px-3 text-xs leading-6 ${
              index > reached
                ? 'border-line text-muted'
                : index < reached || step === 'accepted'
                  ? 'border-ok text-ok'
                  : 'border-accent text-accent'
            }`}
          >
            {step === 'processing' && progress.step === 'dropped' ? 'dropped' : step}
          </li>
        ))}
      </ol>
      <output className="block text-muted">{stepWords(progress, isWatching)}</output>
      {error !== undefined && <p className="text-xs text-bad">{reasonOf(error)}</p>}
      {!isWatching && !isFinal(progress) && (
        <Button small className="self-start" onClick={again}>
          Check again
        </Button>
      )}
    </section>
  )
}

/** Issues a signed atomic transaction and follows it. */
export function Issue({ target }: { target: NodeTarget }) {
  const [text, setText] = useState('')
  const [txId, setTxId] = useState('')
  const parsed = parseSigned(text)
  const request = useRequest(async (_: void, signal) => {
    if ('wrong' in parsed) throw new Error(parsed.wrong)
    const { path, method } = atomicCall(target, 'issueTx')
    const params = [{ tx: parsed.tx, encoding: 'hex' }]
    const { txID } = await askNode(target, path, method, params, issuedTx, signal)
    setTxId(txID)
    return 'The node took the transaction.'
  })
  return (
    <Form className="flex flex-col gap-2" onSubmit={() => undefined}>
      <Labelled label="Signed transaction, hex with its checksum">
        <textarea
          ref={(field) => field?.setCustomValidity('wrong' in parsed ? parsed.wrong : '')}
          className="field h-24 resize-y py-1.5 font-mono text-mono break-all"
          spellCheck={false}
          value={text}
          aria-invalid={text !== '' && 'wrong' in parsed}
          onChange={(event) => setText(event.target.value)}
        />
      </Labelled>
      {text !== '' && 'wrong' in parsed && <p className="text-xs text-bad">{parsed.wrong}</p>}
      <div className="flex flex-wrap items-center gap-3">
        <AskedButton
          target={target}
          label="Issue"
          title="Issue this transaction?"
          disabled={request.isPending}
          onConfirm={() => request.mutate()}
        >
          <p>It is signed: once a block has it, nothing takes it back.</p>
          <p className="max-h-24 overflow-y-auto font-mono text-mono break-all text-muted">
            {'tx' in parsed && safeText(parsed.tx, 400)}
          </p>
        </AskedButton>
        <OutcomeLine request={request} />
      </div>
      {txId !== '' && <Follow key={txId} target={target} txId={txId} />}
    </Form>
  )
}

import { useEffect, useRef, useState } from 'react'
import { networkNames } from '../../../contract/base/fields.ts'
import { useOffers, useProfile, type NetworkName } from '../../api/current.ts'
import { ApiError } from '../../api/errors.ts'
import { keyPlace, keys } from '../../api/session.ts'
import { Term } from '../../components/glossary/term.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { useLatest, useStore } from '../../components/hooks.ts'
import { AlertIcon } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { safeText } from '../../lib/text.ts'
import { useNetworkLabels } from '../shared/network-crumb.tsx'
import { Failed } from '../shared/failed.tsx'
import { Button, Form, Select } from '../../components/controls.tsx'
import { curlOfRound } from './commands.ts'
import { DecodedMessage } from './decoded.tsx'
import {
  bodyOf,
  contractErrors,
  isAdvanced,
  serviceErrors,
  txIdError,
  type Draft,
  type FieldErrors,
} from './draft.ts'
import { Field } from './field.tsx'
import { QuorumScale } from './quorum-scale.tsx'
import type { Asked, Run } from './run.ts'
import { RunView } from './run-view.tsx'
import { useMessage, useSignerSet, type MessageState } from './use-message.ts'
import { WhatToSign } from './what-to-sign.tsx'

type Props = {
  draft: Draft
  change: (patch: Partial<Draft>) => void
  network: NetworkName
  run: Run | undefined
  start: (asked: Asked) => void
  leave: () => void
}

/** The service's errors for this request, by field. */
function errorsOfRun(run: Run | undefined, asked: Asked): FieldErrors {
  if (run?.failure?.status !== 400 || JSON.stringify(run.asked) !== JSON.stringify(asked)) return {}
  return serviceErrors(run.failure.lines).fields
}

/** Why the service could not decode or find the input, for its field. */
function lookupError(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) return undefined
  return error.message.replace(/^(message|txHash): /, '')
}

function MessagePart({ state, draft, network }: { state: MessageState; draft: Draft; network: NetworkName }) {
  const { message, found, isLooking, error, retry } = state
  if (message)
    return (
      <>
        {found?.refusal !== undefined && (
          <p className="flex items-center gap-2 pb-2 text-warn">
            <AlertIcon />
            {safeText(found.refusal, 300)}
          </p>
        )}
        <DecodedMessage message={message} network={network} />
      </>
    )
  if (isLooking) return <SkeletonRows count={6} />
  if (error && lookupError(error) === undefined)
    return <Failed title="The message could not be decoded." error={error} onRetry={retry} />
  const justified = draft.by === 'message' && draft.message.trim() === '' && draft.justification.trim() !== ''
  return (
    <p className="border-y border-line py-3 text-muted">
      {justified
        ? 'From a justification alone the service makes the message that it justifies.'
        : 'Its source, content and signers appear here as you type.'}
    </p>
  )
}

/** The form of an aggregation with the decoded message; once it is sent, the round, with the form folded below it. */
export function RequestTab({ draft, change, network, run, start, leave }: Props) {
  const profile = useProfile()
  const hasKey = useStore(keys, (all) => profile !== undefined && all[keyPlace(profile)] !== undefined)
  const decodes = useOffers('decodeWarpMessage')
  const finds = useOffers('getWarpMessageOfTransaction')
  const [tried, setTried] = useState(false)
  const [isOpen, setOpen] = useState(() => isAdvanced(draft))
  const [showsForm, setShowsForm] = useState(false)
  const wanted = useRef(false)
  const state = useMessage(draft, network, decodes)
  const signers = useSignerSet(draft, network, state.message, useOffers('getSignerSet'))

  const byTransaction = draft.by === 'transaction'
  // If the service cannot look up the message, the transaction itself is sent.
  const short = byTransaction && !finds
  const body = bodyOf(draft, state.found)
  const tx = draft.tx.trim()
  const asked: Asked = {
    network,
    body,
    byTransaction: short,
    ...(byTransaction && { tx }),
  }
  const invalid: FieldErrors = short ? {} : contractErrors(body)
  if (byTransaction) {
    delete invalid.message
    delete invalid.justification
    const error = txIdError(tx)
    if (error !== undefined) invalid.tx = error
  }
  const looked = lookupError(state.error)
  if (looked !== undefined) invalid[byTransaction ? 'tx' : 'message'] = looked
  const waits = byTransaction && !short && state.found === undefined
  const sendable = Object.keys(invalid).length === 0 && !waits

  const empty: Record<string, boolean> = {
    message: draft.message.trim() === '',
    justification: draft.justification.trim() === '',
    signingSubnetId: draft.subnet.trim() === '',
    tx: tx === '',
  }
  // A field shows no error before it is edited or the form is sent.
  const errors: FieldErrors = {
    ...errorsOfRun(run, asked),
    ...Object.fromEntries(Object.entries(invalid).filter(([name]) => tried || empty[name] !== true)),
  }
  const send = (): void => {
    setTried(true)
    // A mistake in the folded part must be seen.
    if (
      ['justification', 'pChainHeight', 'signingSubnetId', 'quorumPercentage', 'quorumPercentageBuffer'].some(
        (name) => name in invalid,
      )
    )
      setOpen(true)
    if (run?.state === 'running') return
    wanted.current = Object.keys(invalid).length === 0 && waits
    if (!sendable) return
    setShowsForm(false)
    start(asked)
  }
  // Asked for while the message of the transaction was still looked for: it is sent once that is found.
  const sendWanted = useLatest(send)
  useEffect(() => {
    if (!wanted.current || waits) return
    wanted.current = false
    sendWanted.current()
  }, [waits, sendWanted])
  // Once it is sent the answer is what counts; a refusal is told at its field.
  const isFormShown = run === undefined || showsForm || run.failure?.status === 400
  const labelOf = useNetworkLabels()
  const shownNetworks = networkNames.filter((one) => one !== 'testnet' || network === 'testnet')
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {run && (
        <>
          <RunView
            run={run}
            onLeave={leave}
            onQuorum={(quorum) => {
              change({ quorum: String(quorum), buffer: '0' })
              setOpen(true)
              setShowsForm(true)
            }}
            onAgain={() => start(run.asked)}
          />
          <Button className="self-start" aria-expanded={isFormShown} onClick={() => setShowsForm(!showsForm)}>
            {showsForm ? 'Hide the request' : 'Change the request'}
          </Button>
        </>
      )}
      <Form
        aria-label="Aggregate signatures"
        noValidate
        className={`grid min-w-0 grid-cols-1 gap-8 lg:grid-cols-2 ${isFormShown ? '' : 'hidden'}`}
        onSubmit={send}
      >
        <div className="flex min-w-0 flex-col gap-5">
          <WhatToSign draft={draft} change={change} errors={errors} finds={finds} />
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              className="border-accent bg-accent font-strong text-on-accent hover:not-disabled:bg-accent disabled:bg-surface"
              disabled={run?.state === 'running'}
            >
              {run?.state === 'running'
                ? 'Collecting …'
                : tried && waits && Object.keys(invalid).length === 0
                  ? 'Looking up the message …'
                  : 'Collect signatures'}
            </Button>
            {profile && sendable && (
              <span className="flex items-center gap-1 text-muted">
                curl
                <CopyButton text={curlOfRound(asked, profile, location.origin, hasKey)} name="curl command" />
              </span>
            )}
            <span className="flex items-center gap-1 text-muted">
              Link
              <CopyButton text={location.href} name="link to this form" />
            </span>
          </div>
          <Disclosure
            look="part"
            open={isOpen}
            onOpen={setOpen}
            className="border-t border-line"
            summary={
              <>
                Advanced
                <span className="font-normal text-muted">quorum {draft.quorum} %</span>
              </>
            }
          >
            <div className="flex min-w-0 flex-col gap-5 pt-2">
              {!byTransaction && (
                <Field
                  label="Justification"
                  beside={<Term word="justification" />}
                  error={errors.justification}
                  hint="Bytes in hex, needed for some P-Chain messages"
                >
                  {(control) => (
                    <textarea
                      {...control}
                      rows={2}
                      spellCheck={false}
                      autoComplete="off"
                      className="field h-auto w-full resize-y py-1.5 font-mono text-mono break-all"
                      value={draft.justification}
                      onChange={(event) => change({ justification: event.target.value })}
                    />
                  )}
                </Field>
              )}
              <div className="grid min-w-0 grid-cols-1 gap-4 md:grid-cols-2">
                <Field label="Network">
                  {(control) => (
                    <Select
                      {...control}
                      value={network}
                      options={shownNetworks.map((id) => ({ id, label: labelOf(id) }))}
                      onChange={(chosen) => change({ network: chosen })}
                    />
                  )}
                </Field>
                <Field
                  label="P-Chain height"
                  error={errors.pChainHeight}
                  hint="Of the validator set; 0 is the proposed height"
                >
                  {(control) => (
                    <input
                      {...control}
                      inputMode="numeric"
                      autoComplete="off"
                      className="field"
                      disabled={short}
                      value={draft.height}
                      onChange={(event) => change({ height: event.target.value.trim() })}
                    />
                  )}
                </Field>
              </div>
              <Field
                label="Signing subnet"
                beside={<Term word="signing subnet" />}
                error={errors.signingSubnetId}
                hint="cb58 or hex; the subnet of the source blockchain when empty"
              >
                {(control) => (
                  <input
                    {...control}
                    spellCheck={false}
                    autoComplete="off"
                    className="field font-mono text-mono"
                    placeholder={state.message?.signingSubnetId ?? 'the subnet of the source'}
                    disabled={short}
                    value={draft.subnet}
                    onChange={(event) => change({ subnet: event.target.value })}
                  />
                )}
              </Field>
              <QuorumScale
                set={signers.set}
                isLoading={state.isLooking || signers.isPending}
                quorum={draft.quorum}
                buffer={draft.buffer}
                onChange={change}
                errors={errors}
                disabled={short}
              />
              {signers.error && (
                <p className="text-xs text-warn">The signers could not be listed: {signers.error.message}</p>
              )}
            </div>
          </Disclosure>
          {!decodes && (
            <p className="text-xs text-muted">
              This deployment returns only the signed message; a Ridgeline service of your own also decodes it
              and lists the signers.
            </p>
          )}
        </div>
        <Section title="The message" note={state.found && 'found by its transaction'}>
          <MessagePart state={state} draft={draft} network={network} />
        </Section>
      </Form>
    </div>
  )
}

import { CopyButton } from '../../components/copy-button.tsx'
import { SaveButton } from '../../components/save-button.tsx'
import { jsonText } from '../../lib/export.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { outcomeOf } from './explain.ts'
import type { Run } from './run.ts'
import { bareHex } from './signed.ts'

/** The record of a round for a file: the message, the signer set, and the outcomes. */
function recordOf(run: Run): unknown {
  const { begun, signedMessage, signers, asked, signedWeight, totalWeight, requiredWeight } = run
  return {
    signedMessage,
    messageId: begun?.message.messageId,
    message: begun?.message.message ?? asked.body.message,
    justification: asked.body.justification,
    network: asked.network,
    txHash: asked.tx,
    signingSubnetId: begun?.set.subnetId ?? asked.body.signingSubnetId,
    pChainHeight: begun?.set.pChainHeight,
    quorumPercentage: asked.body.quorumPercentage,
    quorumPercentageBuffer: asked.body.quorumPercentageBuffer,
    signedWeight,
    requiredWeight,
    totalWeight,
    signers:
      begun?.set.signers.map(({ index, nodeIds, publicKey, weight }) => ({
        index,
        nodeIds,
        publicKey,
        weight,
        outcome: outcomeOf(run, index),
      })) ?? signers?.map((index) => ({ index, outcome: 'signed' })),
  }
}

/** The signed message with buttons to copy and save it. */
export function SignedMessage({ run, message }: { run: Run; message: string }) {
  const name = `signed-message-${(run.begun?.message.messageId ?? message).slice(2, 14)}`
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-strong">Signed message</h3>
        <span className="text-xs text-muted">{formatInteger(bareHex(message).length / 2)} bytes</span>
        <CopyButton text={message} name="signed message" />
        <SaveButton file={`${name}.hex`} text={`${bareHex(message)}\n`} label=".hex" />
        <SaveButton file={`${name}.json`} text={() => `${jsonText(recordOf(run), 2)}\n`} label=".json" />
      </div>
      {/* A scrolling element must be focusable. */}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Signed message"
        className="max-h-48 overflow-auto rounded-base border border-line bg-sunken p-3 font-mono text-mono break-all whitespace-pre-wrap"
      >
        {message}
      </pre>
    </div>
  )
}

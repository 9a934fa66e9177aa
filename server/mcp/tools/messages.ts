import { z } from 'zod'
import { aggregateSignatures } from '../../../contract/signatures/signatures.ts'
import { getSignerSet, getWarpMessageOfTransaction } from '../../../contract/signatures/warp.ts'
import { networkInput, tool, transactionInput, utc } from './tool.ts'

export const messageSignatures = tool({
  name: 'message_signatures',
  title: 'A message between chains and its signatures',
  description:
    'The message that a transaction sent to another chain, who must sign it, and, if asked for, the signatures of the validators collected into one signed message.',
  input: z.strictObject({
    transaction: transactionInput,
    network: networkInput,
    collect: z.boolean().default(false).describe('Whether to ask the validators for their signatures now'),
    quorumPercentage: z.int().min(0).max(100).default(67),
  }),
  output: z.object({
    messageId: z.string(),
    chainName: z.string(),
    transaction: z.string(),
    timestamp: z.int(),
    kind: z.string(),
    sourceBlockchainId: z.string(),
    sourceAddress: z.string().optional(),
    l1MessageType: z.string().optional(),
    message: z.string().describe('The unsigned message, 0x hex'),
    refusal: z.string().optional().describe('Why validators no longer sign it'),
    signingSubnetId: z.string().optional(),
    signerCount: z.int().optional(),
    totalWeight: z.string().optional(),
    signedMessage: z.string().optional().describe('Only if they were collected'),
    url: z.string(),
  }),
  async run({ transaction, network, collect, quorumPercentage }, { ask, page, networkOf }) {
    const served = await networkOf(network)
    const found = await ask.operation(getWarpMessageOfTransaction, {
      params: { network: served, txHash: transaction },
    })
    const { signingSubnetId, justification, message } = found
    const signers =
      signingSubnetId === undefined
        ? undefined
        : await ask.found(getSignerSet, { params: { network: served, subnetId: signingSubnetId } })
    const signed = collect
      ? await ask.operation(aggregateSignatures, {
          params: { network: served },
          body: {
            message,
            ...(justification !== undefined && { justification }),
            ...(signingSubnetId !== undefined && { signingSubnetId }),
            quorumPercentage,
          },
        })
      : undefined
    const url = page('signatures')
    return {
      text: [
        `${found.l1Message?.type ?? found.payloadKind} message ${found.messageId} of ${found.chainName}, ${utc(found.blockTimestamp)}.`,
        ...(found.refusal === undefined ? [] : [`Validators no longer sign it: ${found.refusal}.`]),
        ...(signers === undefined
          ? []
          : [
              `${signers.signers.length} signers of subnet ${signers.subnetId}, weight ${signers.totalWeight}.`,
            ]),
        ...(signed === undefined ? [] : [`Signed message: ${signed.signedMessage}`]),
        url,
      ],
      data: {
        messageId: found.messageId,
        chainName: found.chainName,
        transaction: found.txHash,
        timestamp: found.blockTimestamp,
        kind: found.payloadKind,
        sourceBlockchainId: found.sourceBlockchainId,
        ...(found.sourceAddress !== undefined && { sourceAddress: found.sourceAddress }),
        ...(found.l1Message && { l1MessageType: found.l1Message.type }),
        message,
        ...(found.refusal !== undefined && { refusal: found.refusal }),
        ...(signingSubnetId !== undefined && { signingSubnetId }),
        ...(signers && { signerCount: signers.signers.length, totalWeight: signers.totalWeight }),
        ...(signed && { signedMessage: signed.signedMessage }),
        url,
      },
    }
  },
})

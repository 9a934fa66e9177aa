import { useQuery } from '@tanstack/react-query'
import { hexBytes, subnetId as subnetIdSchema } from '../../../contract/signatures/signatures.ts'
import type { EmittedMessage, SignerSet, WarpMessage } from '../../../contract/signatures/warp.ts'
import type { NetworkName } from '../../api/current.ts'
import {
  decodedMessageQuery,
  messageOfTransactionQuery,
  signerSetQuery,
} from '../../api/signatures/signatures.ts'
import { useDebounced } from '../../components/hooks.ts'
import { txIdError, withoutSpaces, type Draft } from './draft.ts'

export type MessageState = {
  /** The decoded message of the form. */
  message: WarpMessage | undefined
  /** The message of a transaction. */
  found: EmittedMessage | undefined
  isLooking: boolean
  error: Error | null
  retry: () => void
}

/** The decoded message of the form, or of its transaction, once typing has paused. */
export function useMessage(draft: Draft, network: NetworkName, decodes: boolean): MessageState {
  const byTransaction = draft.by === 'transaction'
  const tx = useDebounced(draft.tx.trim(), 250)
  const text = useDebounced(withoutSpaces(draft.message), 250)
  const isTx = byTransaction && txIdError(tx) === undefined
  const isMessage = !byTransaction && hexBytes.safeParse(text).success
  const found = useQuery({ ...messageOfTransactionQuery(network, tx), enabled: decodes && isTx })
  const decoded = useQuery({ ...decodedMessageQuery(network, text), enabled: decodes && isMessage })
  const query = byTransaction ? found : decoded
  const asked = byTransaction ? isTx : isMessage
  const current = byTransaction ? tx === draft.tx.trim() : text === withoutSpaces(draft.message)
  const shown = asked && current ? query : undefined
  return {
    message: shown?.data,
    found: byTransaction && current && isTx ? found.data : undefined,
    isLooking: decodes && asked && (!current || query.isFetching) && shown?.data === undefined,
    error: shown?.error ?? null,
    retry: () => void query.refetch(),
  }
}

/** The signers: those of the form's subnet, else of the default one. */
export function useSignerSet(
  draft: Draft,
  network: NetworkName,
  message: WarpMessage | undefined,
  offered: boolean,
): { set: SignerSet | undefined; error: Error | null; isPending: boolean } {
  const subnetId = useDebounced(draft.subnet.trim(), 250) || message?.signingSubnetId || ''
  const height = useDebounced(draft.height.trim(), 250)
  const enabled = offered && subnetIdSchema.safeParse(subnetId).success && /^\d{1,15}$/.test(height)
  const { data, error, isPending } = useQuery({
    ...signerSetQuery(network, subnetId, Number(height)),
    enabled,
  })
  return { set: enabled ? data : undefined, error: enabled ? error : null, isPending: enabled && isPending }
}

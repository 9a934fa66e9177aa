import { safeText } from '../../lib/text.ts'

/** Types whose codec name says nothing of what they do. */
const names: Readonly<Record<string, string>> = {
  BaseTx: 'Transfer',
  OperationTx: 'Asset operation',
  UNKNOWN: 'Unknown type',
}

/** A transaction's type as text: `AddPermissionlessValidatorTx` is `Add permissionless validator`, `BaseTx` `Transfer`. */
export function txTypeLabel(type: string): string {
  const name = names[type]
  if (name !== undefined) return name
  const words = safeText(type, 48)
    .replace(/Tx$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=L1)(?=[A-Z])/g, ' ')
    .split(' ')
  return words.map((word, index) => (index === 0 || word === 'L1' ? word : word.toLowerCase())).join(' ')
}

/** A transaction's type as text, with its API name in the title. */
export function TxTypePill({ type }: { type: string }) {
  return (
    <span
      className="inline-flex h-5 max-w-full items-center rounded-full bg-hover px-2 text-xs text-muted"
      title={type}
    >
      <span className="truncate">{txTypeLabel(type)}</span>
    </span>
  )
}

import { CopyButton } from '../../../components/copy-button.tsx'
import { readBytes } from '../../shared/readable.ts'

/** A memo as text if it is readable, otherwise as bytes; always as plain characters. */
export function MemoText({ memo }: { memo: string | undefined }) {
  const read = readBytes(memo)
  if (read.kind === 'empty') return <span className="text-muted">None</span>
  const isText = read.kind === 'text'
  const value = isText ? read.text : read.hex
  return (
    <>
      <span
        className={`min-w-0 whitespace-pre-wrap break-all ${isText ? '' : 'font-mono text-mono'}`}
        dir={isText ? 'auto' : undefined}
      >
        {value}
      </span>
      <CopyButton text={value} name="memo" />
      {!isText && <span className="text-muted">bytes, no printable text</span>}
    </>
  )
}

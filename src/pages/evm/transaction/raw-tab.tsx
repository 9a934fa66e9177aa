import { CopyButton } from '../../../components/copy-button.tsx'
import { SaveButton } from '../../../components/save-button.tsx'
import { jsonText } from '../../../lib/export.ts'

/** The answer of the service as it came, to read, copy and keep. */
export function RawTab({ value, name }: { value: unknown; name: string }) {
  const text = jsonText(value, 2)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center gap-2 text-muted">
        As the service answered <CopyButton text={text} name="JSON" />
        <SaveButton file={`${name}.json`} text={text} label="Save" />
      </div>
      {/* A box that scrolls must be reachable by the keyboard. */}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-[70vh] overflow-auto rounded-base border border-line bg-sunken p-4 font-mono text-mono break-all whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  )
}

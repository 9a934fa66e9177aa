import { download } from '../lib/download.ts'
import { DownloadIcon } from './icons.ts'

type Props = {
  /** The name of the file; its ending tells what it is. */
  file: string
  /** The content, or what makes it once it is asked for. */
  text: string | (() => string)
  /** What the button shows; without it the icon stands alone. */
  label?: string
  /** The accessible name where the label does not say it. */
  name?: string
}

const types: Readonly<Record<string, string>> = { json: 'application/json' }

/** Gives a text as a file. */
export function SaveButton({ file, text, label, name }: Props) {
  return (
    <button
      type="button"
      className="control control-small"
      {...(name !== undefined && { 'aria-label': name, title: name })}
      onClick={() =>
        download(file, types[file.slice(file.lastIndexOf('.') + 1)] ?? 'text/plain', [
          typeof text === 'string' ? text : text(),
        ])
      }
    >
      <DownloadIcon size={14} />
      {label}
    </button>
  )
}

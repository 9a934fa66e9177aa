import { download } from '../lib/download.ts'
import { DownloadIcon } from './icons.ts'
import { Button } from './controls.tsx'

type Props = {
  /** The name of the file with its extension. */
  file: string
  /** The content, or a function that creates it on demand. */
  text: string | (() => string)
  /** The button's text; without it only the icon is shown. */
  label?: string
  /** The accessible name if the label is not enough. */
  name?: string
}

const types: Readonly<Record<string, string>> = { json: 'application/json' }

/** Saves text as a file. */
export function SaveButton({ file, text, label, name }: Props) {
  return (
    <Button
      small
      {...(name !== undefined && { 'aria-label': name, title: name })}
      onClick={() =>
        download(file, types[file.slice(file.lastIndexOf('.') + 1)] ?? 'text/plain', [
          typeof text === 'string' ? text : text(),
        ])
      }
    >
      <DownloadIcon size={14} />
      {label}
    </Button>
  )
}

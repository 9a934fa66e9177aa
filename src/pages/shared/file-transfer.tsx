import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '../../components/controls.tsx'
import { download } from '../../lib/download.ts'

type Props = {
  /** The contents of the file, in the plural: “labels”. */
  what: string
  /** The file's name. */
  name: string
  /** Whether there is nothing to export. */
  empty: boolean
  /** The text of the file. */
  save: () => string
  /** Imports a file's text and returns a message for the user. Throws an error with such a message. */
  read: (text: string) => string
}

/** Exports data of this browser as a file, and imports such a file. */
export function FileTransfer({ what, name, empty, save, read }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const taking = useMutation({ mutationFn: async (chosen: File) => read(await chosen.text()) })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {!empty && <Button onClick={() => download(name, 'application/json', [save()])}>Export {what}</Button>}
      <Button onClick={() => input.current?.click()}>Import {what}</Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label={`A file of ${what}`}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen) taking.mutate(chosen)
          event.target.value = ''
        }}
      />
      <output className={`min-w-0 wrap-anywhere ${taking.error ? 'text-bad' : 'text-muted'}`}>
        {taking.error?.message ?? taking.data}
      </output>
    </div>
  )
}

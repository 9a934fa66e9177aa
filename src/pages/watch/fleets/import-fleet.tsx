import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { fleetFile } from '../../../../contract/watch/fleets.ts'
import { importFleet } from '../../../api/watch/fleets.ts'
import { paths } from '../../../lib/paths.ts'
import { Outcome, useChange } from '../shared/acts.tsx'
import { Button } from '../../../components/controls.tsx'

/** The fleet in a file's text. Throws an error with a sentence for the person. */
function readFile(text: string) {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON. Choose a file that “Export fleet” has saved.')
  }
  const { data, error } = fleetFile.safeParse(content)
  if (data) return data
  const [first] = error.issues
  const place = first?.path.join('.') ?? ''
  throw new Error(
    `The file is not a fleet: ${place === '' ? '' : `${place}: `}${first?.message ?? 'unknown contents'}.`,
  )
}

/** Creates a fleet from a file; its page opens once it is there. */
export function ImportFleet() {
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const taking = useChange(async (file: File, signal) => importFleet(readFile(await file.text()), signal))
  return (
    <>
      <Outcome request={taking} />
      <Button onClick={() => input.current?.click()}>Import fleet</Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="A file of a fleet"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          event.target.value = ''
          if (file)
            taking.mutate(file, { onSuccess: ({ fleet }) => void navigate(paths.fleet(fleet.fleetId)) })
        }}
      />
    </>
  )
}

import { exportFleet } from '../../../api/watch/fleets.ts'
import { useRequest } from '../../../components/use-request.ts'
import { download } from '../../../lib/download.ts'
import { reasonOf } from '../shared/acts.tsx'
import { Button } from '../../../components/controls.tsx'

/** Saves a fleet as a file that another service can import: its members and rules, no channels and no secrets. */
export function ExportFleet({ fleetId, name }: { fleetId: string; name: string }) {
  const save = useRequest(async (_: void, signal) => {
    const file = await exportFleet(fleetId, signal)
    download(`fleet-${name.replaceAll(/[^\w-]+/g, '-')}.json`, 'application/json', [
      JSON.stringify(file, undefined, 2),
    ])
  })
  return (
    <>
      <Button disabled={save.isPending} onClick={() => save.mutate()}>
        Export fleet
      </Button>
      {save.error && (
        <span role="alert" className="text-xs text-bad">
          {reasonOf(save.error)}
        </span>
      )}
    </>
  )
}

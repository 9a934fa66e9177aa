import { checkConnection } from '../../api/connection.ts'
import { useNow, useStore } from '../../components/hooks.ts'
import { HourglassIcon, UnplugIcon } from '../../components/icons.ts'
import { connection, lostSince, moment, serviceTime, waitingSince } from '../../lib/connection.ts'
import { settings } from '../../lib/storage/settings.ts'
import { formatClock } from '../../lib/time.ts'

const look =
  'fixed bottom-4 left-1/2 z-40 flex max-w-[calc(100vw-32px)] -translate-x-1/2 items-center gap-2 rounded-base border border-line bg-raised px-4 py-2 shadow-float max-md:w-full'

/** Shows that an answer is slow. */
function Slow({ since }: { since: number }) {
  useNow()
  return (
    <output className={look}>
      <HourglassIcon className="text-warn" />
      The service has not answered for {Math.floor(moment() - since)} s.
    </output>
  )
}

/** Shows that the service is unreachable, since when, and when the next attempt is. */
function Lost({ since }: { since: number }) {
  useNow()
  const zone = useStore(settings, (all) => all.zone)
  const nextAt = useStore(connection, (now) => now.nextAt)
  const left = nextAt === undefined ? 0 : Math.ceil(nextAt - moment())
  return (
    <div role="alert" className={look}>
      <UnplugIcon className="text-bad" />
      <span>
        Can’t reach the service since {formatClock(since, zone)}.{' '}
        <span aria-hidden="true">{left > 0 ? `Trying again in ${left} s.` : 'Trying again.'}</span>
      </span>
      <button type="button" className="control control-small shrink-0" onClick={checkConnection}>
        Try again
      </button>
    </div>
  )
}

/**
 * The notice over every page while answers are slow or the service is unreachable. It is never loaded late, because such
 * a service can't send it.
 */
export function ConnectionNotice() {
  const since = useStore(waitingSince)
  const lost = lostSince(useStore(connection), moment(), serviceTime())
  useNow()
  if (lost !== undefined) return <Lost since={lost} />
  return since === undefined ? null : <Slow since={since} />
}

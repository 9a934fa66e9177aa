import { useState } from 'react'
import { useStore } from '../../../components/hooks.ts'
import { watchUse } from '../../../lib/storage/watch-use.ts'
import { Button } from '../../../components/controls.tsx'

/** What the browser says of notifications; it is asked only by the button. */
const permission = (): NotificationPermission | 'none' =>
  typeof Notification === 'undefined' ? 'none' : Notification.permission

const setNotifies = (notifies: boolean): void => watchUse.set((now) => ({ ...now, notifies }))

/** Turns notifications of this browser on and off. The browser's own question comes only after the button. */
export function NotifyButton() {
  const wanted = useStore(watchUse, ({ notifies }) => notifies)
  const [state, setState] = useState(permission)
  const [isRefused, setRefused] = useState(false)
  const isOn = wanted && state === 'granted'
  if (state === 'none') return null
  const ask = async (): Promise<void> => {
    const answer = await Notification.requestPermission()
    setState(answer)
    setRefused(permission() === 'denied')
    setNotifies(answer === 'granted')
  }
  return (
    <>
      <output className="text-xs text-muted">
        {isRefused && 'This browser blocks notifications of this site; its settings can allow them.'}
      </output>
      <Button
        aria-pressed={isOn}
        title="While a page of this dashboard is open in this browser"
        onClick={() => (isOn ? setNotifies(false) : void ask())}
      >
        Notify in this browser
      </Button>
    </>
  )
}

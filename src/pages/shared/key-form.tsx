import { useId, useState } from 'react'
import type { Profile } from '../../../contract/profile.ts'
import { queryClient } from '../../api/query-client.ts'
import { keyPlace, keys, restartSession } from '../../api/session.ts'
import { useStore } from '../../components/hooks.ts'
import { Button, Form, Input } from '../../components/controls.tsx'

/** The hosts of a profile's two APIs. */
const hosts = ({ dataUrl, metricsUrl }: Profile): string =>
  [...new Set([dataUrl, metricsUrl].map((url) => new URL(url, location.origin).host))].join(' and ')

/** A form for a profile's API key, stored in this browser. */
export function KeyForm({ profile }: { profile: Profile }) {
  const id = useId()
  const place = keyPlace(profile)
  const kept = useStore(keys, (all) => all[place] ?? '')
  const [text, setText] = useState(kept)
  const keep = (value: string): void => {
    keys.set((now) => {
      const next = new Map(Object.entries(now))
      if (value === '') next.delete(place)
      else next.set(place, value)
      return Object.fromEntries(next)
    })
    restartSession()
    void queryClient.resetQueries()
  }
  return (
    <Form
      className="flex max-w-full flex-wrap items-center gap-2"
      onSubmit={() => text.trim() !== kept && keep(text.trim())}
    >
      <label htmlFor={id} className="sr-only">
        API key
      </label>
      <Input
        id={id}
        type="password"
        required={kept === ''}
        autoComplete="off"
        className="w-72 max-w-full"
        placeholder={profile.keyNeeded ? 'required by this deployment' : 'none: the lower limits apply'}
        value={text}
        onChange={setText}
      />
      <Button type="submit">{kept !== '' && text.trim() === '' ? 'Remove' : 'Save'}</Button>
      <span className="text-xs text-muted">
        Kept in this browser; sent as <span className="font-mono">{profile.keyHeader}</span> to{' '}
        {profile.dataUrl === '' ? 'this service' : hosts(profile)} only.
      </span>
    </Form>
  )
}

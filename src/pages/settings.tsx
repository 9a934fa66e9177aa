import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { titleOf } from '../../contract/pages.ts'
import { sessionQuery } from '../api/chains.ts'
import { useOffers } from '../api/current.ts'
import { useStore } from '../components/hooks.ts'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { Boundary } from '../components/part.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { importLabels, labels, setLabel } from '../lib/storage/labels.ts'
import { isStatic, loadPage } from '../lib/place.ts'
import { inProfile } from '../lib/profile-path.ts'
import { recents } from '../lib/storage/recents.ts'
import { settings, type Settings } from '../lib/storage/settings.ts'
import { plural } from '../lib/text.ts'
import { exportWatchList, importWatchList } from '../lib/storage/watch-file.ts'
import { watchList } from '../lib/storage/watch-list.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../components/controls.tsx'
import { chooseTheme } from './frame/preferences.tsx'
import { LiveUpdates } from './shared/feed.tsx'
import { Facts } from './shared/facts.tsx'
import { FileTransfer } from './shared/file-transfer.tsx'
import { KeyForm } from './shared/key-form.tsx'
import { countedWatched } from './watch/counted-watched.ts'
import { SignInSection } from './sign-in/signed-in.tsx'
import { ServiceState } from './shared/service-state.tsx'

type ChoiceProps<V extends string> = {
  legend: string
  value: V
  options: readonly { value: V; label: string; note?: string }[]
  onChange: (value: V) => void
}

function Choice<V extends string>({ legend, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-1 py-1.5">
      <legend className="float-left w-40 text-muted max-md:w-full">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-8 items-center gap-2">
          <input
            type="radio"
            name={name}
            className="size-4 accent-accent"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
          {option.note !== undefined && <span className="text-xs text-muted">{option.note}</span>}
        </label>
      ))}
    </fieldset>
  )
}

function change<K extends keyof Settings>(key: K): (value: Settings[K]) => void {
  return (value) => settings.set((now) => ({ ...now, [key]: value }))
}

function Appearance() {
  const { theme, zone, times, density } = useStore(settings)
  return (
    <Section title="Appearance">
      <Choice
        legend="Theme"
        value={theme}
        onChange={chooseTheme}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <Choice
        legend="Time zone"
        value={zone}
        onChange={change('zone')}
        options={[
          { value: 'utc', label: 'UTC' },
          { value: 'local', label: 'Local time' },
        ]}
      />
      <Choice
        legend="Times in lists"
        value={times}
        onChange={change('times')}
        options={[
          { value: 'age', label: 'Age' },
          { value: 'absolute', label: 'Date and time' },
        ]}
      />
      <Choice
        legend="Rows of tables"
        value={density}
        onChange={change('density')}
        options={[
          { value: 'normal', label: 'Normal' },
          { value: 'compact', label: 'Compact' },
        ]}
      />
    </Section>
  )
}

/** Who is signed in, for a service whose proxy signs people in. */
function SignInSettings() {
  const session = useQuery(sessionQuery()).data
  if (session?.profile.signIn !== true) return null
  return (
    <Boundary title="Who is signed in">
      <SignInSection />
    </Boundary>
  )
}

function ProfileSettings() {
  const session = useQuery(sessionQuery()).data
  if (!session)
    return (
      <Section title="Profile">
        <SkeletonRows count={5} />
      </Section>
    )
  const { config, profile } = session
  const own = (url: string): ReactNode => (
    <span className="font-mono text-mono break-all">{url === '' ? 'this service' : url}</span>
  )
  return (
    <Section title="Profile" note="The deployment that pages are read from; it is part of every link">
      <Choice
        legend="Deployment"
        value={profile.id}
        onChange={(id) => loadPage(inProfile(paths.settings(), id, id === config.defaultProfile))}
        options={config.profiles.map((one) => ({ value: one.id, label: one.name }))}
      />
      <Facts
        label="Profile"
        facts={[
          { label: 'Network', value: profile.networkLabel },
          { label: 'Data API', value: own(profile.dataUrl) },
          { label: 'Metrics API', value: own(profile.metricsUrl) },
          { label: 'API key', value: <KeyForm key={profile.id} profile={profile} /> },
          { label: 'Live updates', value: <LiveUpdates /> },
          profile.offeredOperations !== undefined && {
            label: 'Offered',
            value: <span className="break-words">{profile.offeredOperations.join(', ')}</span>,
          },
          profile.missingOperations.length > 0 && {
            label: 'Not offered',
            value: <span className="break-words">{profile.missingOperations.join(', ')}</span>,
          },
          { label: isStatic ? 'Version' : 'Service version', value: config.version },
        ]}
      />
    </Section>
  )
}

function LabelSettings() {
  const named = useStore(labels)
  const count = Object.keys(named).length
  return (
    <Section title="Labels and recents" note="Kept in this browser, never sent">
      <p className="pb-2">
        {count === 0
          ? 'No address has a label.'
          : `${count} ${plural(count, 'address has a label', 'addresses have a label')}.`}
      </p>
      <FileTransfer
        what="labels"
        name="ridgeline-labels.json"
        empty={count === 0}
        save={() => `${JSON.stringify(named, null, 2)}\n`}
        read={(text) => {
          const taken = importLabels(text)
          return `${taken} ${plural(taken, 'label')} imported.`
        }}
      >
        <Button onClick={() => recents.set([])}>Clear recent pages</Button>
      </FileTransfer>
      {count > 0 && (
        <ul aria-label="Labels" className="mt-4 max-h-96 overflow-y-auto border-t border-line">
          {Object.entries(named).map(([address, name]) => (
            <li
              key={address}
              className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-b border-line"
            >
              <span>{name}</span>
              <span className="flex min-w-0 items-center gap-2">
                <span className="min-w-0 font-mono text-mono break-all text-muted">{address}</span>
                <Button small aria-label={`Remove the label ${name}`} onClick={() => setLabel(address, '')}>
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function WatchSettings() {
  const list = useStore(watchList)
  return (
    <Section title="Watch list" note="Kept in this browser, never sent">
      <p className="pb-2">
        You watch {countedWatched(list)}.{' '}
        <Link to={paths.watchList()} className="link">
          Open the watch list
        </Link>
      </p>
      <FileTransfer
        what="watch list"
        name="ridgeline-watch-list.json"
        empty={list.length === 0}
        save={exportWatchList}
        read={(text) => {
          const words = countedWatched(importWatchList(text))
          return `${words.charAt(0).toUpperCase()}${words.slice(1)} added.`
        }}
      />
    </Section>
  )
}

/** What a person chooses for this browser. */
export function Component() {
  const measured = useOffers('getStorage')
  return (
    <>
      <PageTitle document={titleOf('settings')} heading="Settings" />
      <div className="flex max-w-[96ch] flex-col gap-8">
        <Appearance />
        <SignInSettings />
        <ProfileSettings />
        <LabelSettings />
        <WatchSettings />
        {measured && (
          <Boundary title="The state of the service">
            <ServiceState />
          </Boundary>
        )}
      </div>
    </>
  )
}

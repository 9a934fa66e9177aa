import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { titleOf } from '../../contract/pages.ts'
import { sessionQuery } from '../api/chains.ts'
import { useOffers } from '../api/current.ts'
import { Disclosure } from '../components/disclosure.tsx'
import { useStore } from '../components/hooks.ts'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { Boundary } from '../components/part.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { formatInteger } from '../lib/amounts.ts'
import { labels } from '../lib/storage/labels.ts'
import { isStatic, loadPage } from '../lib/place.ts'
import { inProfile } from '../lib/profile-path.ts'
import { recents } from '../lib/storage/recents.ts'
import { settings, type Settings } from '../lib/storage/settings.ts'
import { plural } from '../lib/text.ts'
import { watchList } from '../lib/storage/watch-list.ts'
import { paths } from '../lib/paths.ts'
import { Button } from '../components/controls.tsx'
import { chooseTheme } from './frame/preferences.tsx'
import { LiveUpdates } from './shared/feed.tsx'
import { Facts } from './shared/facts.tsx'
import { KeyForm } from './shared/key-form.tsx'
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
      <legend className="float-left w-48 text-muted max-md:w-full">{legend}</legend>
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

const urlText = (url: string): ReactNode => <span className="font-mono text-mono break-all">{url}</span>

function Operations({ names }: { names: readonly string[] }) {
  return (
    <Disclosure look="note" summary={`${formatInteger(names.length)} ${plural(names.length, 'operation')}`}>
      <span className="break-words">{names.join(', ')}</span>
    </Disclosure>
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
  return (
    <Section title="Profile" note="The service that pages are read from; it is part of every link">
      <Choice
        legend="Service"
        value={profile.id}
        onChange={(id) => loadPage(inProfile(paths.settings(), id, id === config.defaultProfile))}
        options={config.profiles.map((one) => ({ value: one.id, label: one.name }))}
      />
      <Facts
        label="Profile"
        facts={[
          { label: 'Network', value: profile.networkLabel },
          profile.dataUrl !== '' && { label: 'Data API', value: urlText(profile.dataUrl) },
          profile.metricsUrl !== '' && { label: 'Metrics API', value: urlText(profile.metricsUrl) },
          { label: 'API key', value: <KeyForm key={profile.id} profile={profile} /> },
          { label: 'Live updates', value: <LiveUpdates /> },
          profile.offeredOperations !== undefined && {
            label: 'Offered',
            value: <Operations names={profile.offeredOperations} />,
          },
          profile.missingOperations.length > 0 && {
            label: 'Not offered',
            value: <Operations names={profile.missingOperations} />,
          },
          { label: isStatic ? 'Version' : 'Service version', value: config.version },
        ]}
      />
    </Section>
  )
}

/** What this browser keeps besides the choices above. */
function KeptHere() {
  const watched = useStore(watchList).length
  const named = useStore(labels, (all) => Object.keys(all).length)
  const visited = useStore(recents).length
  return (
    <Section title="This browser" note="Kept here, never sent">
      <Facts
        label="This browser"
        facts={[
          {
            label: 'Watch list and labels',
            value: (
              <>
                {formatInteger(watched)} watched, {formatInteger(named)} {plural(named, 'label')}
                <Link to={paths.watchList()} className="link">
                  Open, export, import
                </Link>
              </>
            ),
          },
          {
            label: 'Recent pages',
            value: (
              <>
                {formatInteger(visited)}
                {visited > 0 && (
                  <Button small onClick={() => recents.set([])}>
                    Clear
                  </Button>
                )}
              </>
            ),
          },
        ]}
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
        <KeptHere />
        {measured && (
          <Boundary title="The state of the service">
            <ServiceState />
          </Boundary>
        )}
      </div>
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { signedInQuery } from '../../api/network/signed-in.ts'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { paths } from '../../lib/paths.ts'
import { Facts } from '../shared/facts.tsx'
import { Failed } from '../shared/failed.tsx'
import { lackedBy, useSignedIn } from './note.tsx'

/** The user in the top bar, with a link to what they may do. */
export function SignedIn() {
  const signedIn = useSignedIn()
  if (!signedIn) return null
  const { user, role = 'no role' } = signedIn
  return (
    <Link
      to={paths.settings()}
      className="control max-w-40 border-transparent px-2 text-xs max-md:hidden"
      aria-label={`Signed in as ${user}, ${role}`}
    >
      <span className="truncate">{user}</span>
      <span className="text-muted">{role}</span>
    </Link>
  )
}

/** Who is signed in, with their groups, their role and what it lacks. */
export function SignInSection() {
  const { data, error, refetch } = useQuery(signedInQuery())
  const content = () => {
    if (error) return <Failed title="Who is signed in could not be loaded." error={error} onRetry={refetch} />
    if (!data) return <SkeletonRows count={4} />
    if (data.user === undefined)
      return <p>Nobody is signed in: this page did not come through the proxy that signs people in.</p>
    const lacked = lackedBy(data)
    return (
      <Facts
        label="Signed in"
        facts={[
          { label: 'User', value: <span className="break-all">{data.user}</span> },
          { label: 'Groups', value: data.groups.length > 0 ? data.groups.join(', ') : 'none' },
          { label: 'Role', value: data.role ?? 'none of these groups has one' },
          { label: 'You may not', value: lacked.length > 0 ? lacked.join(', ') : 'nothing is closed to you' },
        ]}
      />
    )
  }
  return (
    <Section title="Signed in" note="By the proxy in front of this service">
      {content()}
    </Section>
  )
}

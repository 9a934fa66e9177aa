import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/chains.ts'
import { signedInQuery, type SignedIn } from '../../api/network/signed-in.ts'

/** Who is signed in through a proxy; undefined without such a sign-in, and until it is known. */
export function useSignedIn(): (SignedIn & { user: string }) | undefined {
  const profile = useQuery(sessionQuery()).data?.profile
  const { data } = useQuery({ ...signedInQuery(), enabled: profile?.signIn === true })
  return data?.user === undefined ? undefined : { ...data, user: data.user }
}

/** What a user may not do, as ends of “You may not …”. */
export const lackedBy = ({ role, mayReadWatch, mayChangeWatch, mayAdministrate }: SignedIn): string[] =>
  role === undefined
    ? ['read anything here']
    : [
        mayReadWatch ? [] : ['read the validator watch'],
        mayChangeWatch ? [] : ['change the validator watch'],
        mayAdministrate ? [] : ['administrate nodes'],
      ].flat()

/** Who is signed in, their role and what it lacks, in a sentence or two. */
export function SignedInNote() {
  const signedIn = useSignedIn()
  if (!signedIn) return null
  const lacked = lackedBy(signedIn)
  return (
    <p className="break-words">
      You are signed in as {signedIn.user}
      {signedIn.role === undefined ? ', without a role here.' : ` with the role “${signedIn.role}”.`}
      {lacked.length > 0 &&
        ` You may not ${lacked.join(' or ')}. Ask whoever runs this service for a group whose role may.`}
    </p>
  )
}

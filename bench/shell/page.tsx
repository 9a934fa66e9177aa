import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

/** A heading and a link, drawn when a query that asks nobody has its answer. */
export function Component() {
  const { data } = useQuery({ queryKey: ['text'], queryFn: () => Promise.resolve('An empty shell') })
  return (
    <main className="p-4 text-lg">
      <h1>{data}</h1>
      <Link to="/other">another page</Link>
    </main>
  )
}

import { titleOf } from '../../../contract/pages.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { Console } from './console.tsx'

/** The node console: administration, chains, validators, atomic transactions, calls and sockets of a node. */
export function Component() {
  return (
    <>
      <PageTitle document={titleOf('node')} heading="Node" />
      <Boundary title="The console">
        <Console />
      </Boundary>
    </>
  )
}

import { useId, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { filledIn, pages, type PageName } from '../../../contract/pages.ts'
import { networkOf, useChainFacts, useHasPage, useProfile } from '../../api/current.ts'
import { wordsOfLack } from '../../api/discovery.ts'
import { Button, Form, Input } from '../../components/controls.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { UnsupportedState } from '../../components/states.tsx'
import { chainAlias } from '../../lib/primary-chains.ts'
import { shorten } from '../../lib/text.ts'
import { ChainCrumb } from './crumbs.tsx'
import { NetworkCrumb } from './network-crumb.tsx'

/** What names the thing that a page shows, by the last parameter of its path. */
const idWords: Readonly<Record<string, string>> = {
  blockId: 'Block number or hash',
  txHash: 'Transaction hash',
  address: 'Address of the token',
  nodeId: 'Node ID',
  validationId: 'Validation ID',
}

/** A form that opens a page by the id of what it shows; the other parameters are those of this page. */
function OpenForm({ name }: { name: PageName }) {
  const [text, setText] = useState('')
  const field = useId()
  const params = useParams()
  const navigate = useNavigate()
  const { path } = pages[name]
  const parameter = path.slice(path.lastIndexOf(':') + 1)
  const open = (): void => {
    const values = { ...params, [parameter]: text.trim() }
    void navigate(path.replaceAll(/:(\w+)/g, (_, one: string) => encodeURIComponent(values[one] ?? '')))
  }
  return (
    <Form className="flex max-w-full flex-wrap items-end gap-2 text-text" onSubmit={open}>
      <label htmlFor={field} className="flex min-w-0 flex-col gap-1">
        <span className="text-xs text-muted">{idWords[parameter] ?? 'ID'}</span>
        <Input id={field} mono required className="w-96 max-w-full" value={text} onChange={setText} />
      </label>
      <Button type="submit">Open</Button>
    </Form>
  )
}

function Crumb() {
  const { chainId, network, chain } = useParams()
  const facts = useChainFacts(chainId ?? '')
  const named = networkOf(network)
  const alias = chainAlias(chain ?? '')
  if (chainId !== undefined) return <ChainCrumb chain={facts} />
  return named && <NetworkCrumb network={named} {...(alias && { chain: alias })} />
}

/** What the deployment lacks for a page, in words, and a form that opens what there is instead. */
export function LackingPart({ name }: { name: PageName }) {
  const profile = useProfile()
  const params = useParams()
  const { needs = '', opens = name } = pages[name]
  const hasOpened = useHasPage(opens)
  // All but the id itself is in the path of this page.
  const places = [...pages[opens].path.matchAll(/:(\w+)/g)].slice(0, -1)
  const canOpen = opens !== name && hasOpened && places.every(([, one = '']) => params[one] !== undefined)
  if (!profile) return <SkeletonRows count={3} />
  return (
    <UnsupportedState title="Not offered here">
      <p>{wordsOfLack(needs, profile)}</p>
      {canOpen && <OpenForm name={opens} />}
    </UnsupportedState>
  )
}

/** In place of a page whose deployment lacks what it needs. */
export function LackingPage({ name }: { name: PageName }) {
  const params = useParams()
  const { title } = pages[name]
  const [first = title] = title.split(' · ', 1)
  const heading = filledIn(
    first,
    Object.fromEntries(Object.entries(params).map(([one, value = '']) => [one, shorten(value)])),
  )
  return (
    <>
      <Crumb />
      <PageTitle document={heading} heading={heading} />
      <LackingPart name={name} />
    </>
  )
}

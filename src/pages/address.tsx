import { useState } from 'react'
import { useParams } from 'react-router'
import { useChainFacts } from '../api/current.ts'
import { useStore } from '../components/hooks.ts'
import { Identicon } from '../components/identicon.tsx'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { Section } from '../components/section.tsx'
import { EmptyState } from '../components/states.tsx'
import { labels, setLabel } from '../lib/labels.ts'
import { shorten } from '../lib/text.ts'
import { paths } from '../paths.ts'
import { ChainCrumb } from './parts/crumbs.tsx'
import { useRemember } from './parts/use-remember.ts'

function LabelForm({ address, label }: { address: string; label: string }) {
  const [text, setText] = useState(label)
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setLabel(address, text)
      }}
    >
      <label className="flex min-w-0 flex-col gap-1 text-muted">
        Name of this address
        <input
          className="field w-72 max-w-full"
          maxLength={64}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit" className="control" disabled={text.trim() === label}>
        {label && text.trim() === '' ? 'Remove' : 'Keep'}
      </button>
    </form>
  )
}

/** An address: what this version knows of it, and the label that the person gave. */
export function Component() {
  const { chainId = '', address = '' } = useParams()
  const chain = useChainFacts(chainId)
  const label = useStore(labels, (all) => all[address.toLowerCase()] ?? '')
  const valid = /^0x[0-9a-fA-F]{40}$/.test(address)
  useRemember(
    paths.address(chain.chainId, address),
    valid ? `Address ${label || shorten(address)}` : undefined,
    'address',
  )
  if (!valid)
    return (
      <>
        <ChainCrumb chain={chain} />
        <PageTitle document="Address" heading="This is no address" />
        <EmptyState title="An address is 0x and 40 hex digits">
          Check the link, or search for what you mean above.
        </EmptyState>
      </>
    )
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle
        document={`Address ${label || shorten(address)} · ${chain.name}`}
        heading={
          <span className="flex items-center gap-2.5">
            <Identicon value={address} size={20} />
            {label || 'Address'}
          </span>
        }
        identity={{ value: address, name: 'address' }}
      />
      <div className="flex flex-col gap-8">
        <Section title="Private label" note="Kept in this browser, never sent">
          <LabelForm key={label} address={address} label={label} />
        </Section>
        <Section title="On this chain">
          <EmptyState title="Balances and history are not part of this version">
            <p>
              Native and token balances at any block, transfers, deployed contracts and NFTs of an address
              come with the next one. Until then its transactions can be seen in the{' '}
              <Link to={paths.transactions(chain.chainId)} className="link">
                transactions of {chain.name}
              </Link>
              , where every place that shows this address lights up together.
            </p>
          </EmptyState>
        </Section>
      </div>
    </>
  )
}

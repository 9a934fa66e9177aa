import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { getContractCode } from '../../../../contract/evm/contract-code.ts'
import { contractPowersQuery, contractSourceQuery } from '../../../api/evm/contract-code.ts'
import { Address } from '../../../components/address.tsx'
import { Pill } from '../../../components/pill.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { Facts } from '../../shared/facts.tsx'
import type { Subject } from './activity.tsx'

type Proxy = NonNullable<ResponseOf<typeof getContractCode>['proxy']>

function Changers({ proxy, chainId }: { proxy: Proxy; chainId: string }) {
  const changers = proxy.changeableBy ?? []
  if (proxy.kind === 'EIP-1167') return <>and can never be changed</>
  if (changers.length === 0) return <>and has no known admin</>
  return (
    <>
      and can be changed by{' '}
      {changers.map(({ power, address }, index) => (
        <span key={`${power} ${address}`}>
          {index > 0 && ', '}
          <Address address={address} chainId={chainId} /> ({safeText(power, 40)})
        </span>
      ))}
    </>
  )
}

/** A proxy in a sentence: what runs in its place, since when, how often that changed, and who can change it. */
function ProxySentence({ proxy, chainId }: { proxy: Proxy; chainId: string }) {
  const { implementation, implementationName, implementations, upgrades = [] } = proxy
  const [latest, ...earlier] = upgrades
  const facets = implementations?.length ?? 1
  return (
    <p className="leading-7">
      A proxy ({safeText(proxy.kind, 24)}): its code is{' '}
      {implementationName !== undefined && (
        <strong className="font-mono font-strong">{safeText(implementationName, 80)} </strong>
      )}
      {implementationName !== undefined && 'at '}
      <Address address={implementation} chainId={chainId} />
      {facets > 1 && ` and ${formatInteger(facets - 1)} more`}
      {latest && (
        <>
          {' '}
          since <TimeAgo at={latest.blockTimestamp} />
        </>
      )}
      {latest &&
        (earlier.length === 0
          ? ', has not been changed since it was set'
          : `, was changed ${earlier.length === 1 ? 'once' : `${formatInteger(earlier.length)} times`}`)}
      , <Changers proxy={proxy} chainId={chainId} />.
    </p>
  )
}

/** What a contract is, in a sentence or two: whether its source is known, and what a proxy stands for. */
export function WhatItIs({ address, chain, code }: Subject & { code: ResponseOf<typeof getContractCode> }) {
  const source = useQuery(contractSourceQuery(chain.chainId, address))
  const { proxy } = code
  const known = source.data?.source
  return (
    <div className="flex flex-col gap-1">
      {proxy && <ProxySentence proxy={proxy} chainId={chain.chainId} />}
      <p className="flex min-h-7 flex-wrap items-center gap-x-2">
        {known ? (
          <>
            <span>
              {proxy ? 'The proxy’s own source' : 'Its source'} is{' '}
              <span className="font-mono">{safeText(known.name, 80)}</span>
              {known.sameCodeAs && ', verified for a contract with the same code'}
              {known.madeBy && ', verified for the contract that created it'}
            </span>
            <Pill state="ok">verified</Pill>
          </>
        ) : source.data === undefined ? null : (
          <>
            <span>{proxy ? 'The proxy’s own source is' : 'Its source is'} not known here</span>
            <Pill state="neutral">not verified</Pill>
          </>
        )}
      </p>
    </div>
  )
}

/** Who has power over a contract: what they can do to those who use it. Nothing while nobody is known to. */
export function Powers({ address, chain }: Subject) {
  const { data } = useQuery(contractPowersQuery(chain.chainId, address))
  const holders = data?.holders ?? []
  if (holders.length === 0 && data?.isPaused !== true) return null
  return (
    <Facts
      label="Powers"
      facts={[
        data?.isPaused === true && {
          label: 'paused',
          help: 'What the contract answers now',
          value: <Pill state="stale">paused</Pill>,
        },
        ...holders.map((holder, index) => ({
          // Several may have one role.
          label: `${safeText(holder.power, 66)}${holders[index - 1]?.power === holder.power ? ` (${index + 1})` : ''}`,
          value: (
            <>
              <Address address={holder.address} chainId={chain.chainId} full copy />
              {holder.isContract === true && <Pill state="neutral">contract</Pill>}
            </>
          ),
        })),
      ]}
    />
  )
}

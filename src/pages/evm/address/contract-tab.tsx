import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { getContractCode } from '../../../../contract/evm/contract-code.ts'
import type { ContractMetadata } from '../../../../contract/evm/contracts.ts'
import { addressDeploymentsQuery, contractQuery } from '../../../api/evm/addresses-contract.ts'
import {
  contractCodeQuery,
  contractPowersQuery,
  contractSourceQuery,
} from '../../../api/evm/contract-code.ts'
import { isNotFound } from '../../../api/errors.ts'
import { Address } from '../../../components/address.tsx'
import { Hash } from '../../../components/hash.tsx'
import { ForeignLink } from '../../../components/tokens/nft-link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { Facts, type Fact } from '../../shared/facts.tsx'
import { Failed } from '../../shared/failed.tsx'
import { ReadFunctions } from '../functions/read-functions.tsx'
import { WriteFunctions } from '../functions/write-functions.tsx'
import type { Subject } from './activity.tsx'
import { DeploymentsTab } from './deployments-tab.tsx'
import { SourcePart } from './source.tsx'
import { Upgrades } from './upgrades.tsx'
import { Powers, WhatItIs } from './what-it-is.tsx'

type Code = ResponseOf<typeof getContractCode>

const links = (metadata: ContractMetadata): Fact | false =>
  (metadata.resourceLinks?.length ?? 0) > 0 && {
    label: 'Links',
    value: (
      <ul className="flex flex-col gap-1">
        {metadata.resourceLinks?.map(({ type, url }) => (
          <li key={`${type} ${url}`} className="flex flex-wrap gap-x-2">
            <span className="text-muted">{safeText(type, 24)}</span>
            <ForeignLink uri={url} />
          </li>
        ))}
      </ul>
    ),
  }

function metadataFacts(metadata: ContractMetadata, { chain }: Subject): (Fact | false)[] {
  const { deploymentDetails: deployed, name, symbol, ercType, decimals } = metadata
  const text = (label: string, value: string | undefined): Fact | false =>
    value !== undefined && value !== '' && { label, value: safeText(value, 600) }
  return [
    text('Name', name),
    text('Symbol', symbol),
    ercType !== 'UNKNOWN' && { label: 'Kind', value: ercType },
    decimals !== undefined && { label: 'Decimals', value: String(decimals) },
    text('Description', metadata.description),
    metadata.officialSite !== undefined && {
      label: 'Official site',
      value: <ForeignLink uri={metadata.officialSite} />,
    },
    text('Contact', metadata.email),
    links(metadata),
    (metadata.tags?.length ?? 0) > 0 && {
      label: 'Tags',
      value: metadata.tags?.map((tag) => (
        <Pill key={tag} state="neutral">
          {safeText(tag, 32)}
        </Pill>
      )),
    },
    deployed !== undefined && {
      label: 'Deployed by',
      help: 'Who signed the transaction that created it',
      value: <Address address={deployed.deployerAddress} chainId={chain.chainId} full copy />,
    },
    deployed?.deployerContractAddress !== undefined && {
      label: 'Created by the contract',
      value: <Address address={deployed.deployerContractAddress} chainId={chain.chainId} full copy />,
    },
    deployed !== undefined && {
      label: 'Creation transaction',
      value: (
        <Hash
          value={deployed.txHash}
          name="transaction hash"
          to={paths.transaction(chain.chainId, deployed.txHash)}
          full
          copy
        />
      ),
    },
  ]
}

function codeFacts(code: Code, { chain }: Subject): (Fact | false)[] {
  const { codeSize, codeHash, proxy, abiName, abiFrom } = code
  return [
    {
      label: 'Code',
      value: `${formatInteger(codeSize)} bytes`,
    },
    codeHash !== undefined && {
      label: 'Code hash',
      help: 'keccak-256 of the code',
      value: <Hash value={codeHash} name="code hash" full copy />,
    },
    proxy !== undefined && {
      label: 'Proxy for',
      value: (
        <>
          <Address address={proxy.implementation} chainId={chain.chainId} full copy />
          <Pill state="neutral">{proxy.kind}</Pill>
          {!proxy.implementationHasCode && <Pill state="stale">no code there</Pill>}
        </>
      ),
    },
    abiName !== undefined && {
      label: 'ABI',
      value: (
        <>
          {safeText(abiName, 80)}
          {abiFrom === 'label' && <Pill state="neutral">by a label, not verified</Pill>}
        </>
      ),
    },
  ]
}

/** What tells the functions of a contract. */
const abiNote = ({ abiName = '', abiFrom }: Code): string =>
  abiFrom === 'label'
    ? 'By an ABI that a label gives, which nothing proves'
    : `By the ABI ${safeText(abiName, 60)}`

/** A contract: its metadata, its creator, its code, its deployments, and its view functions. */
export function ContractTab(subject: Subject) {
  const { address, chain } = subject
  const metadata = useQuery(contractQuery(chain.chainId, address))
  const code = useQuery(contractCodeQuery(chain.chainId, address))
  const unknown = metadata.error !== null && isNotFound(metadata.error)
  const isContract = code.data !== undefined && code.data.codeSize > 0
  const implementation = code.data?.proxy?.implementation
  const powers = useQuery({ ...contractPowersQuery(chain.chainId, address), enabled: isContract })
  const source = useQuery({ ...contractSourceQuery(chain.chainId, address), enabled: isContract })
  const sourceOfCode = useQuery({
    ...contractSourceQuery(chain.chainId, implementation ?? ''),
    enabled: implementation !== undefined,
  })
  const made = useInfiniteQuery(addressDeploymentsQuery(chain.chainId, address))
  const hasDeployed =
    !made.isSuccess || made.hasNextPage || made.data.pages.some((page) => page.contracts.length > 0)
  const isKnown = !code.isPending && !powers.isLoading && !source.isLoading
  // What stands above a part decides its place: all of them are drawn at once, so that nothing shifts.
  const isWhole = isKnown && !metadata.isPending && !sourceOfCode.isLoading
  return (
    <div className="flex flex-col gap-8">
      <Section title="What it is" note="Asked of the node at the head">
        {!isKnown ? (
          <SkeletonRows count={2} />
        ) : code.data ? (
          isContract ? (
            <>
              <WhatItIs {...subject} code={code.data} />
              <Powers {...subject} />
            </>
          ) : (
            <p>No contract: there is no code at this address. It is an account, or was destroyed.</p>
          )
        ) : (
          <Failed title="The code could not be loaded." query={code} />
        )}
      </Section>
      {isWhole && code.data?.functions !== undefined && (
        <Section title="Read functions" note={abiNote(code.data)}>
          <ReadFunctions {...subject} functions={code.data.functions} />
        </Section>
      )}
      {isWhole && code.data?.writeFunctions !== undefined && (
        <Section title="Write functions" note="Tried first, then signed by the wallet of this browser">
          <WriteFunctions {...subject} functions={code.data.writeFunctions} />
        </Section>
      )}
      {isWhole && code.data?.proxy && (
        <Section title="Source of its code">
          <SourcePart {...subject} address={code.data.proxy.implementation} />
        </Section>
      )}
      {isWhole && isContract && (
        <Section title={code.data?.proxy ? 'Source of the proxy itself' : 'Source'}>
          <SourcePart {...subject} />
        </Section>
      )}
      {isWhole && (isContract || !unknown) && (
        <Section title="Creation">
          {metadata.data ? (
            <Facts label="Creation" facts={metadataFacts(metadata.data, subject)} />
          ) : unknown ? (
            <EmptyState title="No creation is known">
              The indexed blocks hold neither its creation nor a token transfer from it. No transaction
              creates contracts of the genesis and precompiles.
            </EmptyState>
          ) : (
            <Failed title="The contract could not be loaded." query={metadata} />
          )}
        </Section>
      )}
      {isWhole && code.data && isContract && (
        <Section title="Code">
          <Facts label="Code" facts={codeFacts(code.data, subject)} />
        </Section>
      )}
      {isWhole && code.data?.proxy?.upgrades !== undefined && code.data.proxy.upgrades.length > 0 && (
        <Section title="Upgrades" note="By the events of the proxy and its beacon">
          <Upgrades upgrades={code.data.proxy.upgrades} chainId={chain.chainId} />
        </Section>
      )}
      {isWhole && hasDeployed && (
        <Section title="Deployments made">
          <DeploymentsTab {...subject} />
        </Section>
      )}
    </div>
  )
}

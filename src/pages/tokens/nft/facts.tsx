import type { ChainFacts } from '../../../api/current.ts'
import type { NftDetails } from '../../../api/tokens/nfts.ts'
import { Address } from '../../../components/address.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Disclosure } from '../../../components/disclosure.tsx'
import { Link } from '../../../components/link.tsx'
import { ForeignLink } from '../../../components/tokens/nft-link.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { Pill } from '../../../components/pill.tsx'
import { Section } from '../../../components/section.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { inSentence, safeText } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { Facts, type Fact } from '../../shared/facts.tsx'
import { attributesOf } from './attributes.ts'
import { ReindexButton } from './reindex.tsx'

/** The metadata's description, as text. */
export function Description({ text }: { text: string | undefined }) {
  const shown = safeText(text ?? '', 2_000)
  return shown === '' ? null : <p className="max-w-[80ch] break-words whitespace-pre-line">{shown}</p>
}

const copied = (label: string, text: string): Fact => ({
  label,
  value: (
    <span className="flex min-w-0 items-start gap-1">
      <span className="font-mono text-mono break-all">{text}</span>
      <CopyButton text={text} name={inSentence(label)} />
    </span>
  ),
})

const linkFact = (label: string, uri: string | undefined): Fact | false =>
  uri !== undefined &&
  uri !== '' && {
    label,
    value: (
      <span className="flex min-w-0 items-start gap-1">
        <ForeignLink uri={uri} />
        <CopyButton text={uri} name={inSentence(label)} />
      </span>
    ),
  }

/** Who has the NFT, and its id. */
export function NftFacts({ nft, chain }: { nft: NftDetails; chain: ChainFacts }) {
  return (
    <Facts
      label="NFT"
      facts={[
        nft.ercType === 'ERC-721'
          ? {
              label: 'Owner',
              value:
                nft.ownerAddress === undefined ? (
                  <span className="text-muted">nobody: it was burned</span>
                ) : (
                  <Address address={nft.ownerAddress} chainId={chain.chainId} full copy />
                ),
            }
          : {
              label: 'Supply',
              value: nft.supply === undefined ? '–' : formatInteger(nft.supply),
              help: 'Of this ID: minted minus burned',
            },
        copied('Token ID', nft.tokenId),
      ]}
    />
  )
}

/** Where the NFT's metadata comes from and how reading it went: folded, unless there is none to be seen. */
export function Metadata({ nft, chain }: { nft: NftDetails; chain: ChainFacts }) {
  const { metadata } = nft
  const isRead = metadata?.indexStatus === 'INDEXED'
  const status = statusWords(metadata?.indexStatus)
  const updated = metadata?.metadataLastUpdatedTimestamp
  return (
    <Disclosure
      look="part"
      className="border-y border-line"
      open={!isRead}
      summary={
        <>
          Metadata and contract
          <span className="flex items-center gap-2 text-xs font-normal text-muted">
            <Pill state={isRead ? 'ok' : 'stale'}>{status.text}</Pill>
            {updated !== undefined && <TimeAgo at={updated} />}
          </span>
        </>
      }
    >
      <div className="flex flex-col gap-2 pb-3">
        {!isRead && <p className="text-muted">{status.about}</p>}
        <ReindexButton nft={nft} chainId={chain.chainId} />
        <Facts
          label="Metadata and contract"
          facts={[
            linkFact('Token URI', nft.tokenUri),
            linkFact('Picture', metadata?.imageUri),
            linkFact('Animation', metadata?.animationUri),
            linkFact('Website', metadata?.externalUrl),
            metadata?.background !== undefined && {
              label: 'Background',
              value: readableName(metadata.background, 32),
            },
            metadata?.decimals !== undefined && { label: 'Decimals', value: metadata.decimals },
            copied('Contract', nft.address),
            {
              label: 'First block',
              help: 'Of its first transfer',
              value: (
                <Link to={paths.block(chain.chainId, nft.firstBlock)} className="link">
                  {formatInteger(nft.firstBlock)}
                </Link>
              ),
            },
          ]}
        />
      </div>
    </Disclosure>
  )
}

/** The attributes of the metadata as names and values; other contents are shown unchanged. */
export function Attributes({ text }: { text: string | undefined }) {
  if (text === undefined || text === '') return null
  const attributes = attributesOf(text)
  if (attributes === undefined)
    return (
      <Section title="Attributes" note="as they came">
        <p className="font-mono text-mono break-all">{safeText(text, 2_000)}</p>
      </Section>
    )
  if (attributes.length === 0) return null
  return (
    <Section title="Attributes">
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-3">
        {attributes.map(({ name, value }, index) => (
          <div key={index} className="min-w-0 rounded-base border border-line px-3 py-2">
            <dt className="truncate text-xs text-muted" title={name}>
              {name || '–'}
            </dt>
            <dd className="break-words">{value || '–'}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

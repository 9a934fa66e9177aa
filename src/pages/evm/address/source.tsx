import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import type { ContractSource } from '../../../../contract/evm/verification.ts'
import { useProfile } from '../../../api/current.ts'
import { contractSourceQuery } from '../../../api/evm/contract-code.ts'
import { Address } from '../../../components/address.tsx'
import { Button, Input } from '../../../components/controls.tsx'
import { lazy } from '../../../components/lazy.ts'
import { LazyPart } from '../../../components/part.tsx'
import { Pill } from '../../../components/pill.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { safeText } from '../../../lib/text.ts'
import { Facts, type Fact } from '../../shared/facts.tsx'
import { Failed } from '../../shared/failed.tsx'
import { addressIn, valueText } from '../abi-text.ts'
import type { Subject } from './activity.tsx'
import { LabelMe } from './label-me.tsx'
import { searchSources, type SourceHit } from './search-sources.ts'

const SourceView = lazy(() => import('./source-view.tsx'), 'SourceView')
const VerifyForm = lazy(() => import('./verify-form.tsx'), 'VerifyForm')

type Argument = NonNullable<ContractSource['constructorArguments']>['args'][number]

const fileSchema = z.object({
  file: z.catch(z.optional(z.string()), undefined),
  line: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined),
})

/** The words for how a code fits, and what they mean. */
function Verdict({ source }: { source: ContractSource }) {
  const isExact = source.runtimeMatch === 'exact_match' || source.creationMatch === 'exact_match'
  return isExact ? (
    <Pill state="ok" title="The sources are those that were compiled, to the last character">
      exact match
    </Pill>
  ) : (
    <Pill state="ok" title="The sources compile to this code; names and comments may differ">
      match
    </Pill>
  )
}

function Value({ argument, chainId }: { argument: Argument; chainId: string }) {
  const address = addressIn(argument)
  return address === undefined ? (
    <span className="font-mono text-mono break-all">{valueText(argument, 2_000)}</span>
  ) : (
    <Address address={address} chainId={chainId} full copy />
  )
}

type Optimizer = { readonly enabled?: boolean; readonly runs?: number }

/** The compiler’s settings that are asked for most, in words. */
function settingsText({ evmVersion, optimizer, viaIR }: Record<string, unknown>): string {
  const { enabled = false, runs = 200 } = (optimizer ?? {}) as Optimizer
  return [
    enabled ? `optimizer for ${formatInteger(runs)} runs` : 'no optimizer',
    viaIR === true && 'by way of IR',
    typeof evmVersion === 'string' && `for ${safeText(evmVersion, 24)}`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

function facts(source: ContractSource, { chain }: Subject): (Fact | false)[] {
  const { name, path, sameCodeAs, madeBy, constructorArguments: made, libraries } = source
  return [
    {
      label: 'Name in the source',
      help: 'Chosen by whoever wrote the source: it proves nothing about who that is',
      value: (
        <>
          <span className="font-mono text-mono">{safeText(name, 200)}</span>
          <Verdict source={source} />
        </>
      ),
    },
    sameCodeAs !== undefined && {
      label: 'Same code as',
      value: <Address address={sameCodeAs.address} chainId={sameCodeAs.chainId} full copy />,
    },
    madeBy !== undefined && {
      label: 'Created by',
      help: 'Its code is one that the verified sources of this contract create: the sources are those',
      value: <Address address={madeBy} chainId={chain.chainId} full copy />,
    },
    { label: 'File', value: <span className="font-mono text-mono break-all">{safeText(path, 512)}</span> },
    {
      label: 'Compiler',
      value: `${safeText(source.language, 24)} ${safeText(source.compilerVersion, 80)}, ${settingsText(source.compilerSettings)}`,
    },
    { label: 'Checked', value: <TimeAgo at={source.verifiedTimestamp} /> },
    ...(made?.args ?? []).map((argument, index) => ({
      label: `Created with ${safeText(argument.name, 40) || `argument ${index + 1}`}`,
      help: argument.type,
      value: <Value argument={argument} chainId={chain.chainId} />,
    })),
    ...(libraries ?? []).map((library) => ({
      label: `Library ${safeText(library.name.slice(library.name.lastIndexOf(':') + 1), 60)}`,
      value: <Address address={library.address} chainId={chain.chainId} full copy />,
    })),
  ]
}

const linesOf = (content: string): number => content.split('\n').length

/** The lines that have what is searched for; each opens its file there. */
function Hits({
  found: { hits, count },
  onChoose,
}: {
  found: ReturnType<typeof searchSources>
  onChoose: (hit: SourceHit) => void
}) {
  return (
    <div className="flex flex-col gap-1">
      <output className="text-muted">
        {count === 0 ? 'No line has this text.' : count === 1 ? '1 line' : `${formatInteger(count)} lines`}
        {count > hits.length && `, the first ${hits.length} below`}
      </output>
      <ul aria-label="Lines found" className="flex max-h-60 flex-col overflow-y-auto">
        {hits.map((hit) => (
          <li key={`${hit.path}:${hit.line}`} className="border-b border-line">
            <button
              type="button"
              className="flex w-full min-w-0 flex-col py-1 text-left hover:bg-hover md:flex-row md:gap-3"
              onClick={() => onChoose(hit)}
            >
              <span className="link min-w-0 shrink-0 truncate font-mono text-mono md:w-80">
                {safeText(hit.path.slice(hit.path.lastIndexOf('/') + 1), 200)}:{formatInteger(hit.line)}
              </span>
              <span className="min-w-0 truncate font-mono text-mono text-muted">
                {safeText(hit.text, 200)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Files({ sources }: { sources: NonNullable<ContractSource['sources']> }) {
  const [{ file, line }, setSearch] = useSearchState(fileSchema)
  const open = sources.find(({ path }) => path === file)
  const [text, setText] = useState('')
  const found = useMemo(() => searchSources(sources, text), [sources, text])
  return (
    <div className="flex flex-col gap-3 pt-3">
      {sources.length > 0 && (
        <Input
          type="search"
          aria-label="Search all files"
          placeholder="Search all files"
          className="max-w-80"
          value={text}
          onChange={setText}
        />
      )}
      {text.trim() === '' ? (
        <ul aria-label="Source files" className="flex max-h-60 flex-col overflow-y-auto">
          {sources.map(({ path, content }) => (
            <li key={path} className="flex items-center justify-between gap-3 border-b border-line">
              <button
                type="button"
                aria-expanded={path === file}
                className="link min-w-0 py-1.5 text-left font-mono text-mono"
                onClick={() => setSearch({ file: path === file ? undefined : path, line: undefined })}
              >
                <span className="block truncate">{safeText(path, 512)}</span>
              </button>
              <span className="shrink-0 text-xs text-muted">{formatInteger(linesOf(content))} lines</span>
            </li>
          ))}
        </ul>
      ) : (
        <Hits found={found} onChoose={({ path, line: at }) => setSearch({ file: path, line: at })} />
      )}
      {open && (
        <LazyPart title="The file" fallback={<SkeletonRows count={12} />}>
          <SourceView
            path={open.path}
            content={open.content}
            line={line}
            onLine={(next) => setSearch({ file: open.path, line: next })}
          />
        </LazyPart>
      )}
    </div>
  )
}

/** That nobody has shown the source, and how to: only the service that serves this page takes sources. */
function NotVerified(subject: Subject) {
  const [open, setOpen] = useState(false)
  const isOwn = useProfile()?.dataUrl === ''
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">
        Not verified: nobody has shown the source of this code here. Tools such as forge and hardhat can send
        it to <code>/sourcify/v2</code>.
      </p>
      {!open && (
        <div className="flex flex-wrap gap-2">
          {isOwn && <Button onClick={() => setOpen(true)}>Verify the source</Button>}
          <LabelMe {...subject} text="Give an ABI" />
        </div>
      )}
      {open && (
        <LazyPart title="The form" fallback={<SkeletonRows count={6} />}>
          <VerifyForm {...subject} onClose={() => setOpen(false)} />
        </LazyPart>
      )}
    </div>
  )
}

/** The verified sources of a contract: what they are, and the files, each loaded when it is opened. */
export function SourcePart(subject: Subject) {
  const source = useQuery(contractSourceQuery(subject.chain.chainId, subject.address))
  if (source.isPending) return <SkeletonRows count={4} />
  if (source.data?.source)
    return (
      <>
        <Facts label="Source" facts={facts(source.data.source, subject)} />
        <Files sources={source.data.source.sources ?? []} />
      </>
    )
  if (source.data) return <NotVerified {...subject} />
  return <Failed title="The source could not be loaded." query={source} />
}

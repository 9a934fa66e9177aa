import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  chainConfigQuery,
  clientVersionQuery,
  feeConfigQuery,
  liveQuery,
} from '../../api/node/node-queries.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Figures, type Figure } from '../../components/figures.tsx'
import { Link } from '../../components/link.tsx'
import { Pill } from '../../components/pill.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import type { Column } from '../../components/table/columns.ts'
import { Table } from '../../components/table/table.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatGwei, formatInteger } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'
import { faceOf, safeText } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { valueText } from '../network/blockchain/genesis.ts'
import { SettingsTables } from '../network/blockchain/settings-table.tsx'
import { Button, Form, Input } from '../../components/controls.tsx'
import { dash } from '../../components/table/column-kinds.tsx'
import { ChainAdmin } from './chain-admin.tsx'
import { TokenGate } from './shared/token-box.tsx'
import { ChainField } from './shared/chain-field.tsx'
import { GenesisCheck } from './genesis-check.tsx'
import { NodeFailed } from './shared/node-failed.tsx'
import { Rules } from './rules-view.tsx'
import { ruleName, upgradesOf, type PrecompileUpgrade } from './rules.ts'
import type { TabProps } from './shared/search.ts'
import { chainOption, useChainOptions } from './shared/use-targets.ts'
import { Labelled } from './shared/act.tsx'

type Live = { data: string | undefined; error: Error | null }

/** A figure of a node's answer; "not known" if the node refuses. */
const live = ({ data, error }: Live, text: (hex: string) => string): Pick<Figure, 'value' | 'error'> => ({
  value: data === undefined ? undefined : text(data),
  error,
})

function LiveFigures({ target, chain }: { target: NodeTarget; chain: string }) {
  const baseFee = useQuery(liveQuery(target, chain, 'eth_baseFee'))
  const tip = useQuery(liveQuery(target, chain, 'eth_maxPriorityFeePerGas'))
  const height = useQuery(liveQuery(target, chain, 'eth_blockNumber'))
  const client = useQuery(clientVersionQuery(target, chain))
  const gwei = (hex: string): string => `${formatGwei(BigInt(hex))} gwei`
  return (
    <Figures
      figures={[
        { label: 'Head', ...live(height, (hex) => formatInteger(BigInt(hex))) },
        { label: 'Base fee', ...live(baseFee, gwei), note: 'of the next block' },
        { label: 'Tip', ...live(tip, gwei), note: 'likely to be included' },
        { label: 'Client', ...live(client, (text) => safeText(text, 60)) },
      ]}
    />
  )
}

type ChainProps = { target: NodeTarget; chain: string; chainId: string | undefined }

function FeeConfig({ target, chain, chainId }: ChainProps) {
  const [text, setText] = useState('latest')
  const [block, setBlock] = useState('latest')
  const query = useQuery(feeConfigQuery(target, chain, block))
  const typed = text.trim().replaceAll(',', '')
  const asked = /^\d{1,15}$/.test(typed) ? `0x${Number(typed).toString(16)}` : typed
  const fits = /^(latest|earliest|pending|safe|finalized|0x[0-9a-fA-F]{1,64})$/.test(asked)
  const changed = query.data?.lastChangedAt
  return (
    <div className="flex flex-col gap-3">
      <Form className="flex flex-wrap items-end gap-2" onSubmit={() => setBlock(asked)}>
        <Labelled label="At block">
          <Input
            mono
            className="w-52"
            wrong={fits ? '' : 'Give a height, a hash, or a word such as latest.'}
            value={text}
            onChange={setText}
          />
        </Labelled>
        <Button type="submit">Show fees</Button>
      </Form>
      {query.error ? (
        <NodeFailed
          title="The fee configuration could not be read."
          query={query}
          absent="Chains of a subnet EVM have a fee configuration (eth_feeConfig); the C-Chain has none."
        />
      ) : query.data ? (
        <>
          {changed !== undefined && (
            <p className="text-muted">
              {changed === 0 ? (
                'As the genesis has it.'
              ) : (
                <>
                  Last changed in block{' '}
                  {chainId === undefined ? (
                    formatInteger(changed)
                  ) : (
                    <Link to={paths.block(chainId, String(changed))} className="link">
                      {formatInteger(changed)}
                    </Link>
                  )}
                  .
                </>
              )}
            </p>
          )}
          <SettingsTables genesis={{ config: { feeConfig: query.data.feeConfig } }} chainId={chainId} />
        </>
      ) : (
        <SkeletonRows count={8} />
      )}
    </div>
  )
}

const upgradeColumns: Column<PrecompileUpgrade>[] = [
  {
    id: 'name',
    header: 'Precompile',
    always: true,
    width: '220px',
    narrow: 'title',
    cell: ({ key }) => <span title={key}>{ruleName(key)}</span>,
    text: ({ key }) => key,
  },
  {
    id: 'to',
    header: 'Turned',
    width: '100px',
    narrow: 'side',
    cell: ({ isOff }) => <Pill state={isOff ? 'ended' : 'ok'}>{isOff ? 'off' : 'on'}</Pill>,
    text: ({ isOff }) => (isOff ? 'off' : 'on'),
  },
  {
    id: 'at',
    header: 'When',
    width: '120px',
    narrow: 'belowSide',
    cell: ({ at }) => (at === undefined ? dash : <TimeAgo at={at} />),
    text: ({ at }) => String(at ?? ''),
  },
  {
    id: 'rest',
    header: 'Parameters',
    narrow: 'below',
    cell: ({ rest }) => {
      const text = Object.keys(rest).length === 0 ? '–' : valueText('upgrade', rest)
      return (
        <span className={faceOf(text)} title={text}>
          {text}
        </span>
      )
    },
    text: ({ rest }) =>
      JSON.stringify(rest, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}` : item)),
  },
]
const upgradeKey = ({ key, at, isOff }: PrecompileUpgrade): string => `${key} ${at} ${isOff}`

function Configuration({
  target,
  chain,
  chainId,
  blockchainId,
}: ChainProps & { blockchainId: string | undefined }) {
  const query = useQuery(chainConfigQuery(target, chain))
  const running = query.data
  const upgrades = useMemo(() => (running ? upgradesOf(running) : []), [running])
  const config = useMemo(() => {
    const { upgrades: _upgrades, ...rest } = running ?? {}
    return rest
  }, [running])
  if (query.error && !running)
    return (
      <NodeFailed
        title="The configuration of the chain could not be read."
        query={query}
        absent="The node has no eth_getChainConfig for this chain: its namespace internal-blockchain is off, or the client has none."
      />
    )
  if (!running) return <SkeletonRows count={14} />
  return (
    <div className="flex flex-col gap-8">
      <SettingsTables genesis={{ config }} chainId={chainId} />
      {upgrades.length > 0 && (
        <Section title="Precompile upgrades" note={upgrades.length}>
          <Table
            id="node-upgrades"
            label="Precompile upgrades"
            columns={upgradeColumns}
            rows={pagedRows([upgrades])}
            rowKey={upgradeKey}
          />
        </Section>
      )}
      {target.isOfProfile && blockchainId !== undefined && (
        <Section title="Genesis against running configuration">
          <GenesisCheck blockchainId={blockchainId} running={running} />
        </Section>
      )}
    </div>
  )
}

/** One EVM chain of the node: its fees, running configuration and rules, and its administration. */
export function ChainTab({ target, search, onSearch }: TabProps & { target: NodeTarget }) {
  const { chain, at } = search
  const { chainId, blockchainId } = chainOption(useChainOptions(target), chain)
  const shown = { target, chain, chainId }
  return (
    <div key={chain}>
      <ChainField
        target={target}
        chain={chain}
        onChain={(next) => onSearch({ chain: next, at: '' }, { push: true })}
      />
      <div className="flex flex-col gap-8">
        <LiveFigures target={target} chain={chain} />
        <Section title="Fee configuration">
          <FeeConfig {...shown} />
        </Section>
        <Section title="Rules by time">
          <Rules
            {...shown}
            at={at === '' ? undefined : Number(at)}
            onAt={(next) => onSearch({ at: next === undefined ? '' : String(next) })}
          />
        </Section>
        <Section title="Configuration">
          <Configuration {...shown} blockchainId={blockchainId} />
        </Section>
        <Section title="Administration of the chain">
          <TokenGate target={target}>
            <ChainAdmin target={target} chain={chain} />
          </TokenGate>
        </Section>
      </div>
    </div>
  )
}

import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useOffered } from '../../../api/current.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { Activity, type Subject } from './activity.tsx'
import { rowKey } from './row-key.ts'
import { Choice } from '../../shared/choice.tsx'
import { erc1155Columns, erc20Columns, erc721Columns } from './transfer-columns.tsx'

const schema = z.object({ kind: z.catch(z.enum(['erc-20', 'erc-721', 'erc-1155']), 'erc-20') })
type Kind = z.infer<typeof schema>['kind']

const kindChoices = [
  { id: 'erc-20', label: 'ERC-20', needs: 'listErc20Transfers' },
  { id: 'erc-721', label: 'ERC-721', needs: 'listErc721Transfers' },
  { id: 'erc-1155', label: 'ERC-1155', needs: 'listErc1155Transfers' },
] as const

const shared = {
  noun: 'transfer',
  rowKey,
  txHash: (row: { txHash: string }) => row.txHash,
  blockNumber: (row: { blockNumber: string }) => row.blockNumber,
}
const none = (kind: string): string => `No ${kind} token was ever sent to or from this address.`

/** The token transfers of an address by kind; the kind is in the URL. */
export function TransfersTab({ address, chain }: Subject) {
  const [{ kind: named }, setSearch] = useSearchState(schema)
  const offered = useOffered()
  const kinds = kindChoices.filter(({ needs }) => offered(needs))
  // The first kind is nobody's wish.
  const kind = named === 'erc-20' && !offered('listErc20Transfers') ? (kinds.at(-1)?.id ?? named) : named
  const columns = useMemo(() => {
    const subject = { address, chain }
    return {
      'erc-20': erc20Columns(subject),
      'erc-721': erc721Columns(subject),
      'erc-1155': erc1155Columns(subject),
    }
  }, [address, chain])
  const list = {
    ...shared,
    address,
    chain,
    tools: (
      <Choice<Kind>
        label="Kind of token"
        current={kind}
        options={kinds.some(({ id }) => id === kind) ? kinds : kindChoices}
        onChange={(next) => setSearch({ kind: next }, { push: true })}
      />
    ),
  }
  if (kind === 'erc-20')
    return <Activity key={kind} {...list} id={kind} columns={columns[kind]} none={none('ERC-20')} />
  if (kind === 'erc-721')
    return <Activity key={kind} {...list} id={kind} columns={columns[kind]} none={none('ERC-721')} />
  return <Activity key={kind} {...list} id={kind} columns={columns[kind]} none={none('ERC-1155')} />
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { SearchResult } from '../../../contract/network/search.ts'
import { isUnsupported } from '../../api/errors.ts'
import { useCurrentNetwork } from '../../api/current.ts'
import { searchQuery } from '../../api/network/search.ts'
import { ReputationPill } from '../../components/tokens/token-name-pill.tsx'
import type { Choice, ChoiceGroup } from '../../components/overlays/combobox.tsx'
import { useDebounced, useStore } from '../../components/hooks.ts'
import {
  BlockIcon,
  ChainsIcon,
  ClockIcon,
  CodeIcon,
  CoinsIcon,
  NetworkIcon,
  ServerIcon,
  TransactionIcon,
  ValidatorIcon,
  VertexIcon,
  WalletIcon,
  type Icon,
} from '../../components/icons.ts'
import { groupBy } from '../../lib/group-by.ts'
import { bareAddress, isPrimaryNetwork } from '../../lib/primary-chains.ts'
import { recents } from '../../lib/storage/recents.ts'
import { guessSearch } from '../../lib/search-guess.ts'
import { shorten } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { useOwnResults, type OwnResult } from './search-own.tsx'

const icons: Record<string, Icon> = {
  block: BlockIcon,
  transaction: TransactionIcon,
  address: WalletIcon,
  contract: CodeIcon,
  token: CoinsIcon,
  chain: ChainsIcon,
  primaryBlock: BlockIcon,
  primaryTransaction: TransactionIcon,
  vertex: VertexIcon,
  wallet: WalletIcon,
  node: ServerIcon,
  subnet: NetworkIcon,
  blockchain: ChainsIcon,
  l1Validation: ValidatorIcon,
}

/** The icon of a search result's kind. */
export function kindIcon(kind: string): Icon {
  return icons[kind] ?? ClockIcon
}

/** The page of a search result; a kind that is newer than this dashboard leads to the search page. */
export function pathOfResult(result: Pick<SearchResult, 'kind' | 'chainId' | 'id' | 'network'>): string {
  const { kind, network, chainId, id } = result
  if (network !== undefined)
    switch (kind) {
      case 'primaryBlock':
        return paths.primaryBlock(network, chainId, id)
      case 'primaryTransaction':
        return paths.primaryTransaction(network, chainId, id)
      case 'vertex':
        return paths.vertex(network, id)
      case 'wallet':
        return paths.wallet(network, bareAddress(id))
      case 'node':
        return paths.validator(network, id)
      case 'subnet':
        return isPrimaryNetwork(id) ? paths.network(network) : paths.subnet(network, id)
      case 'blockchain':
        return paths.blockchain(network, id)
      case 'l1Validation':
        return paths.l1Validator(network, id)
      default:
        break
    }
  switch (kind) {
    case 'block':
      return paths.block(chainId, id)
    case 'transaction':
      return paths.transaction(chainId, id)
    case 'address':
    case 'contract':
      return paths.address(chainId, id)
    case 'token':
      return paths.token(chainId, id)
    case 'chain':
      return paths.chain(id)
    default:
      return paths.search({ q: id })
  }
}

/** Results from the service, or from the form of the text itself; `state` is the state of that search. */
export function useSearch(
  text: string,
  chainId: string | undefined,
): {
  results: readonly SearchResult[]
  state: 'idle' | 'looking' | 'done' | 'failed'
  error: unknown
  retry: () => void
} {
  const rested = useDebounced(text.trim(), 120)
  const network = useCurrentNetwork()
  const query = useQuery({ ...searchQuery(rested), enabled: rested !== '' })
  const retry = (): void => void query.refetch()
  if (text.trim() === '') return { results: [], state: 'idle', error: null, retry }
  if (query.error && isUnsupported(query.error)) {
    const results = guessSearch(rested)
      .map((guess) => ({
        ...guess,
        network,
        chainId: guess.chainId ?? chainId ?? '',
        chainName: '',
        match: 'exact',
        detail: guess.id === guess.title ? undefined : shorten(guess.id),
      }))
      // EVM results need an EVM chain.
      .filter((guess) => guess.chainId !== '' || !['block', 'transaction', 'address'].includes(guess.kind))
    return { results, state: 'done', error: null, retry }
  }
  if (query.error) return { results: [], state: 'failed', error: query.error, retry }
  if (rested !== text.trim() || query.isPending)
    return { results: query.data ?? [], state: 'looking', error: null, retry }
  return { results: query.data, state: 'done', error: null, retry }
}

/** The titles of groups of results, by kind. */
const groupNames: Readonly<Record<string, string>> = {
  block: 'Blocks',
  transaction: 'Transactions',
  address: 'Addresses',
  contract: 'Contracts',
  token: 'Tokens',
  chain: 'Chains',
  primaryBlock: 'Blocks',
  primaryTransaction: 'Transactions',
  vertex: 'Vertices',
  wallet: 'Addresses',
  node: 'Validators',
  subnet: 'Subnets and L1s',
  blockchain: 'Chains',
  l1Validation: 'L1 validators',
}

/** Results by kind, in the order of their best one; malicious tokens are a group of their own at the end. */
export function groupResults(
  results: readonly SearchResult[],
): { label: string; results: readonly SearchResult[] }[] {
  const groups = groupBy(results, ({ tokenReputation, kind }) =>
    tokenReputation === 'Malicious' ? 'Malicious tokens' : (groupNames[kind] ?? 'Others'),
  )
  return [...groups].map(([label, members]) => ({ label, results: members }))
}

/**
 * The page that Enter opens: the only result whose name or id equals the text. The same id on several chains, such as
 * the address of a deployer, opens on the current chain. Malicious tokens never open without a click. A metric opens if
 * nothing else has its name.
 */
export function onlyExact(
  results: readonly SearchResult[],
  own: readonly OwnResult[],
  chainId: string | undefined,
): string | undefined {
  const exact = results.filter(
    ({ match, tokenReputation }) => match === 'exact' && tokenReputation !== 'Malicious',
  )
  const isOneAddress = exact.every(({ id }) => id === exact[0]?.id && id.startsWith('0x'))
  const here = isOneAddress ? exact.filter((result) => result.chainId === chainId) : []
  const found = [
    ...(here.length === 1 ? here : exact).map(pathOfResult),
    ...own.filter(({ group, isExact }) => isExact && group !== 'Metrics').map(({ path }) => path),
  ]
  const metrics = own.filter(({ group, isExact }) => isExact && group === 'Metrics').map(({ path }) => path)
  const targets = found.length === 0 ? metrics : found
  return targets.length === 1 ? targets[0] : undefined
}

/** The entries below a search field: private labels, pages, metrics, results, and the last pages while it is empty. */
export function useSearchGroups(
  text: string,
  chainId: string | undefined,
): { groups: ChoiceGroup[]; status: string | undefined } {
  const navigate = useNavigate()
  const found = useSearch(text, chainId)
  const last = useStore(recents)
  const own = useOwnResults(text)
  const go = (path: string) => () => void navigate(path)

  if (text.trim() === '') {
    const choices = last.slice(0, 6).map((recent): Choice => {
      const Shape = kindIcon(recent.kind)
      return { id: `recent:${recent.path}`, title: recent.title, icon: <Shape />, onChoose: go(recent.path) }
    })
    return { groups: choices.length > 0 ? [{ label: 'Recent', choices }] : [], status: undefined }
  }
  const ownChoices = (group: OwnResult['group']): ChoiceGroup => ({
    label: group,
    choices: own
      .filter((result) => result.group === group)
      .map(({ id, title, detail, icon: Shape, path }) => ({
        id,
        title,
        detail,
        icon: <Shape />,
        onChoose: go(path),
      })),
  })
  const choiceOf = (result: SearchResult): Choice => {
    const Shape = kindIcon(result.kind)
    return {
      id: `${result.kind}:${result.chainId}:${result.id}`,
      title: result.title,
      // The chain first: it tells equal titles apart, and the end of a long detail is cut.
      detail: [result.chainName, result.detail].filter(Boolean).join(' · ') || undefined,
      icon: <Shape />,
      mark: <ReputationPill reputation={result.tokenReputation} />,
      onChoose: go(pathOfResult(result)),
    }
  }
  const nothing = own.length + found.results.length === 0
  const status =
    found.state === 'looking' && nothing
      ? 'Looking…'
      : found.state === 'failed'
        ? 'The search failed. Press Enter to see why.'
        : found.state === 'done' && nothing
          ? 'Nothing has this height, hash, address, name or ID.'
          : undefined
  return {
    groups: [
      ownChoices('Your labels'),
      ownChoices('Pages'),
      ...groupResults(found.results).map(({ label, results }) => ({ label, choices: results.map(choiceOf) })),
      ownChoices('Metrics'),
    ],
    status,
  }
}

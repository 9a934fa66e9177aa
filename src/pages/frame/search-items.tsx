import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { SearchResult } from '../../../contract/search.ts'
import { isUnsupported } from '../../api/errors.ts'
import { searchQuery } from '../../api/search.ts'
import type { Choice, ChoiceGroup } from '../../components/combobox.tsx'
import { useRested, useStore } from '../../components/hooks.ts'
import {
  BlockIcon,
  ChainsIcon,
  ClockIcon,
  CodeIcon,
  TransactionIcon,
  WalletIcon,
  type Icon,
} from '../../components/icons.ts'
import { labels } from '../../lib/labels.ts'
import { recents } from '../../lib/recents.ts'
import { guessSearch } from '../../lib/search-guess.ts'
import { shorten } from '../../lib/text.ts'
import { paths } from '../../paths.ts'

const icons: Record<string, Icon> = {
  block: BlockIcon,
  transaction: TransactionIcon,
  address: WalletIcon,
  contract: CodeIcon,
  chain: ChainsIcon,
}

/** The icon of a search result's kind. */
export function kindIcon(kind: string): Icon {
  return icons[kind] ?? ClockIcon
}

/** The page of a search result; a kind that is newer than this dashboard leads to the search page. */
export function pathOfResult(result: Pick<SearchResult, 'kind' | 'chainId' | 'id'>): string {
  switch (result.kind) {
    case 'block':
      return paths.block(result.chainId, result.id)
    case 'transaction':
      return paths.transaction(result.chainId, result.id)
    case 'address':
    case 'contract':
      return paths.address(result.chainId, result.id)
    case 'chain':
      return paths.chain(result.id)
    default:
      return paths.search(result.id)
  }
}

/** What the service, or the text's own form, finds; `state` says how far the looking has come. */
export function useSearch(
  text: string,
  chainId: string | undefined,
): {
  results: readonly SearchResult[]
  state: 'idle' | 'looking' | 'done' | 'failed'
  error: unknown
  retry: () => void
} {
  const rested = useRested(text.trim(), 120)
  const query = useQuery({ ...searchQuery(rested), enabled: rested !== '' })
  const retry = (): void => void query.refetch()
  if (text.trim() === '') return { results: [], state: 'idle', error: null, retry }
  if (query.error && isUnsupported(query.error)) {
    const results = guessSearch(rested).map((guess) => ({
      ...guess,
      chainId: chainId ?? '',
      chainName: '',
      detail: guess.id === guess.title ? undefined : shorten(guess.id),
    }))
    return { results: chainId === undefined ? [] : results, state: 'done', error: null, retry }
  }
  if (query.error) return { results: [], state: 'failed', error: query.error, retry }
  if (rested !== text.trim() || query.isPending)
    return { results: query.data ?? [], state: 'looking', error: null, retry }
  return { results: query.data, state: 'done', error: null, retry }
}

/** The entries below a search field: private labels, results, and what was open last while it is empty. */
export function useSearchGroups(
  text: string,
  chainId: string | undefined,
): { groups: ChoiceGroup[]; status: string | undefined } {
  const navigate = useNavigate()
  const found = useSearch(text, chainId)
  const last = useStore(recents)
  const named = useStore(labels)
  const go = (path: string) => () => void navigate(path)
  const needle = text.trim().toLowerCase()

  if (needle === '') {
    const choices = last.slice(0, 6).map((recent): Choice => {
      const Shape = kindIcon(recent.kind)
      return { id: `recent:${recent.path}`, title: recent.title, icon: <Shape />, onChoose: go(recent.path) }
    })
    return { groups: choices.length > 0 ? [{ label: 'Recent', choices }] : [], status: undefined }
  }
  const own = Object.entries(named)
    .filter(([address, name]) => name.toLowerCase().includes(needle) || address === needle)
    .slice(0, 5)
    .map(([address, name]): Choice => ({
      id: `label:${address}`,
      title: name,
      detail: shorten(address),
      icon: <WalletIcon />,
      onChoose: go(chainId === undefined ? paths.search(address) : paths.address(chainId, address)),
    }))
  const choices = found.results.map((result): Choice => {
    const Shape = kindIcon(result.kind)
    const detail = [result.detail, result.chainName].filter(Boolean).join(' · ')
    return {
      id: `${result.kind}:${result.chainId}:${result.id}`,
      title: result.title,
      detail: detail || undefined,
      icon: <Shape />,
      onChoose: go(pathOfResult(result)),
    }
  })
  const nothing = own.length + choices.length === 0
  const status =
    found.state === 'looking' && nothing
      ? 'Looking…'
      : found.state === 'failed'
        ? 'The search failed. Press Enter to see why.'
        : found.state === 'done' && nothing
          ? 'Nothing has this height, hash, address, name or id.'
          : undefined
  return {
    groups: [
      { label: 'Your labels', choices: own },
      { label: 'Found', choices },
    ],
    status,
  }
}

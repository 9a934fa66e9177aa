import type { WatchSubject } from '../../../../contract/watch/fields.ts'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { Link } from '../../../components/link.tsx'
import { paths } from '../../../lib/paths.ts'
import { nameOf } from './names.ts'

/** The name of the subject of a rule: its label or name, else its shortened id. */
export const subjectName = ({ kind, id, name }: WatchSubject): string =>
  kind === 'service' ? 'This service' : nameOf(id, name)

/** The page of the subject of a rule; undefined where it has none. `range` selects a time on the page's charts. */
export function subjectPath(
  { kind, id }: WatchSubject,
  network: string,
  range?: { readonly from: number; readonly to: number },
): string | undefined {
  if (kind === 'node') return paths.validator(network, id, range && { tab: 'history', ...range })
  if (kind === 'l1Validator') return paths.l1Validator(network, id, range && { tab: 'chart', ...range })
  if (kind === 'subnet') return paths.l1Validators(network, { tab: 'safety', subnet: id })
  if (kind === 'network') return paths.network(id)
  // Chains of the primary network have names here, which are not chain IDs.
  if (kind === 'chain' && /^\d+$/.test(id)) return paths.chain(id)
  if (kind === 'address') {
    const [chainId = '', address = ''] = id.split(':')
    return paths.address(chainId, address)
  }
  return undefined
}

type Props = { subject: WatchSubject; network?: string | undefined }

/** The subject of a rule, as a link to its page. */
export function Subject({ subject, network }: Props) {
  const current = useCurrentNetwork()
  const to = subjectPath(subject, networkOf(network) ?? current)
  const name = subjectName(subject)
  const isId = subject.name === undefined && subject.kind !== 'service'
  const text = <span className={isId ? 'font-mono text-mono' : ''}>{name}</span>
  return to === undefined ? (
    text
  ) : (
    <Link to={to} className="link" title={subject.id} data-value={subject.id.toLowerCase()}>
      {text}
    </Link>
  )
}

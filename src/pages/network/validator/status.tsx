import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { useProfile } from '../../../api/current.ts'
import { isNotFound } from '../../../api/errors.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { lazy } from '../../../components/lazy.ts'
import { Menu } from '../../../components/overlays/menu.tsx'
import type { PopupProps } from '../../../components/overlays/popups.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { paths } from '../../../lib/paths.ts'
import { StatusPill } from '../validators/status-pill.tsx'
import { useLeadingTerm } from './figures.tsx'
import type { Add } from './more-popup.tsx'
import type { Node } from './node.ts'

const MorePopup = lazy(() => import('./more-popup.tsx'), 'MorePopup')

/** The status of a node's main validation. */
export function Status(node: Node) {
  const { term } = useLeadingTerm(node)
  return term ? <StatusPill status={term.validationStatus} /> : null
}

/** What is rarely done with a validator of this service. It is there at once: a later button would move the page. */
export function MoreMenu({ network, nodeId }: Node) {
  const isOwn = useProfile()?.dataUrl === ''
  const { error } = useQuery({ ...nodeFeedQuery(network, nodeId), enabled: isOwn })
  const navigate = useNavigate()
  const request = useRequest((add: Add, signal) => add(signal))
  const { mutate } = request
  const Popup = useCallback(
    (popup: PopupProps) => (
      <MorePopup
        {...popup}
        network={network}
        nodeId={nodeId}
        onAdd={(add) =>
          mutate(add, {
            onSuccess: ({ fleetId, said }) => void navigate(paths.fleet(fleetId), { state: { said } }),
          })
        }
      />
    ),
    [mutate, navigate, network, nodeId],
  )
  if (!isOwn || isNotFound(error)) return null
  return (
    <>
      <Menu label="More" popup={Popup}>
        …
      </Menu>
      {request.error && (
        <span role="alert" className="text-xs text-bad">
          {request.error.message}
        </span>
      )}
    </>
  )
}

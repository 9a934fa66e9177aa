import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { localToken, tokenOfFragment } from '../../api/local-token.ts'

/**
 * Removes the local token from the URL of a link, so that it is not copied or stored with it. True until that is
 * done: no calls should be sent before.
 */
export function useTokenLink(): boolean {
  const { hash, pathname, search } = useLocation()
  const navigate = useNavigate()
  const token = tokenOfFragment(hash)
  useEffect(() => {
    if (token === undefined) return
    localToken.set(token)
    void navigate({ pathname, search }, { replace: true })
  }, [token, pathname, search, navigate])
  return token !== undefined
}

import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { localToken, tokenOfFragment } from '../../api/local-token.ts'

/**
 * Keeps the local token of a link in this browser and removes it from the URL, so that it is not copied or stored with
 * it. True until that is done: a page that needs the token sends no calls before.
 */
export function useTokenLink(): boolean {
  const { hash, key, pathname, search } = useLocation()
  const navigate = useNavigate()
  const token = tokenOfFragment(hash)
  useEffect(() => {
    if (token === undefined) return
    localToken.set(token)
    void navigate({ pathname, search }, { replace: true })
    // By its key too: the same link may be opened again before the page was drawn without the token.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [token, key, pathname, search, navigate])
  return token !== undefined
}

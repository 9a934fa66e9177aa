import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { localToken, tokenOfFragment } from '../../api/local-token.ts'

/**
 * Takes the local token out of the address of the link that carries it, so that it is neither copied nor kept
 * with the address. True until that is done: nothing should be asked before.
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

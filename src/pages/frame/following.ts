import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { chainOfPath, useProfile } from '../../api/current.ts'
import { settings } from '../../lib/storage/settings.ts'

/** Remembers the chain of the current page, so that navigation links keep it. */
export function useChainFollowing(): void {
  const { pathname } = useLocation()
  const profile = useProfile()?.id
  const chainId = chainOfPath(pathname)
  useEffect(() => {
    if (profile === undefined || chainId === undefined || settings.get().chains[profile] === chainId) return
    settings.set((now) => ({ ...now, chains: { ...now.chains, [profile]: chainId } }))
  }, [profile, chainId])
}

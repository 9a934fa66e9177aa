import { useEffect, useState } from 'react'

/**
 * Says that the checksum of an address (0x text) does not fit; nothing for one that fits or has none. A page shows such
 * an address in one case, so that it does not look as if it had been checked.
 */
export function ChecksumNote({ fits }: { fits: boolean }) {
  if (fits) return null
  return (
    <output className="block pb-2 text-warn">
      The checksum does not fit: the capital letters of this address are not those that EIP-55 derives from
      it. One of its digits may be wrong.
    </output>
  )
}

/** Whether the checksum of an address fits; true until that is known, and for an address in one case. */
export function useChecksum(address: string): boolean {
  const [wrong, setWrong] = useState('')
  useEffect(() => {
    const digits = address.slice(2)
    // Most links have one case: these need no Keccak.
    if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined
    let isCurrent = true
    void import('./eip55.ts').then(
      ({ isEip55 }) => {
        if (isCurrent && !isEip55(address)) setWrong(address)
      },
      // Without the code the address is shown as it is.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [address])
  return wrong !== address
}

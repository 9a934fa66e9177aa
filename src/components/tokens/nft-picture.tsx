import { useState } from 'react'
import { Identicon } from '../identicon.tsx'

type Props = {
  /** Where the service has the picture; undefined where it is known to have none. */
  source: string | undefined
  /** What the picture is called; read out instead of it. */
  name: string
  /** What the pattern is made of that stands where no picture is: the same for the same NFT. */
  seed: string
  /** The words below that pattern. */
  instead?: string | undefined
  /** Fetched at once, not when it comes into view. */
  eager?: boolean
}

/**
 * The picture of an NFT in a square that keeps its size. It only ever comes through the service, which
 * reads and checks it; where there is none, or it does not load, a pattern stands for it.
 */
export function NftPicture({ source, name, seed, instead = 'no picture', eager = false }: Props) {
  const [broken, setBroken] = useState<string>()
  return (
    <span className="relative flex aspect-square w-full items-center justify-center overflow-hidden rounded-base border border-line bg-sunken">
      {source !== undefined && broken !== source ? (
        <img
          src={source}
          alt={name}
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          className="size-full object-contain"
          onError={() => setBroken(source)}
        />
      ) : (
        <span className="flex flex-col items-center gap-2 p-2">
          <Identicon value={seed} size={48} />
          <span className="text-center text-xs text-muted">{instead}</span>
        </span>
      )}
    </span>
  )
}

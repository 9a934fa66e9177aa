import { useState } from 'react'
import { Identicon } from '../identicon.tsx'

type Props = {
  /** The URL of the picture at the service; undefined without one. */
  source: string | undefined
  /** The alternative text. */
  name: string
  /** The seed of the placeholder pattern: the same for the same NFT. */
  seed: string
  /** The text below the pattern. */
  instead?: string | undefined
  /** Loads at once instead of when it is visible. */
  eager?: boolean
}

/**
 * The picture of an NFT in a square of fixed size. It is only loaded through the service, which reads and checks it;
 * without a picture, or when it fails to load, a pattern replaces it.
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

/** A chain as `/v1/status` lists it, as far as the terminal needs. */
export type ChainState = {
  readonly chainId: string
  readonly chainName: string
  readonly state: string
  readonly reason?: string | undefined
  readonly indexedBlock?: string | undefined
}
export function createNews(): (
  chains: readonly ChainState[],
  isComplete: boolean,
) => { readonly lines: readonly string[]; readonly areLive: boolean }
export function primaryChains(
  network: string,
  chains: readonly {
    readonly chainName: string
    readonly state: string
    readonly reason?: string | undefined
    readonly indexedHeight?: string | undefined
  }[],
): ChainState[]

import { useWindowVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

type WindowItems<List extends HTMLElement> = {
  /** Of the element that holds the items. */
  readonly list: RefObject<List | null>
  readonly items: readonly VirtualItem[]
  /** Pixels of the items above and below those that are drawn; before the window is measured, none is drawn. */
  readonly before: number
  readonly after: number
  readonly virtualizer: Virtualizer<Window, Element>
}

/** The items of a long list that are near the viewport, in a page that scrolls as a whole. */
export function useWindowItems<List extends HTMLElement>(options: {
  readonly count: number
  readonly height: number
  readonly keyOf?: (index: number) => number
}): WindowItems<List> {
  const list = useRef<List>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (list.current) setOffset(list.current.getBoundingClientRect().top + scrollY)
  }, [])
  // This rule is for the React compiler, which is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: options.count,
    estimateSize: () => options.height,
    ...(options.keyOf && { getItemKey: options.keyOf }),
    overscan: 14,
    scrollMargin: offset,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  return {
    list,
    items,
    before: first ? first.start - offset : 0,
    after: virtualizer.getTotalSize() - (last ? last.end - offset : 0),
    virtualizer,
  }
}

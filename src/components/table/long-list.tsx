import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

type Props<Item> = {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => number
  /** Pixels of an item that has not been drawn yet; drawn ones are measured. */
  readonly height: number
  readonly renderItem: (item: Item) => ReactNode
}

/** A list of any length is drawn whole up to this many items, so that short ones can be searched in the page. */
const mostWhole = 100

/** An ordered list whose items have heights of their own; of a long one only those near the viewport are drawn. */
export function LongList<Item>(props: Props<Item>): ReactNode {
  if (props.items.length > mostWhole) return <VirtualList {...props} />
  return (
    <ol aria-label={props.label}>
      {props.items.map((item) => (
        <li key={props.keyOf(item)}>{props.renderItem(item)}</li>
      ))}
    </ol>
  )
}

function VirtualList<Item>({ label, items, keyOf, height, renderItem }: Props<Item>) {
  const list = useRef<HTMLOListElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    if (list.current) setOffset(list.current.getBoundingClientRect().top + scrollY)
  }, [])
  // This rule is for the React compiler, which is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 14,
    scrollMargin: offset,
  })
  const drawn = virtualizer.getVirtualItems()
  const first = drawn[0]
  const last = drawn.at(-1)
  return (
    <ol
      ref={list}
      aria-label={label}
      style={{
        paddingTop: first ? first.start - offset : 0,
        paddingBottom: virtualizer.getTotalSize() - (last ? last.end - offset : 0),
      }}
    >
      {drawn.map(({ index, key }) => {
        const item = items[index]
        return item === undefined ? null : (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={items.length}
          >
            {renderItem(item)}
          </li>
        )
      })}
    </ol>
  )
}

import type { ReactNode } from 'react'
import { useWindowItems } from './use-window-items.ts'

type Props<Item> = {
  readonly label: string
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => number
  /** Pixels of an item that has not been drawn yet; drawn ones are measured. */
  readonly height: number
  readonly renderItem: (item: Item) => ReactNode
}

/** A list of any length is drawn whole up to this many items, so that short ones can be searched in the page. */
const maxWhole = 100

/** An ordered list whose items have heights of their own; of a long one only those near the viewport are drawn. */
export function LongList<Item>(props: Props<Item>): ReactNode {
  if (props.items.length > maxWhole) return <VirtualList {...props} />
  return (
    <ol aria-label={props.label}>
      {props.items.map((item) => (
        <li key={props.keyOf(item)}>{props.renderItem(item)}</li>
      ))}
    </ol>
  )
}

function VirtualList<Item>({ label, items, keyOf, height, renderItem }: Props<Item>) {
  const {
    list,
    items: drawn,
    before,
    after,
    virtualizer,
  } = useWindowItems<HTMLOListElement>({
    count: items.length,
    height,
    keyOf: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
  })
  return (
    <ol ref={list} aria-label={label} style={{ paddingTop: before, paddingBottom: after }}>
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

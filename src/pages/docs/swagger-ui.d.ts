/** What the page uses of Swagger UI, whose package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type * as React from 'react'

  /** An immutable list or map, as far as the page walks it. */
  export type Immutable<Item> = {
    map(change: (item: Item, key: string) => Item): Immutable<Item>
    filter(keep: (item: Item) => boolean): Immutable<Item>
    readonly size: number
  }
  /** An operation with its method and path. */
  export type ListedOperation = {
    get(key: 'method' | 'path'): string
    get(key: 'operation'): { get(key: 'summary' | 'operationId'): string }
  }
  /** The operations of one tag. */
  export type Group = {
    get(key: 'operations'): Immutable<ListedOperation>
    update(
      key: 'operations',
      change: (operations: Immutable<ListedOperation>) => Immutable<ListedOperation>,
    ): Group
  }
  /** What the viewer gives to its plugins. */
  export type ViewerSystem = { readonly React: typeof React }
  /** A request before it is sent. */
  export type ViewerRequest = { url: string; headers: Record<string, string> }

  /** Draws the viewer into `domNode`. */
  export default function SwaggerUI(
    options: Readonly<Record<string, unknown>> & { domNode: HTMLElement },
  ): unknown
}

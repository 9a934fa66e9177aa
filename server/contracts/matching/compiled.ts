/** Where an address of a library belongs, by source and library (standard JSON, `linkReferences`). */
export type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly Span[]>>>>

/** Bytes of a code: `start` and `length` in bytes. */
export type Span = { readonly start: number; readonly length: number }

/** A part of a code that holds CBOR of the compiler, with the two bytes of its length; `value` is hex without 0x. */
export type Auxdata = { readonly offset: number; readonly value: string }

/** A code as it was compiled: hex without 0x, with placeholders for libraries. */
export type CompiledCode = {
  readonly object: string
  readonly links: LinkReferences
  readonly auxdata: readonly Auxdata[]
}

/** A contract as it was compiled. */
export type CompiledContract = {
  readonly runtime: CompiledCode & { readonly immutables: Readonly<Record<string, readonly Span[]>> }
  readonly creation: CompiledCode
  /** The inputs of its constructor, as in an ABI. */
  readonly constructorInputs: readonly { readonly type: string; readonly name?: string }[]
  /** Whether the optimizer ran, which unused sources may disturb. */
  readonly isOptimized: boolean
}

import examples from './examples.json' with { type: 'json' }

type Example = {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly answer?: unknown
}

// Written by scripts/examples.mjs, from the sample.
const byOperation = examples as Readonly<Record<string, Example>>

/** An example of a parameter of an operation. */
export const exampleParameter = (operationId: string, name: string): unknown =>
  byOperation[operationId]?.parameters[name]

/** An example of what an operation is sent. */
export const exampleBody = (operationId: string): unknown => byOperation[operationId]?.body

/** An example of what it answers. */
export const exampleAnswer = (operationId: string): unknown => byOperation[operationId]?.answer

import { readFileSync } from 'node:fs'
import { ScalarType, type DescField, type DescFile } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { file_peer_messages } from './peer/messages_pb.ts'
import { file_warp_justification } from './warp/justification_pb.ts'

const typeOf = (field: DescField): string => {
  switch (field.fieldKind) {
    case 'scalar':
      return ScalarType[field.scalar].toLowerCase()
    case 'message':
      return field.message.name
    case 'list':
      if (field.listKind === 'scalar') return `repeated ${ScalarType[field.scalar].toLowerCase()}`
      if (field.listKind === 'message') return `repeated ${field.message.name}`
  }
  throw new Error(`${field.name} is of a kind that the schemas do not use`)
}

/** The fields of a generated file, as lines of a schema. */
const generated = (file: DescFile): string[] =>
  file.messages.flatMap(({ name, fields }) =>
    fields.map((field) => `${name}: ${typeOf(field)} ${field.name} = ${field.number};`),
  )

/** The fields that a schema declares. */
function declared(path: string): string[] {
  let message = ''
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => {
      message = /^message (\w+)/.exec(line)?.[1] ?? message
      const field = /^\s+((?:repeated )?\w+ \w+ = \d+;)/.exec(line)?.[1]
      return field === undefined ? [] : [`${message}: ${field}`]
    })
}

test.each([
  { schema: './peer/messages.proto', file: file_peer_messages },
  { schema: './warp/justification.proto', file: file_warp_justification },
])('the code generated from $schema is current (node scripts/generate-protobuf.mjs)', ({ schema, file }) => {
  const fields = declared(schema)
  expect(generated(file).sort()).toEqual(fields.sort())
  expect(fields.length).toBeGreaterThan(3)
})

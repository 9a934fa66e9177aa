import { expect, test } from 'vitest'
import { channelKinds } from '../../../contract/watch/channels.ts'
import { pages } from '../../../contract/pages.ts'
import { plainText, postOf, type Envelope } from './bodies.ts'

const origin = 'https://explorer.example'
const envelope: Envelope = {
  message: {
    event: 'firing',
    alarmId: '00000000-0000-4000-8000-000000000001',
    title: 'Not connected',
    text: 'alpha is not connected.',
    severity: 'critical',
    kind: 'notConnected',
    ruleId: '00000000-0000-4000-8000-000000000002',
    ruleName: 'Not connected',
    fleetId: '00000000-0000-4000-8000-000000000003',
    subject: { kind: 'node', id: 'NodeID-1', nodeId: 'NodeID-1' },
    unit: 'samples',
    timestamp: 1_790_000_000,
  },
  deliveryId: '00000000-0000-4000-8000-000000000004',
  sentTs: 1_790_000_001,
  publicUrl: origin,
}
const settings = {
  url: 'https://hooks.example/1',
  botToken: '1:token',
  chatId: '1',
  topic: 'topic',
  routingKey: 'key',
}

/** The paths below the dashboard's origin that a text names. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/https:\/\/explorer\.example([^"\\\s|>?]*)/g)].map(([, path = '']) => path)

test.each(channelKinds.filter((kind) => kind !== 'smtp'))('%s links to a page of the dashboard', (kind) => {
  const paths = pathsIn(JSON.stringify(postOf({ kind, settings }, envelope)))
  expect(paths).not.toEqual([])
  expect(new Set(paths)).toEqual(new Set([pages.alarms.path]))
})

test('a mail links to a page of the dashboard, and to none if its address is unknown', () => {
  const paths = pathsIn(plainText(envelope))
  expect(paths).toEqual([pages.alarms.path])
  expect(plainText({ ...envelope, publicUrl: undefined })).not.toContain('http')
})

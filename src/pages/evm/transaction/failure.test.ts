import { expect, test } from 'vitest'
import { errorText, kindText, sourceText } from './failure.ts'

const failure = (more: Partial<Parameters<typeof sourceText>[0] & Parameters<typeof errorText>[0]> = {}) => ({
  kind: 'CUSTOM_ERROR' as const,
  source: 'TRACE' as const,
  isStateMissing: false,
  ...more,
})
const argument = (name: string, value: unknown) => ({ name, type: 'uint256', value })
const error = (signature: string, args: readonly ReturnType<typeof argument>[]) =>
  ({ name: signature.split('(')[0] ?? '', signature, args }) as never

test('a kind that is not known yet has a sentence, too', () => {
  expect(kindText(failure())).toBe('The contract reverted with an error of its own.')
  expect(kindText(failure({ kind: 'LATER' as never }))).toBe('The reason is not known.')
})

test('the source says why no more is known', () => {
  expect(sourceText(failure())).toBe('The node traced this transaction.')
  expect(sourceText(failure({ source: 'RECEIPT' }))).toBe(
    'The receipt alone. This node neither traces nor replays it.',
  )
  expect(sourceText(failure({ source: 'RECEIPT', isStateMissing: true }))).toBe(
    'The receipt alone. This node no longer keeps that state, so the call can’t be replayed.',
  )
  expect(sourceText(failure({ source: 'LATER' as never }))).toBe('LATER')
})

test('an error is written as code, with the text of a reason in quotes', () => {
  expect(errorText(failure())).toBeUndefined()
  const custom = error('CreditTooLow(uint256,uint256)', [argument('available', '1'), argument('', '2')])
  expect(errorText(failure({ error: custom }))).toBe('CreditTooLow(available: 1, 2)')
  const reason = error('Error(string)', [argument('message', 'too late')])
  expect(errorText(failure({ error: reason }))).toBe('Error("too late")')
  const nested = error('Bad((bool,uint256))', [argument('state', [true, '7'])])
  expect(errorText(failure({ error: nested }))).toBe('Bad(state: [true,"7"])')
})

test('what a contract chose cannot turn the text around or fill the page', () => {
  const turned = error('Error(string)', [argument('', `a\u202Eb${'x'.repeat(500)}`)])
  const text = errorText(failure({ error: turned })) ?? ''
  expect(text).not.toContain('\u202E')
  expect(text.length).toBeLessThan(220)
})

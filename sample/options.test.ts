import { describe, expect, test } from 'vitest'
import { OptionError, readOptions } from './options.ts'

describe('readOptions', () => {
  test('prefers the command line to the environment and the environment to the defaults', () => {
    expect(readOptions([], {}).port).toBe(4401)
    expect(readOptions([], { SAMPLE_PORT: '5000' }).port).toBe(5000)
    expect(readOptions(['--port', '6000'], { SAMPLE_PORT: '5000' }).port).toBe(6000)
    expect(readOptions([], {})).toMatchObject({
      hours: 2160,
      density: 1,
      live: true,
      testControls: false,
      archive: false,
      admin: true,
    })
  })

  test('names the setting, its value and the allowed values', () => {
    const refuse = (...args: string[]): string => {
      try {
        readOptions(args, {})
      } catch (error) {
        if (error instanceof OptionError) return error.message
        throw error
      }
      return 'accepted'
    }
    expect(refuse('--port', '99999')).toBe('--port is "99999"; it must be a whole number from 0 to 65535')
    expect(refuse('--hours', '5')).toBe('--hours is "5"; it must be a whole number from 6 to 2160')
    expect(refuse('--density', '11')).toBe('--density is "11"; it must be a whole number from 1 to 10')
    expect(refuse('--live', 'yes')).toBe('--live is "yes"; it must be on or off')
    expect(refuse('--admin', 'no')).toBe('--admin is "no"; it must be on or off')
    expect(refuse('--nope')).toContain("'--nope'")
    expect(() => readOptions([], { SAMPLE_PORT: 'x' })).toThrow('SAMPLE_PORT is "x"')
  })
})

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { gzipSync } from 'node:zlib'

/** One function on a stack. `line` counts from 1; 0 where it is not known. */
export interface Frame {
  readonly name: string
  readonly file: string
  readonly line: number
}

/** What was measured on one stack, the innermost frame first; a value for every kind of the profile. */
export interface Sample {
  readonly stack: readonly Frame[]
  readonly values: readonly bigint[]
}

/** What the values are, and in which unit. */
export interface Kind {
  readonly type: string
  readonly unit: string
}

/** A profile as `go tool pprof` reads it. Times in nanoseconds. */
export interface Profile {
  readonly kinds: readonly Kind[]
  readonly samples: readonly Sample[]
  readonly takenAt: bigint
  readonly duration: bigint
  readonly period: { readonly kind: Kind; readonly value: bigint }
}

/** Field numbers of the format's `Profile` message and those inside it. */
const PROFILE = {
  sampleType: 1,
  sample: 2,
  location: 4,
  function: 5,
  strings: 6,
  time: 9,
  duration: 10,
  periodType: 11,
  period: 12,
  defaultType: 14,
} as const
const SAMPLE = { locations: 1, values: 2 } as const
const LOCATION = { id: 1, line: 4 } as const
const LINE = { function: 1, line: 2 } as const
const FUNCTION = { id: 1, name: 2, systemName: 3, file: 4 } as const

class Numbers {
  private readonly known = new Map<string, number>()

  private readonly first: number

  constructor(first: number) {
    this.first = first
  }

  /** The number of a key, with whether it is a new one. */
  of(key: string): readonly [number, boolean] {
    const found = this.known.get(key)
    if (found !== undefined) return [found, false]
    const next = this.known.size + this.first
    this.known.set(key, next)
    return [next, true]
  }

  keys(): Iterable<string> {
    return this.known.keys()
  }
}

/** The profile's bytes: the gzipped protobuf of pprof. */
export function encodeProfile(profile: Profile): Buffer {
  const writer = new BinaryWriter()
  const strings = new Numbers(0)
  const locations = new Numbers(1)
  const functions = new Numbers(1)
  const text = (value: string): number => strings.of(value)[0]
  // The table must begin with the empty text.
  text('')

  function message(field: number, write: () => void): void {
    writer.tag(field, WireType.LengthDelimited).fork()
    write()
    writer.join()
  }

  function number(field: number, value: number | bigint): void {
    writer.tag(field, WireType.Varint).int64(value.toString())
  }

  function packed(field: number, values: readonly (number | bigint)[]): void {
    message(field, () => {
      for (const value of values) writer.int64(value.toString())
    })
  }

  function kind(field: number, { type, unit }: Kind): void {
    message(field, () => {
      number(1, text(type))
      number(2, text(unit))
    })
  }

  function functionOf({ name, file }: Frame): number {
    const [id, isNew] = functions.of(`${name}\0${file}`)
    if (isNew) {
      message(PROFILE.function, () => {
        number(FUNCTION.id, id)
        number(FUNCTION.name, text(name))
        number(FUNCTION.systemName, text(name))
        number(FUNCTION.file, text(file))
      })
    }
    return id
  }

  function locationOf(frame: Frame): number {
    const [id, isNew] = locations.of(`${frame.name}\0${frame.file}\0${frame.line}`)
    if (!isNew) return id
    const at = functionOf(frame)
    message(PROFILE.location, () => {
      number(LOCATION.id, id)
      message(LOCATION.line, () => {
        number(LINE.function, at)
        number(LINE.line, frame.line)
      })
    })
    return id
  }

  for (const each of profile.kinds) kind(PROFILE.sampleType, each)
  for (const { stack, values } of profile.samples) {
    const places = stack.map(locationOf)
    message(PROFILE.sample, () => {
      packed(SAMPLE.locations, places)
      packed(SAMPLE.values, values)
    })
  }
  number(PROFILE.time, profile.takenAt)
  number(PROFILE.duration, profile.duration)
  kind(PROFILE.periodType, profile.period.kind)
  number(PROFILE.period, profile.period.value)
  number(PROFILE.defaultType, text(profile.kinds.at(-1)?.type ?? ''))
  for (const value of strings.keys()) writer.tag(PROFILE.strings, WireType.LengthDelimited).string(value)
  return gzipSync(writer.finish())
}

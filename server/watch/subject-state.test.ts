import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstState, step, type Evaluation, type SubjectState } from './subject-state.ts'

/** A sample as a letter: `x` beyond the threshold, `.` back from it, `-` in between, `?` unknown, `g` gone. */
const evaluationOf = (letter: string, sample: number): Evaluation => {
  if (letter === '?') return { kind: 'unknown', text: '' }
  if (letter === 'g') return { kind: 'gone', text: '' }
  return { kind: 'known', sample, isBreach: letter === 'x', isClear: letter === '.', value: 1, text: '' }
}

/** The states after each letter, and what happened to the alarm, as text. */
function run(letters: string, samples: number, times = (place: number) => 1_000 + place) {
  let state: SubjectState = firstState
  const states: string[] = []
  const turns: string[] = []
  for (const [place, letter] of [...letters].entries()) {
    const stepped = step(state, evaluationOf(letter, place), samples, times(place))
    state = stepped.state
    states.push(state.state)
    if (stepped.transition !== undefined) turns.push(`${place} ${stepped.transition}`)
  }
  return { states: states.join(' '), turns, state }
}

describe('the states of a rule', () => {
  test.each([
    ['.x.', 1, 'ok firing resolved', ['1 opened', '2 resolved']],
    ['.xxx', 3, 'ok pending pending firing', ['3 opened']],
    ['xx.x', 3, 'pending pending ok pending', []],
    ['xx..', 2, 'pending firing firing resolved', ['1 opened', '3 resolved']],
    ['xx.x..', 2, 'pending firing firing firing firing resolved', ['1 opened', '5 resolved']],
    // The hysteresis: between, an alarm stays, and nothing opens.
    ['x--.', 1, 'firing firing firing resolved', ['0 opened', '3 resolved']],
    ['-x-', 2, 'ok pending ok', []],
    // Unknown neither resolves, nor opens, nor counts as agreement or contradiction.
    ['x??.', 1, 'firing unknown unknown resolved', ['0 opened', '3 resolved']],
    ['x?x', 2, 'pending unknown firing', ['2 opened']],
    ['??.', 1, 'unknown unknown ok', []],
    ['xg.', 1, 'firing ok ok', ['0 opened', '1 gone']],
    ['..x.x', 1, 'ok ok firing resolved firing', ['2 opened', '3 resolved', '4 opened']],
  ] as const)('%s with %i samples', (letters, samples, states, turns) => {
    expect(run(letters, samples)).toMatchObject({ states, turns })
  })

  test('a sample that was evaluated already changes no count', () => {
    const first = step(firstState, evaluationOf('x', 7), 2, 1)
    const again = step(first.state, evaluationOf('x', 7), 2, 2)
    expect(again.state).toEqual(first.state)
    // After unknown it only restores the state.
    const lost = step(first.state, evaluationOf('?', 0), 2, 3)
    expect(step(lost.state, evaluationOf('x', 7), 2, 4).state).toMatchObject({
      state: 'pending',
      breaches: 1,
    })
    expect(step(again.state, evaluationOf('x', 8), 2, 5).transition).toBe('opened')
  })

  test('`since` is the round in which the state began', () => {
    const times = [10, 20, 30, 5, 50]
    expect(run('..x..', 1, (place) => times[place] ?? 0).state).toMatchObject({ state: 'resolved', since: 5 })
  })
})

const letters = fc.stringMatching(/^[x.?g-]{0,60}$/)

describe('whatever the samples are', () => {
  test('alarms open and end in turn, and unknown does neither', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: 1, max: 5 }), (text, samples) => {
        let isOpen = false
        for (const turn of run(text, samples).turns) {
          const [place, what] = turn.split(' ')
          expect(what === 'opened').toBe(!isOpen)
          expect(text[Number(place)]).not.toBe('?')
          isOpen = !isOpen
        }
        expect(run(text, samples).state.isOpen).toBe(isOpen)
      }),
    )
  })

  test('an alarm opens exactly where the last n known samples were beyond the threshold', () => {
    fc.assert(
      fc.property(letters, fc.integer({ min: 1, max: 5 }), (text, samples) => {
        // An independent recount: the known samples since the last end, one by one.
        const opened: number[] = []
        let [row, clear, isOpen] = [0, 0, false]
        for (const [place, letter] of [...text].entries()) {
          if (letter === '?') continue
          if (letter === 'g') [row, clear, isOpen] = [0, 0, false]
          else if (letter === 'x') {
            row += 1
            clear = 0
            if (!isOpen && row >= samples) {
              opened.push(place)
              isOpen = true
            }
          } else if (!isOpen) row = 0
          else {
            clear = letter === '.' ? clear + 1 : 0
            if (clear >= samples) [row, clear, isOpen] = [0, 0, false]
          }
        }
        const found = run(text, samples).turns.filter((turn) => turn.endsWith('opened'))
        expect(found).toEqual(opened.map((place) => `${place} opened`))
      }),
    )
  })

  test('the clock decides nothing', () => {
    fc.assert(
      fc.property(letters, fc.infiniteStream(fc.integer({ min: -1e9, max: 4e9 })), (text, stream) => {
        const times = [...text].map(() => Number(stream.next().value))
        const jumping = run(text, 2, (place) => times[place] ?? 0)
        const steady = run(text, 2)
        expect([jumping.states, jumping.turns]).toEqual([steady.states, steady.turns])
      }),
    )
  })

  test('evaluating every sample twice changes nothing', () => {
    fc.assert(
      fc.property(letters, (text) => {
        let [once, twice]: [SubjectState, SubjectState] = [firstState, firstState]
        for (const [place, letter] of [...text].entries()) {
          const evaluation = evaluationOf(letter, place)
          once = step(once, evaluation, 3, place).state
          twice = step(step(twice, evaluation, 3, place).state, evaluation, 3, place).state
        }
        expect(twice).toEqual(once)
      }),
    )
  })
})

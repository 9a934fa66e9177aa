const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop that no other caller has. Answers of a node arrive in bunches, and each
 * takes a millisecond or two to be checked and decoded. Were a bunch worked off in one turn, the database would
 * wait for its next rows meanwhile, and requests for their answers.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
  })
}

function next(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(next)
}

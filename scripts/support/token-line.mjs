// Says where the local token is (docs/gateway.md): a link that carries it, on a terminal alone. What is not a terminal
// may be a log file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const onThisMachine = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/

/** The line about the token of a service that listens at `url` and has its home in `home`. */
export function tokenLine(url, home, { isTerminal, setting }) {
  if (setting !== undefined) return 'the local token is that of RIDGELINE_TOKEN'
  const path = join(home, 'token')
  let token
  try {
    token = readFileSync(path, 'utf8').trim()
  } catch {
    // The service has logged the reason; pages say what to do.
    return `there is no local token: ${path} can't be read`
  }
  if (!isTerminal || !onThisMachine.test(url))
    return `the local token, for the operator on this machine, is in ${path}`
  return `open it as its operator, for fleets, alarms, SQL and nodes: ${new URL('/', url).href}#token=${token}`
}

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { startTestGateway, type TestGateway } from './gateway.ts'
import { echo } from './scripted-node.ts'

/** The gateway that the tests of a file share. Its node's record of calls is cleared before each test. */
export type SharedGateway = Omit<TestGateway, 'close'> & {
  /** Starts one with settings of its own, for one test. Arguments as those of `startTestGateway`. */
  another(...args: Parameters<typeof startTestGateway>): Promise<TestGateway>
  /** Has something done when the test is over; the latest first. */
  later(cleanup: () => unknown): void
}

/** Starts a gateway before the tests of a file, and ends it after them. To be called once, outside of tests. */
export function useGateway(): SharedGateway {
  let started: TestGateway | undefined
  const cleanups: (() => unknown)[] = []
  const own = (): TestGateway => {
    if (!started) throw new Error('the gateway is there in tests only')
    return started
  }
  beforeAll(async () => {
    started = await startTestGateway()
  })
  afterAll(() => started?.close())
  beforeEach(() => {
    const { node } = own()
    node.asked.length = 0
    node.sockets.length = 0
    node.script = echo
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  return {
    get node() {
      return own().node
    },
    get service() {
      return own().service
    },
    get url() {
      return own().url
    },
    post: (...args) => own().post(...args),
    async another(...args) {
      const more = await startTestGateway(...args)
      cleanups.push(() => more.close())
      return more
    },
    later: (cleanup) => void cleanups.push(cleanup),
  }
}

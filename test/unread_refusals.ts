/**
 * Refusals that no test looks at. A test that only prepares something takes its answers for granted, and what it then waits for, or finds absent,
 * says nothing when the preparation was refused.
 */
import type { Answer } from './client.ts'

export interface RefusalWatch {
  /** The same answer. Looking at its status or body makes a refusal one that was read. */
  watch(answer: Answer, request: string): Answer
  /** @throws Error that names the requests whose refusals were not looked at */
  assertNone(): void
}

/** Watches the answers of one scene's clients. */
export function watchRefusals(): RefusalWatch {
  const unread = new Map<Answer, string>()
  return {
    watch(answer, request) {
      const { status, body, headers, bytes } = answer
      if (status < 400) return answer
      const watched = {} as Answer
      const reading = <T>(value: T, enumerable: boolean): PropertyDescriptor => ({
        get: () => {
          unread.delete(watched)
          return value
        },
        enumerable,
      })
      Object.defineProperties(watched, {
        status: reading(status, true),
        body: reading(body, true),
        headers: reading(headers, false),
        bytes: reading(bytes, false),
      })
      unread.set(watched, `${request} answered ${status} ${JSON.stringify(body)?.slice(0, 200)}${askedAt()}`)
      return watched
    },
    assertNone() {
      const requests = [...unread.values()]
      if (requests.length > 0) throw new Error(`No test looked at these refusals:\n${requests.join('\n')}`)
    },
  }
}

/** The line of the test that asked, where the stack has one. */
function askedAt(): string {
  const line = new Error().stack?.split('\n').find(frame => /\.test\.ts:\d+/.test(frame))
  return line === undefined ? '' : `\n  ${line.trim()}`
}

/** Streams of pages for tests, as a browser opens them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { eventually } from '../../../../test/eventually.ts'
import type { Scene } from '../../../../test/scene.ts'
import { password } from '../../../identity/oauth/scene.ts'

/** How a browser asks for a stream. */
export interface Asking {
  /** When its page was made, in milliseconds. */
  readonly since?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** An open stream. */
export interface Listener {
  /** What has arrived so far. */
  text(): string
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<unknown>
  close(): Promise<void>
}

/** What opens streams of a scene. */
export function liveScene(scene: Scene) {
  /** A browser's cookie for a new session of a user with the password of `oauthScene`. */
  async function cookieOf(username: string): Promise<string> {
    const answer = await scene.anonymous.post(`${scene.url}/users/sign_in`, new URLSearchParams({ login: username, password }))
    return String(answer.headers['set-cookie']).split(';')[0] as string
  }

  /** Asks for a stream on a connection of its own. */
  async function open(on: string, cookie?: string, { since = Date.now(), headers = {} }: Asking = {}): Promise<IncomingMessage> {
    const asked = request(`${scene.url}/-/live?${new URLSearchParams({ on, since: String(since) })}`, {
      agent: false,
      headers: { accept: 'text/event-stream', ...(cookie === undefined ? {} : { cookie }), ...headers },
    })
    const [answer] = (await once(asked.end(), 'response')) as [IncomingMessage]
    return answer
  }

  /** Opens a stream and waits for its first message. */
  async function listen(on: string, cookie?: string, asking: Asking = {}): Promise<Listener> {
    const answer = await open(on, cookie, asking)
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [200, 'text/event-stream'])
    let received = ''
    answer.setEncoding('utf8').on('data', text => {
      received += text
    })
    const left = once(answer, 'close')
    await eventually(() => received.includes('retry:'), 'the beginning of a stream')
    return {
      text: () => received,
      ended: left,
      async close() {
        answer.destroy()
        await left
      },
    }
  }

  return { cookieOf, open, listen }
}

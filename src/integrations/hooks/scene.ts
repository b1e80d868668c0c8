/** For tests: a receiver of hooks' requests, and the worker's part in the deliveries. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { atEnd } from '../../../test/at_end.ts'
import type { Person, Scene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

/** A received request. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: payloads are of all kinds
  readonly body: any
}

/** An HTTP server on this machine that records requests before it answers them. */
export async function openReceiver(answer: RequestListener = (_request, response) => void response.end('thanks')) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ path: request.url as string, headers: request.headers, body: body && JSON.parse(body) })
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  atEnd(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close }
}

/** Adds a hook as a user and returns its path in the API; `place.url` is empty for the instance. */
export async function addHookTo(person: Person, place: { readonly url: string }, attributes: object): Promise<string> {
  const answer = await person.post(`${place.url}/hooks`, attributes)
  if (answer.status !== 201) throw new Error(`the hook was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  return `${place.url}/hooks/${answer.body.id}`
}

/** The worker's handling of events and deliveries: processes recorded events, and makes one attempt at each delivery to hooks and integrations. */
export function workOf({ deps }: Scene) {
  const tasks = tasksOf(deps)
  const { db } = deps.database
  let last = 0
  return {
    async deliver() {
      for (const { id } of await db.selectFrom('events').select('id').where('id', '>', last).orderBy('id').execute()) {
        last = id
        await tasks.deliver_event({ event_id: id }, undefined)
      }
      const pending = await db.selectFrom('hook_deliveries').select('id').where('status', '=', 'pending').orderBy('id').execute()
      for (const { id } of pending) await tasks.send_to_hook({ delivery_id: id }, undefined)
      const notified = await db.selectFrom('integration_deliveries').select('id').where('status', '=', 'pending').orderBy('id').execute()
      for (const { id } of notified) await tasks.send_to_integration({ delivery_id: id }, undefined)
    },
  }
}

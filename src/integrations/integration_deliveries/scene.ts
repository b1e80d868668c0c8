/** For tests: a server that an integration talks to, with answers by method and path. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { atEnd } from '../../../test/at_end.ts'

/** A received request. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies are of all kinds
  readonly body: any
}

/** What a server answers: a status, and JSON. */
export type Reply = (asked: Asked) => { readonly status?: number; readonly body?: unknown } | undefined

/** An HTTP server on this machine that records requests; it answers 200 where `reply` says nothing. */
export async function openServer(reply: Reply = () => undefined) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const sent = await text(request)
    const isJson = request.headers['content-type']?.includes('json') && sent !== ''
    const one: Asked = {
      method: request.method as string,
      path: request.url as string,
      headers: request.headers,
      text: sent,
      body: isJson ? JSON.parse(sent) : undefined,
    }
    asked.push(one)
    const { status = 200, body = {} } = reply(one) ?? {}
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

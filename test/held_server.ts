/** A server on this machine that answers when it is let: for what happens while others are waited for. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at_end.ts'

export interface HeldServer {
  readonly url: string
  /** Resolves when the first request has come. */
  readonly asked: Promise<void>
  /** Lets it answer all requests. */
  answer(): void
}

/** @param body what every request is answered with */
export async function holdServer(body: string): Promise<HeldServer> {
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = createServer(async (_request, response) => {
    asked.resolve()
    await answers.promise
    response.end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: asked.promise, answer: answers.resolve }
}

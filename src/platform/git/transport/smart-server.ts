/** A bare smart-HTTP server over the transport functions, for the tests of this folder: no access control, loopback only. */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Repository } from '../storage/repository.ts'
import type { PushResult } from './push-report.ts'
import { type Push, receivePack } from './receive-pack.ts'
import { advertiseRefs, type TransportService, uploadPack } from './upload-pack.ts'

export type PushDecisions = Partial<Pick<Push, 'authorize' | 'rewriteRefusal' | 'record' | 'settled'>>

export interface SmartServer extends AsyncDisposable {
  readonly url: string
  /** What has been settled, push by push. */
  readonly settled: (readonly PushResult[])[]
  /** Errors of pushes and fetches, in order. */
  readonly errors: unknown[]
}

export async function serve(repository: Repository, decisions: PushDecisions = {}): Promise<SmartServer> {
  const settled: (readonly PushResult[])[] = []
  const errors: unknown[] = []
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = new URL(incoming.url!, 'http://localhost')
    const protocol = incoming.headers['git-protocol']?.toString()
    const request = incoming.headers['content-encoding'] === 'gzip' ? incoming.pipe(createGunzip()) : incoming
    if (url.pathname.endsWith('/info/refs')) {
      const service = url.searchParams.get('service') as TransportService
      response.setHeader('content-type', `application/x-${service}-advertisement`)
      await pipeline(Readable.from(advertiseRefs(repository, service, { protocol, framing: 'http' })), response)
    } else if (url.pathname.endsWith('/git-upload-pack')) {
      response.setHeader('content-type', 'application/x-git-upload-pack-result')
      await uploadPack(repository, { request, response, protocol, stateless: true })
    } else {
      response.setHeader('content-type', 'application/x-git-receive-pack-result')
      await receivePack(repository, {
        request,
        response,
        requestEnds: true,
        authorize: decisions.authorize ?? (async commands => commands.map(() => undefined)),
        ...(decisions.rewriteRefusal && { rewriteRefusal: decisions.rewriteRefusal }),
        record: decisions.record ?? (async () => []),
        settled: async results => {
          settled.push(results)
          return (await decisions.settled?.(results)) ?? []
        },
      })
    }
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(error => {
      errors.push(error)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/project.git`,
    settled,
    errors,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Runs the real git client in a directory. Never throws: a refused push is an answer. */
export function client(cwd: string, args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise(resolve => {
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.com',
      LC_ALL: 'C.UTF-8',
    }
    execFile('git', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

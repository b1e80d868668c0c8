/**
 * The floor of clone and push: git's own `upload-pack` and `receive-pack` behind a bare `node:http` handler, on
 * repositories named by their path. No credentials, no rules, no database.
 */
import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createGunzip } from 'node:zlib'
import { environment } from '../environment.ts'
import { serveFloor } from './serve.ts'

await serveFloor<{ readonly directory: string }>(async ({ directory }) => (request, response) => {
  const url = new URL(request.url ?? '/', 'http://floor')
  const [, path, action] = /^\/([\w.-]+)\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(url.pathname) ?? []
  if (path === undefined || action === undefined) return void response.writeHead(404).end()
  const repository = `${directory}/${path}`
  if (action === 'info/refs') advertise(request, response, repository, url.searchParams.get('service') ?? '')
  else exchange(request, response, repository, action)
})

function start(request: IncomingMessage, service: string, flags: readonly string[], repository: string) {
  const protocol = String(request.headers['git-protocol'] ?? '')
  return spawn('git', [service.replace(/^git-/, ''), '--stateless-rpc', ...flags, repository], {
    env: { ...environment, GIT_PROTOCOL: protocol },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

function advertise(request: IncomingMessage, response: ServerResponse, repository: string, service: string): void {
  const line = `# service=${service}\n`
  response.setHeader('content-type', `application/x-${service}-advertisement`)
  if (request.headers['git-protocol'] !== 'version=2' || service === 'git-receive-pack')
    response.write(`${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`)
  start(request, service, ['--advertise-refs'], repository).stdout.pipe(response)
}

function exchange(request: IncomingMessage, response: ServerResponse, repository: string, service: string): void {
  const git = start(request, service, [], repository)
  response.setHeader('content-type', `application/x-${service}-result`)
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  body.pipe(git.stdin)
  git.stdout.pipe(response)
}

/** A little server that speaks as GitHub does: its REST API at v3 with `Link` headers and a quota, and git over HTTP. */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from '../../../test/at_end.ts'

const run = promisify(execFile)
const identity = [
  '-c',
  'user.name=Octo',
  '-c',
  'user.email=octo@example.com',
  '-c',
  'init.defaultBranch=main',
  '-c',
  'commit.gpgsign=false',
]

/** A folder with bare repositories: `lamp.git`, whose second pull request comes from a fork, and its wiki. */
async function repositories() {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-github-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const work = join(folder, 'work')
  const git = async (...args: string[]) => (await run('git', [...identity, '-C', work, ...args])).stdout.trim()
  await run('git', [...identity, 'init', '--quiet', work])
  const commit = async (name: string, content: string) => {
    await writeFile(join(work, name), content)
    await git('add', '.')
    await git('commit', '--quiet', '-m', `Write ${name}`)
    return git('rev-parse', 'HEAD')
  }
  const base = await commit('README.md', '# Lamp\n')
  await git('tag', 'v1')
  await git('checkout', '--quiet', '-b', 'brighter')
  const head = await commit('lamp.txt', 'one\ntwo\nthree\n')
  await git('checkout', '--quiet', '-b', 'of-a-fork', base)
  const fork = await commit('shade.txt', randomBytes(1_200_000).toString('base64'))
  await git('update-ref', 'refs/pull/2/head', fork)
  await git('update-ref', 'refs/pull/3/head', head)
  await git('checkout', '--quiet', 'main')
  await git('branch', '--quiet', '-D', 'of-a-fork')
  await run('git', ['clone', '--quiet', '--mirror', work, join(folder, 'lamp.git')])
  await git('checkout', '--quiet', '--orphan', 'pages')
  await git('rm', '--quiet', '-rf', '.')
  await commit('Home.md', 'Welcome\n')
  await run('git', ['init', '--quiet', '--bare', '-b', 'master', join(folder, 'lamp.wiki.git')])
  await git('push', '--quiet', join(folder, 'lamp.wiki.git'), 'pages:master')
  return { folder, base, head, fork }
}

/** Answers a request of git by its own program for servers. */
function serveGit(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url as string, 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname.replace('/octo', ''),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(backend.stdin)
  let head = Buffer.alloc(0)
  let isBody = false
  backend.stdout.on('data', (chunk: Buffer) => {
    if (isBody) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const lines = head.subarray(0, end).toString().split('\r\n')
    const headers = Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
    const { Status = '200', ...others } = headers as Record<string, string>
    response.writeHead(Number(Status.slice(0, 3)), others)
    response.write(head.subarray(end + 4))
    isBody = true
  })
  backend.on('close', () => response.end())
}

/** What the server lists, by path below the repository. */
export type Lists = Record<string, object[]>

/** Starts it. `token` is asked for by every request; `spend` makes it answer so many times that the quota is spent. */
export async function github(token: string, about: object, listsOf: (commits: { base: string; head: string; fork: string }) => Lists) {
  const { folder, ...commits } = await repositories()
  const lists = listsOf(commits)
  const seen: string[] = []
  let spent = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url as string, 'http://localhost')
    const given = request.headers.authorization ?? ''
    const basic = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`
    if (url.pathname.startsWith('/octo/')) {
      if (given === basic) return serveGit(folder, request, response)
      return void response.writeHead(401).end()
    }
    const answer = (status: number, value: unknown, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
    if (given !== `Bearer ${token}`) return answer(401, { message: 'Bad credentials' })
    const path = url.pathname.replace('/api/v3', '')
    seen.push(path)
    if (path !== '/repositories/7' && spent > 0) {
      spent--
      const reset = Math.floor(Date.now() / 1000) + 120
      return answer(403, { message: 'API rate limit exceeded' }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) })
    }
    const origin = `http://${request.headers.host}`
    if (path === '/repositories/7' || path === '/repos/octo/lamp')
      return answer(200, { ...about, id: 7, clone_url: `${origin}/octo/lamp.git` })
    const user = /^\/users\/(.+)$/.exec(path)
    const known = user && lists.users?.find(each => (each as { login: string }).login === user[1])
    if (user) return known ? answer(200, known) : answer(404, { message: 'Not Found' })
    const list = lists[path.replace('/repositories/7', '')]
    if (!list) return answer(404, { message: 'Not Found' })
    const [page, size] = [Number(url.searchParams.get('page') ?? 1), Math.min(2, Number(url.searchParams.get('per_page') ?? 30))]
    const link =
      page * size < list.length ? { link: `<${origin}${path}?page=${page + 1}>; rel="next", <${origin}${path}?page=9>; rel="last"` } : {}
    return answer(200, list.slice((page - 1) * size, page * size), link as Record<string, string>)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    spend: (times: number) => {
      spent = times
    },
  }
}

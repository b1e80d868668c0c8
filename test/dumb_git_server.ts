/** A static file server of a bare repository: git reads it by its dumb protocol. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at_end.ts'

/** Serves a repository whose branch `main` has one file of this name. */
export async function dumbGitServer(filename: string, content = 'x') {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-dumb-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '--git-dir', folder, ...args], { input, stdio: 'pipe' })
      .toString()
      .trim()
  git(['init', '--quiet', '--bare', '--initial-branch=main'])
  const blob = git(['hash-object', '-w', '--stdin'], content)
  const commit = git(['commit-tree', '-m', 'Begin', git(['mktree'], `100644 blob ${blob}\t${filename}\n`)])
  git(['update-ref', 'refs/heads/main', commit])
  git(['update-server-info'])

  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url as string, 'http://localhost')
    asked.push(pathname)
    const bytes = await readFile(join(folder, pathname.replace('/x.git/', ''))).catch(() => undefined)
    response.writeHead(bytes ? 200 : 404, { 'content-type': 'application/octet-stream' }).end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`, commit, asked: asked as readonly string[] }
}

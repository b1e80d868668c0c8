/** A project with very many branches. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { environment } from '../environment.ts'
import { git } from '../git.ts'
import { createProject } from '../history_project.ts'
import type { RunningIngot } from '../ingot.ts'
import type { Site } from '../site.ts'
import { cookieOf } from './session.ts'

/** Each has a commit of its own. */
const MANY = 10_000

export interface BranchPage {
  readonly path: string
  readonly cookie: string
}

/** Makes the project, pushes `main`, and puts the branches into its repository: a push of as many takes minutes, and is not what is measured. */
export async function makeBranches(
  ingot: RunningIngot,
  { deps, world }: Pick<Site, 'deps' | 'world'>,
  scratch: string,
): Promise<BranchPage> {
  const local = join(scratch, 'branches.git')
  await git(['init', '--bare', '--quiet', '--initial-branch=main', '--template=', local])
  const importer = spawn('git', ['-C', local, 'fast-import', '--quiet'], { env: environment, stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(importer, 'exit')
  importer.stdin.end(['main', ...Array.from({ length: MANY - 1 }, (_, number) => `change/${number}`)].map(commitOn).join(''))
  const [code] = await ended
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  const { id, cloneUrl } = await createProject(ingot, 'branched')
  await git(['-C', local, 'push', '--quiet', cloneUrl, 'main'])
  const { path } = deps.storages.repository({ id, repository_storage: 'default' })
  await git(['-C', path, 'fetch', '--quiet', local, 'refs/heads/change/*:refs/heads/change/*'])
  await git(['-C', path, 'pack-refs', '--all'])
  return { path: '/root/branched/-/branches', cookie: await cookieOf(deps, world.userId) }
}

/** A commit on a branch, in the form of `git fast-import`. */
function commitOn(branch: string, number: number): string {
  const person = `Person <person@example.com> ${1_609_459_200 + number * 60} +0000`
  const message = `Begin ${branch}`
  const from = number === 0 ? '' : 'from refs/heads/main\n'
  return `commit refs/heads/${branch}\nauthor ${person}\ncommitter ${person}\ndata ${message.length}\n${message}\n${from}M 100644 inline ${number}.txt\ndata 1\nx\n\n`
}

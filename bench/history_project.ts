/** The long history on the server: a project, filled by a push. */
import { join } from 'node:path'
import type { Deps } from '../src/platform/kernel/context.ts'
import { projectsById } from '../src/spaces/projects/queries.ts'
import { git } from './git.ts'
import { makeHistory } from './history.ts'
import type { RunningIngot } from './ingot.ts'

export interface HistoryProject {
  readonly id: number
  /** Where git clones it from, credentials included. */
  readonly cloneUrl: string
  /** Where the server keeps the repository. */
  readonly stored: string
  /** A client's repository with the same history. */
  readonly local: string
}

/** Makes the history and pushes it to a new project that everyone who is signed in may see. */
export async function pushHistory(ingot: RunningIngot, deps: Deps, directory: string, commits: number): Promise<HistoryProject> {
  const local = join(directory, 'history.git')
  await makeHistory(local, commits)
  const { id, cloneUrl } = await createProject(ingot, 'history')
  await git(['-C', local, 'push', '--quiet', cloneUrl, 'main'])
  const project = (await projectsById(deps.database.db, [id])).get(id)
  if (!project) throw new Error(`project ${id} is gone`)
  return { id, cloneUrl, stored: deps.storages.repository(project).path, local }
}

/** Creates an empty project of `root` through the API. */
export async function createProject({ url, token }: RunningIngot, name: string): Promise<{ id: number; cloneUrl: string }> {
  const answer = await fetch(`${url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'private-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ name, visibility: 'internal' }),
  })
  if (answer.status !== 201) throw new Error(`POST /projects was answered ${answer.status}: ${await answer.text()}`)
  const { id, http_url_to_repo } = (await answer.json()) as { id: number; http_url_to_repo: string }
  return { id, cloneUrl: http_url_to_repo.replace('://', `://root:${token}@`) }
}

/** A job that runs in each place, for a Developer: what its token opens is the table's column `job`. And what the place lists for job tokens. */
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function running({ scene, places, people, other }: World): Promise<void> {
  const listed = await inTurn(rows.map(() => async () => (await scene.project({ owner: other, visibility: 'public' })).project))
  // Not of `other`: an account that owns a group alone cannot be deleted.
  const groups = await inTurn(rows.map(() => async () => (await scene.group({ owner: people.admin, visibility: 'public' })).group))
  for (const { project, things } of Object.values(places)) {
    const { id, token } = await runningJob(scene, project, people.developer)
    things.running_job = id
    things.job_token = token
    for (const { id: target_project_id } of listed)
      await make(scene.root, `${project.url}/job_token_scope/allowlist`, { target_project_id })
    for (const { id: target_group_id } of groups)
      await make(scene.root, `${project.url}/job_token_scope/groups_allowlist`, { target_group_id })
    things.listed_project = listed[0]?.id as number
    things.listed_group = groups[0]?.id as number
  }
}

/** The results of steps that are taken one after the other, so that ids are the same in every world. */
async function inTurn<T>(steps: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  for (const step of steps) results.push(await step())
  return results
}

/** A job that runs in each place, for a Developer: what its token opens is the table's column `job`. */
import { runningJob } from '../../src/ci/jobs/scene.ts'
import type { World } from './world.ts'

export async function running({ scene, places, people }: World): Promise<void> {
  for (const { project, things } of Object.values(places)) {
    const { id, token } = await runningJob(scene, project, people.developer)
    things.running_job = id
    things.job_token = token
  }
}

/** Runners in the world: of the instance, of the groups and of the projects. */
import { jobIn, pipelineIn, registered } from '../../src/ci/runner_protocol/scene.ts'
import { make, rows } from './making.ts'
import type { World } from './world.ts'

export async function runners(world: World): Promise<void> {
  const { scene, places, things } = world
  for (const row of rows) {
    const { id, token } = await registered(scene, {}, { description: `Runner ${row}` })
    Object.assign(things, { runner: id, runner_token: token })
  }
  // The list of one's own has nothing of others, for administrators too.
  const { project: own } = await scene.project({ owner: scene.root, path: 'with-runners' })
  for (const _ of rows) await registered(scene, { project: own })
  const { body } = await scene.root.post('/runners/reset_registration_token')
  things.registration_token = body.token
  for (const { project, group, things: here } of Object.values(places)) {
    for (const _ of rows) {
      here.group_runner = (await registered(scene, { group })).id
      here.project_runner = (await registered(scene, { project })).id
    }
    const { project: inner } = await scene.project({ path: 'with-runners', group })
    here.spare_runner = (await registered(scene, { project: inner })).id
    here.lent_runner = (await registered(scene, { project: inner })).id
    await make(scene.root, `${project.url}/runners`, { runner_id: here.lent_runner })
    const pipelineId = await pipelineIn(scene, project, { sha: here.commit as string })
    for (const row of rows) {
      const { id } = await jobIn(scene, project, {
        pipelineId,
        name: `run ${row}`,
        status: 'success',
        runner_id: here.project_runner as number,
      })
      here.job_with_log = id
    }
    await writeLog(world, here.job_with_log as number, 'Hello')
  }
}

/** As its runner has sent it. */
async function writeLog({ scene }: World, job_id: number, text: string): Promise<void> {
  const { db } = scene.deps.database
  await db
    .insertInto('job_trace_chunks')
    .values({ job_id, start: 0, bytes: Buffer.from(text) })
    .execute()
  await db.updateTable('jobs').set({ trace_size: text.length }).where('id', '=', job_id).execute()
}

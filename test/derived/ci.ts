/** Pipelines of the world, with what is in them. Runners are not the matter here, so that these are rows and no more. */
import { rows } from './making.ts'
import type { World } from './world.ts'

export async function pipelines({ scene, places, people }: World): Promise<void> {
  const { db } = scene.deps.database
  const times = { created_at: '2020-01-01T00:00:00Z', started_at: '2020-01-01T00:01:00Z', finished_at: '2020-01-01T00:02:00Z' }
  for (const { project, things } of Object.values(places)) {
    const common = { project_id: project.id, user_id: people.developer.id }
    for (const row of rows) {
      const { id } = await db
        .insertInto('pipelines')
        .values({ ...common, ...times, iid: 9_000 + row, ref: 'main', sha: things.commit as string, source: 'push', status: 'success' })
        .returning('id')
        .executeTakeFirstOrThrow()
      things.pipeline = id
    }
    const pipeline_id = things.pipeline as number
    const job = { ...common, ...times, pipeline_id, stage: 'test', stage_position: 0, queued_at: times.created_at }
    for (const row of rows) {
      const made = await db
        .insertInto('jobs')
        .values([
          { ...job, kind: 'bridge', name: `start ${row}`, status: 'success' },
          { ...job, kind: 'build', name: `test ${row}`, status: 'success' },
        ])
        .returning('id')
        .execute()
      things.job = made.at(-1)?.id as number
    }
    const value = scene.deps.secrets.encrypt('value', 'run_variables.value')
    await db
      .insertInto('run_variables')
      .values(rows.map(row => ({ pipeline_id, key: `KEY_${row}`, value })))
      .execute()
  }
}

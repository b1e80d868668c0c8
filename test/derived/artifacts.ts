/** What jobs have left in the world: archives and a test report, in a pipeline that is the latest successful one of `main`. */
import { gzipSync } from 'node:zlib'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { zipOf } from '../../src/ci/artifacts/zip/scene.ts'
import { endJob, runningJob } from '../../src/ci/jobs/scene.ts'
import { rows } from './making.ts'
import type { World } from './world.ts'

export async function artifacts({ scene, places, people }: World): Promise<void> {
  const { db } = scene.deps.database
  const archive = await zipOf({ 'out/hello.txt': 'Hello!\n' })
  const report = gzipSync('<testsuite><testcase name="adds" classname="Sum" time="1"/></testsuite>')
  for (const { project, things } of Object.values(places)) {
    const job = await runningJob(scene, project, people.developer)
    await uploadTo(scene, job, archive, { expire_in: 'never' })
    await uploadTo(scene, job, report, { artifact_type: 'junit', filename: 'junit.xml.gz' })
    await endJob(scene, job)
    await db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', job.pipelineId).execute()
    things.archived_job = job.id
    const archived = db.selectFrom('job_artifacts').where('job_id', '=', job.id)
    things.artifact = (await archived.select('id').where('file_type', '=', 'archive').executeTakeFirstOrThrow()).id
    const { object_id, size, created_at } = await archived.selectAll().where('file_type', '=', 'archive').executeTakeFirstOrThrow()
    const site = { project_id: project.id, job_id: job.id, object_id, size, file_count: 1, unpacked_size: 7, published_at: created_at }
    await db.insertInto('project_sites').values(site).execute()
    // Others of its jobs have left the same report.
    const others = await db
      .selectFrom('jobs')
      .select('id as job_id')
      .where('project_id', '=', project.id)
      .where('kind', '=', 'build')
      .where('id', '<>', job.id)
      .limit(rows.length - 1)
      .execute()
    const { id: _, ...left } = await archived.selectAll().where('file_type', '=', 'junit').executeTakeFirstOrThrow()
    await db
      .insertInto('job_artifacts')
      .values(others.map(({ job_id }) => ({ ...left, job_id, file_type: 'performance' })))
      .execute()
  }
}

/** What jobs have left in the world: archives and a test report, in a pipeline that is the latest successful one of `main`. */
import { gzipSync } from 'node:zlib'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { zipOf } from '../../src/ci/artifacts/zip/scene.ts'
import { endJob, runningJob } from '../../src/ci/jobs/scene.ts'
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
  }
}

/** The pages of usage. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { endJob, runningJob } from '../../ci/jobs/scene.ts'
import { countRecentDays } from '../../ci/usage/counting.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('usage of a project, a group and the instance is shown to those who may read it', async () => {
  const { group } = await scene.group({ visibility: 'public' })
  const { project, owner } = await scene.project({ group, visibility: 'public' })
  const job = await runningJob(scene, project, owner, { name: 'build <all>' })
  await endJob(scene, job, 'drop')
  await countRecentDays(scene.deps, 1)
  const [reporter, reader, admin] = [await surfer(), await surfer(), await surfer({ admin: true })]
  await scene.root.post(`${group.url}/members`, { user_id: reporter.person.id, access_level: 20 })
  const [ofProject, ofGroup, ofInstance] = [
    `/${project.full_path}/-/pipelines/charts`,
    `/groups/${group.full_path}/-/analytics/ci_cd`,
    '/admin/ci/usage',
  ]

  const { body } = await reader.get(ofProject, { days: '7' })

  assert.match(body, /Jobs that fail most often[\s\S]*build &lt;all&gt;/)
  assert.equal([...body.matchAll(/id="usage-[a-z]+"/g)].length, 4)
  assert.match((await reporter.get(ofGroup)).body, new RegExp(`${project.full_path}/-/pipelines/charts`))
  assert.match((await admin.get(ofInstance)).body, new RegExp(`${project.full_path}/-/pipelines/charts`))
  assert.equal((await reader.get(ofGroup)).status, 403)
  assert.equal((await reporter.get(ofInstance)).status, 404)
  assert.equal((await reader.get(ofProject, { days: '8' })).status, 400)
  await owner.put(project.url, { analytics_access_level: 'disabled' })
  assert.ok([403, 404].includes((await reader.get(ofProject)).status))
})

/** Environments that stop with their branch or merge request (public documentation, "Stop an environment"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { playground } from '../../ci/pipelines/scene.ts'

const scene = await openScene()
const ci = await playground(scene)
const { root } = scene

const rules = (condition: string, more: object = {}) => [{ if: condition, ...more }]
const file = (condition: string) =>
  JSON.stringify({
    up: { script: 'true', rules: rules(condition), environment: { name: 'review/$CI_COMMIT_REF_SLUG', on_stop: 'down' } },
    down: {
      script: 'true',
      rules: rules(condition, { when: 'manual', allow_failure: true }),
      variables: { GIT_STRATEGY: 'none' },
      environment: { name: 'review/$CI_COMMIT_REF_SLUG', action: 'stop' },
    },
    plain: { script: 'true', rules: rules(condition), environment: 'plain/$CI_COMMIT_REF_SLUG' },
  })

const statesIn = async ({ url }: SceneProject): Promise<Record<string, string>> =>
  Object.fromEntries((await root.get(`${url}/environments`)).body.map(({ name, state }: Record<string, string>) => [name, state]))

/** A project, with a branch whose pipeline has deployed to an environment that it can stop, and to one that it cannot. */
async function deployedFrom(condition: string, make: (project: SceneProject) => Promise<{ sha: string }>) {
  const { project } = await scene.project()
  await scene.commit(project, { '.gitlab-ci.yml': file(condition) }, { message: 'Begin [skip ci]' })
  const { sha } = await make(project)
  const pipeline = await ci.pipelineOf(project, sha)
  for (const name of ['up', 'plain']) await ci.run(pipeline, name)
  return { project, pipeline }
}

const stopsBy = (pipeline: PipelineRow, project: SceneProject, slug: string) =>
  eventually(async () => {
    const states = await statesIn(project)
    return states[`review/${slug}`] === 'stopped' && (await ci.find(pipeline, 'down')).status === 'pending' && states
  }, 'the environment to be stopped')

test('when a branch is deleted, what was deployed from it last is stopped by its `on_stop` job; what has none stays', async () => {
  const { project, pipeline } = await deployedFrom('$CI_COMMIT_BRANCH == "feature"', async made => {
    await root.post(`${made.url}/repository/branches`, { branch: 'feature', ref: 'main' })
    return { sha: await scene.commit(made, { 'a.txt': 'A\n' }, { branch: 'feature' }) }
  })

  assert.equal((await root.delete(`${project.url}/repository/branches/feature`)).status, 204)

  assert.deepEqual(await stopsBy(pipeline, project, 'feature'), { 'review/feature': 'stopped', 'plain/feature': 'available' })
})

for (const [what, end] of Object.entries({
  merged: (url: string) => root.put(`${url}/merge`),
  closed: (url: string) => root.put(url, { state_event: 'close' }),
}))
  test(`when a merge request is ${what}, what its pipeline has deployed is stopped`, async () => {
    let proposal: Awaited<ReturnType<typeof scene.mergeRequest>> | undefined
    const { project, pipeline } = await deployedFrom('$CI_MERGE_REQUEST_IID', async made => {
      proposal = await scene.mergeRequest(made)
      return proposal
    })
    const slug = Object.keys(await statesIn(project)).flatMap(name => /^review\/(.+)$/.exec(name)?.[1] ?? [])[0] as string
    const { url } = proposal as NonNullable<typeof proposal>

    const ended = await end(url)

    assert.deepEqual([ended.status, ended.body.state], [200, what])
    const states = await stopsBy(pipeline, project, slug)
    assert.equal(states[`plain/${slug}`], 'available')
  })

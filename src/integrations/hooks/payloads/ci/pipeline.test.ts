/** What the hooks of a fork are sent of the merge request that its pipeline is about. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import type { PipelineRow } from '../../../../ci/pipelines/queries.ts'
import { pipelineById } from '../../../../ci/pipelines/queries.ts'
import { playground } from '../../../../ci/pipelines/scene.ts'
import { systemContext } from '../../../../platform/kernel/context.ts'
import { forkedProposal } from '../../../../review/merge_request_pipelines/scene.ts'
import { type ProjectRow, projectsById } from '../../../../spaces/projects/queries.ts'
import { pipelinePayload } from './pipeline.ts'

const scene = await openScene()
const ci = await playground(scene)
const ctx = systemContext(scene.deps, ci.db)

test('a hook of a fork is sent the merge request of its pipeline where everyone may read it, and that of its own project always', async () => {
  const { project, fork, owner, pipeline, mergeRequest } = await forkedProposal(scene, ci)
  const row = (await pipelineById(ci.db, pipeline.id)) as PipelineRow
  const sent = async ({ id }: { readonly id: number }) => {
    const inProject = (await projectsById(ci.db, [id])).get(id) as ProjectRow
    // biome-ignore lint/suspicious/noExplicitAny: JSON
    return (await pipelinePayload(ctx, inProject, row)) as any
  }
  const hidden = await sent(fork)
  assert.equal(hidden.merge_request, null)
  assert.ok(!JSON.stringify(hidden).includes('SECRET'))
  assert.equal((await sent(project)).merge_request.title, 'SECRET title')

  await owner.put(project.url, { visibility: 'internal' })
  assert.equal((await sent(fork)).merge_request, null)
  await owner.put(project.url, { visibility: 'public' })
  const shown = (await sent(fork)).merge_request
  assert.equal(shown.title, 'SECRET title')
  assert.equal(shown.url, `${scene.url}/${project.full_path}/-/merge_requests/${mergeRequest.iid}`)
  await owner.put(project.url, { merge_requests_access_level: 'private' })
  assert.equal((await sent(fork)).merge_request, null)
})

/** For tests: a merge request from a fork whose pipeline runs in the fork. */
import assert from 'node:assert/strict'
import { eventually } from '../../../test/eventually.ts'
import type { Person, Scene, SceneProject } from '../../../test/scene.ts'
import type { playground } from '../../ci/pipelines/scene.ts'
import { type MergeRequestRow, mergeRequestById } from '../merge_requests/queries.ts'
import { headPipelinesOf } from './queries.ts'

/**
 * A private project, the fork of one of its Developers, and a merge request from there. What its people write into it later has the word
 * `SECRET`.
 */
export async function forkedProposal(scene: Scene, ci: Awaited<ReturnType<typeof playground>>) {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const file = 'check: {script: "true", rules: [{if: $CI_MERGE_REQUEST_IID}]}\n'
  await scene.commit(project, { '.gitlab-ci.yml': file }, { message: 'Begin [skip ci]' })
  const forked = (await developer.post(`${project.url}/fork`)).body
  const fork: SceneProject = { ...forked, full_path: forked.path_with_namespace, url: `/projects/${forked.id}` }
  await eventually(async () => (await developer.get(fork.url)).body.import_status === 'finished', 'the fork')
  await developer.post(`${fork.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await scene.commit(fork, { 'new.txt': 'New' }, { branch: 'topic', message: 'New' })
  const made = await developer.post(`${fork.url}/merge_requests`, {
    title: 'From a fork',
    source_branch: 'topic',
    target_branch: 'main',
    target_project_id: project.id,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const url = `${project.url}/merge_requests/${made.body.iid}`
  const pipeline = await eventually(
    async () => (await headPipelinesOf(ci.db, [{ id: made.body.id }])).get(made.body.id),
    'the pipeline of the merge request',
  )
  assert.equal(pipeline.project_id, fork.id)
  const { body: milestone } = await owner.post(`${project.url}/milestones`, { title: 'SECRET milestone' })
  const write = { title: 'SECRET title', labels: 'SECRET-label', milestone_id: milestone.id, assignee_ids: [owner.id] }
  assert.equal((await owner.put(url, write)).status, 200)
  const row = (await mergeRequestById(ci.db, made.body.id, null)) as MergeRequestRow
  return { project, fork, owner, developer, url, pipeline, mergeRequest: row }
}

/** Takes the membership of someone in a project away. */
export async function removeMember(owner: Person, project: SceneProject, { id }: { readonly id: number }): Promise<void> {
  assert.equal((await owner.delete(`${project.url}/members/${id}`)).status, 204)
}

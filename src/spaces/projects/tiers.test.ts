import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene({ settings: { tier: 'free' } })

test('on the free tier fields and parameters of higher tiers do not exist (document 1 "Notation")', async () => {
  const { project, owner } = await scene.project()

  const answer = await owner.put(project.url, { approvals_before_merge: 'none of your business', description: 'Set' })

  assert.deepEqual([answer.status, answer.body.description], [200, 'Set'])
  for (const field of ['approvals_before_merge', 'mirror', 'issues_template', 'requirements_access_level', 'marked_for_deletion_on'])
    assert.ok(!(field in answer.body), field)
})

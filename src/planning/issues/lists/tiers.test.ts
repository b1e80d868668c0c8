import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene({ settings: { tier: 'free' } })

test('on tier `free` one `assignee_username` is allowed, weight is missing, and an issue has one assignee (decision 39)', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const made = await owner.post(`${project.url}/issues`, { title: 'One', weight: 5, assignee_ids: [owner.id, developer.id] })
  assert.equal('weight' in made.body, false)
  assert.equal('epic' in made.body, false)
  assert.equal(made.body.assignees.length, 1)

  const several = { assignee_username: [owner.username, developer.username] }
  for (const path of [`${project.url}/issues`, '/issues', `${project.url}/issues_statistics`]) {
    assert.equal((await owner.get(path, several)).status, 400)
    assert.equal((await owner.get(path, { not: several })).status, 400)
  }
  const found = await owner.get(`${project.url}/issues`, { assignee_username: [owner.username], weight: 1, not: { weight: 'None' } })
  assert.equal(found.body.length, 1)
})

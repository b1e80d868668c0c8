/** Follow-up issues of merge request threads (issues API at 14.0 `merge_request_to_resolve_discussions_of`, `discussion_to_resolve`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'

const scene = await openScene()

async function reviewed() {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'developer'] })
  const mergeRequest = await scene.mergeRequest(world.project, { author: world.owner })
  const say = async (body: string) => (await world.developer.post(`${mergeRequest.url}/discussions`, { body })).body
  return { ...world, ...mergeRequest, first: await say('Too red?\nI think so'), second: await say('Too wet?') }
}

test('an issue quotes the open threads of a merge request and resolves them', async () => {
  const { project, owner, developer, iid, url, first, second } = await reviewed()
  await owner.post(`${url}/discussions/${first.id}/notes`, { body: 'Yes' })
  const given = { title: 'Go on', merge_request_to_resolve_discussions_of: iid }

  const { status, body: issue } = await developer.post(`${project.url}/issues`, given)

  const address = `${scene.url}/${project.full_path}/-/merge_requests/${iid}#note_`
  assert.equal(status, 201)
  assert.equal(
    issue.description,
    [
      `The following discussions from !${iid} should be addressed:`,
      `- [ ] @${developer.username} started a [discussion](${address}${first.notes[0].id}): (+1 comment)`,
      '    > Too red?\n    > I think so',
      `- [ ] @${developer.username} started a [discussion](${address}${second.notes[0].id}):`,
      '    > Too wet?',
    ].join('\n\n'),
  )
  assert.deepEqual(issue.task_completion_status, { count: 2, completed_count: 0 })
  const { body: threads } = await owner.get(`${url}/discussions`)
  for (const { id, notes } of threads.filter((thread: { id: string }) => [first.id, second.id].includes(thread.id))) {
    assert.equal(notes[0].resolved, true, id)
    assert.deepEqual([notes.at(-1).system, notes.at(-1).body], [true, `created #${issue.iid} to continue this discussion`])
  }
})

test('a single thread is resolved if it is named, and a given description is kept', async () => {
  const { project, developer, iid, url, first, second } = await reviewed()
  const given = { title: 'Go on', description: 'My words', merge_request_to_resolve_discussions_of: iid, discussion_to_resolve: first.id }

  const { body: issue } = await developer.post(`${project.url}/issues`, given)

  assert.equal(issue.description, 'My words')
  const resolved = async ({ id }: { id: string }) => (await developer.get(`${url}/discussions/${id}`)).body.notes[0].resolved
  assert.deepEqual([await resolved(first), await resolved(second)], [true, false])
})

test('for users who may not resolve threads they stay open, and unknown threads are ignored', async () => {
  const { project, guest, iid, url, first } = await reviewed()
  const make = async (merge_request_to_resolve_discussions_of: number) =>
    (await guest.post(`${project.url}/issues`, { title: 'Go on', merge_request_to_resolve_discussions_of })).body.description

  assert.match(await make(iid), /The following discussions from !1 should be addressed:/)
  assert.equal((await guest.get(`${url}/discussions/${first.id}`)).body.notes[0].resolved, false)
  assert.equal(await make(999), null)
})

/** What the notes of a copied or moved issue name stays hidden from those who may not see it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { namedColumns } from '../../../collaboration/notes/writing/copy.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('a copy and a moved issue hide the mentions by items that their reader may not see', async () => {
  const { group, owner } = await scene.group({ visibility: 'private' })
  const { project: hidden } = await scene.project({ group, owner })
  const { project } = await scene.project({ owner, visibility: 'public' })
  const { project: target } = await scene.project({ owner, visibility: 'public' })
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'Shed' })
  const description = `${project.full_path}#1`
  const mergeRequest = await scene.mergeRequest(hidden, { author: owner, files: { 'f.txt': 'one\n' } })
  await owner.put(mergeRequest.url, { description })
  await owner.post(`${hidden.url}/issues`, { title: 'Secret', description })
  await owner.post(`${group.url}/epics`, { title: 'Secret', description })
  const { body: snippet } = await owner.post(`${hidden.url}/snippets`, {
    title: 'Secret',
    visibility: 'private',
    files: [{ file_path: 'a.txt', content: 'a' }],
  })
  await owner.post(`${hidden.url}/snippets/${snippet.id}/notes`, { body: description })
  const mentions = async ({ id }: { id: number }) => {
    const rows = db.selectFrom('notes').select('body').where('issue_id', '=', id).where('action', '=', 'mention')
    return (await rows.execute()).map(({ body }) => body)
  }
  assert.equal((await mentions(issue)).length, 4)

  const path = `${project.url}/issues/1`
  const { body: copy } = await owner.post(`${path}/clone`, { to_project_id: project.id, with_notes: true })
  const { body: moved } = await owner.post(`${path}/move`, { to_project_id: target.id })

  for (const [url, made] of [[project.url, copy] as const, [target.url, moved] as const]) {
    assert.equal((await mentions(made)).length, 4)
    const seenBy = async (person: typeof owner): Promise<string[]> =>
      (await person.get(`${url}/issues/${made.iid}/notes`)).body.map(({ body }: { body: string }) => body)
    assert.equal((await seenBy(owner)).filter(body => body.startsWith('mentioned in')).length, 4)
    assert.deepEqual(
      (await seenBy(await scene.user())).filter(body => body.startsWith('mentioned in')),
      [],
    )
  }
})

test('all columns of notes that name something are copied', async () => {
  const { rows } = await scene.deps.database.pool.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_name = 'notes' and column_name like 'named\\_%'`,
  )
  assert.deepEqual(rows.map(({ column_name }) => column_name).sort(), [...namedColumns].sort())
})

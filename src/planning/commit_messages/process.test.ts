/** Commits that close and mention issues. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { systemNotesShown } from '../../collaboration/system_notes/scene.ts'
import { tasksOf } from '../../server/tasks.ts'

const scene = await openScene()

/** Processes the events of a project as the worker does. */
async function follow({ id }: SceneProject): Promise<void> {
  const tasks = tasksOf(scene.deps)
  const events = await scene.deps.database.db
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', id)
    .where('kind', '=', 'repository.updated')
    .orderBy('id')
    .execute()
  for (const event of events) await tasks.deliver_event({ event_id: event.id }, undefined)
}

async function withIssues(attributes: object = {}) {
  const world = await scene.project({ visibility: 'public', members: ['developer', 'guest'], ...attributes })
  for (const title of ['One', 'Two']) await world.owner.post(`${world.project.url}/issues`, { title })
  await scene.commit(world.project, { 'a.txt': 'a' }, { message: 'Begin' })
  return world
}

const states = async (person: Pick<Person, 'get'>, { url }: SceneProject) =>
  (await person.get(`${url}/issues`, { sort: 'asc' })).body.map((issue: { state: string }) => issue.state)

const systemNotes = (person: { readonly id?: number }, { id }: SceneProject, iid: number): Promise<string[]> =>
  systemNotesShown(scene, person.id, id, iid)

test('a commit on the default branch closes issues and is mentioned once on others, however often it is processed', async () => {
  const { owner, project } = await withIssues()
  const commit = await scene.commit(project, { 'b.txt': 'b' }, { message: 'Paint it\n\nCloses #1, see #2' })

  await follow(project)
  await follow(project)

  assert.deepEqual(await states(owner, project), ['closed', 'opened'])
  assert.deepEqual(await systemNotes(owner, project, 1), [`closed via commit ${commit}`])
  assert.deepEqual(await systemNotes(owner, project, 2), [`mentioned in commit ${commit}`])
  assert.equal((await owner.get(`${project.url}/issues/1`)).body.closed_by.id, scene.root.id)
})

test('a commit closes issues named by URL, also where the port was chosen by the system', async () => {
  const { owner, project } = await withIssues()
  const page = `${scene.url}/${project.full_path}/-/issues`
  const elsewhere = page.replace(/:\d+/, ':1')
  await scene.commit(project, { 'b.txt': 'b' }, { message: `Closes ${page}/1\n\nCloses ${elsewhere}/2` })

  await follow(project)

  assert.deepEqual(await states(owner, project), ['closed', 'opened'])
})

test('a commit on another branch closes nothing, and is mentioned once, also when it reaches the default branch', async () => {
  const { owner, project } = await withIssues()
  await owner.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await scene.commit(project, { 'b.txt': 'b' }, { message: 'Fixes #1', branch: 'topic' })
  const sha = (await owner.get(`${project.url}/repository/branches/topic`)).body.commit.id

  await follow(project)

  assert.deepEqual(await states(owner, project), ['opened', 'opened'])
  assert.deepEqual(await systemNotes(owner, project, 1), [`mentioned in commit ${sha}`])
  await owner.post(`${project.url}/repository/branches`, { branch: 'later', ref: 'topic' })
  await follow(project)
  assert.deepEqual(await systemNotes(owner, project, 1), [`mentioned in commit ${sha}`])
})

test('nothing is closed where the project disables it', async () => {
  const { owner, project } = await withIssues()
  await owner.put(project.url, { autoclose_referenced_issues: false })
  await scene.commit(project, { 'b.txt': 'b' }, { message: 'Fixes #1' })

  await follow(project)

  assert.deepEqual(await states(owner, project), ['opened', 'opened'])
})

test('issues of another project are closed if the user may close them', async () => {
  const { owner, project } = await withIssues()
  const other = await withIssues()
  const commit = (person: Person, file: string, iid: number) =>
    person.post(`${project.url}/repository/commits`, {
      branch: 'main',
      commit_message: `Fixes ${other.project.full_path}#${iid}`,
      actions: [{ action: 'create', file_path: file, content: file }],
    })
  await commit(owner, 'c.txt', 1)
  await commit(scene.root, 'd.txt', 2)

  await follow(project)

  assert.deepEqual(await states(other.owner, other.project), ['opened', 'closed'])
  const sha = (await owner.get(`${project.url}/repository/branches/main`)).body.commit.id
  assert.deepEqual(await systemNotes(other.owner, other.project, 2), [`closed via commit ${project.full_path}@${sha}`])
})

test('the mention of a commit is visible only to users who may read the code', async () => {
  const { owner, guest, project } = await withIssues({ visibility: 'private' })
  const commit = await scene.commit(project, { 'b.txt': 'b' }, { message: 'See #1' })

  await follow(project)

  assert.deepEqual([await systemNotes(owner, project, 1), await systemNotes(guest, project, 1)], [[`mentioned in commit ${commit}`], []])
})

test('a commit of another project is mentioned with its path, visible only to users who may read its code (public behaviour)', async () => {
  const { owner, project } = await withIssues({ visibility: 'private' })
  const { project: open } = await withIssues({ owner })
  const commit = await scene.commit(project, { 'b.txt': 'b' }, { message: `See ${open.full_path}#1, closes ${open.full_path}#2` })

  await follow(project)

  const name = `${project.full_path}@${commit}`
  assert.deepEqual(
    [await systemNotes(owner, open, 1), await systemNotes(owner, open, 2)],
    [[`mentioned in commit ${name}`], [`closed via commit ${name}`]],
  )
  assert.deepEqual([await systemNotes({}, open, 1), await systemNotes({}, open, 2)], [[], []])
})

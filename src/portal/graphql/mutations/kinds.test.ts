/** Mutations of jobs, boards, snippets, releases and epics: what they do, and what they answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { jobIn } from '../../../ci/runner_protocol/scene.ts'
import { UNAVAILABLE } from '../execution/unavailable.ts'
import { mutatorsOf } from './scene.ts'

const scene = await openScene()
const { ask, mutate } = mutatorsOf(scene)

test('what the state of a job refuses is said, to those who may change it', async () => {
  const { project, maintainer, guest } = await scene.project({ members: ['maintainer', 'guest'] })
  const { id } = await jobIn(scene, project, { status: 'success' })
  const input = { id: `gid://gitlab/Ci::Build/${id}` }

  assert.deepEqual(await mutate(maintainer, 'jobPlay', input, 'job { status }'), {
    errors: ['Unplayable Job: it is not a manual action'],
    job: { status: 'SUCCESS' },
  })
  const { errors } = await ask(guest, `mutation { jobPlay(input: { id: "${input.id}" }) { errors } }`)
  assert.deepEqual(
    errors?.map(error => error.message),
    [UNAVAILABLE],
  )
})

test('a board whose attributes are wrong is none, and a snippet has its files', async () => {
  const { project, owner } = await scene.project()
  const wrong = await mutate(
    owner,
    'createBoard',
    { projectPath: project.full_path, name: 'One', milestoneId: 'gid://gitlab/Milestone/1' },
    'board { id }',
  )
  assert.deepEqual(wrong, { errors: ['Milestone does not exist here'], board: null })
  const board = await mutate(
    owner,
    'createBoard',
    { projectPath: project.full_path, name: 'Two', hideClosedList: true },
    'board { name hideClosedList lists { count } }',
  )
  assert.deepEqual(board, { errors: [], board: { name: 'Two', hideClosedList: true, lists: { count: 0 } } })
  assert.deepEqual(
    (await owner.get(`${project.url}/boards`)).body.map(({ name }: { name: string }) => name),
    ['Two'],
  )

  const blobActions = [{ action: 'create', filePath: 'src/a.sh', content: 'git fetch\n' }]
  const made = await mutate(
    owner,
    'createSnippet',
    { projectPath: project.full_path, title: 'Prune', visibilityLevel: 'private', blobActions },
    'snippet { id title visibilityLevel project { name } blobs { nodes { name path rawPath } } }',
  )
  const { id, ...snippet } = made.snippet
  assert.deepEqual(snippet, {
    title: 'Prune',
    visibilityLevel: 'private',
    project: { name: project.name },
    blobs: { nodes: [{ name: 'a.sh', path: 'src/a.sh', rawPath: snippet.blobs.nodes[0].rawPath }] },
  })
  const move = [{ action: 'move', filePath: 'b.sh', previousPath: 'src/a.sh' }]
  const moved = await mutate(owner, 'updateSnippet', { id, blobActions: move }, 'snippet { blobs { nodes { path } } }')
  assert.deepEqual(moved, { errors: [], snippet: { blobs: { nodes: [{ path: 'b.sh' }] } } })
  const { data } = await ask(
    owner,
    `{ project(fullPath: "${project.full_path}") { snippets { nodes { title } } boards { nodes { name } } } }`,
  )
  assert.deepEqual(data.project, { snippets: { nodes: [{ title: 'Prune' }] }, boards: { nodes: [{ name: 'Two' }] } })
})

test('a release is made with a link, and an epic takes an issue', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const named = { projectPath: project.full_path, tagName: 'v1' }
  const links = [{ name: 'Tool', url: 'https://example.com/tool', linkType: 'PACKAGE' }]
  const release = await mutate(
    owner,
    'releaseCreate',
    { ...named, ref: 'main', assets: { links } },
    'release { tagName assets { links { nodes { id name linkType } } } }',
  )
  const [link] = release.release.assets.links.nodes
  assert.deepEqual([release.errors, release.release.tagName, link.name, link.linkType], [[], 'v1', 'Tool', 'PACKAGE'])
  const changed = await mutate(owner, 'releaseAssetLinkUpdate', { id: link.id, name: 'Tools' }, 'link { name linkType }')
  assert.deepEqual(changed, { errors: [], link: { name: 'Tools', linkType: 'PACKAGE' } })
  assert.deepEqual(await mutate(owner, 'releaseDelete', named, 'release { tagName name }'), {
    errors: [],
    release: { tagName: 'v1', name: 'v1' },
  })

  await owner.post(`${project.url}/issues`, { title: 'One' })
  const epic = await mutate(
    owner,
    'createEpic',
    { groupPath: group.full_path, title: 'All of it' },
    'epic { iid title state group { fullPath } }',
  )
  assert.deepEqual(epic.epic, { iid: '1', title: 'All of it', state: 'opened', group: { fullPath: group.full_path } })
  const iteration = await mutate(
    owner,
    'createIteration',
    { groupPath: group.full_path, title: 'May', startDate: '2031-05-01', dueDate: '2031-05-31' },
    'iteration { id title state startDate }',
  )
  assert.deepEqual({ ...iteration.iteration, id: undefined }, { id: undefined, title: 'May', state: 'upcoming', startDate: '2031-05-01' })
  const issue = { projectPath: project.full_path, iid: '1' }
  await mutate(
    owner,
    'epicAddIssue',
    { groupPath: group.full_path, iid: '1', projectPath: project.full_path, issueIid: '1' },
    'epic { iid }',
  )
  const planned = await mutate(
    owner,
    'issueSetIteration',
    { ...issue, iterationId: iteration.iteration.id },
    'issue { epic { iid } iteration { title } weight }',
  )
  assert.deepEqual(planned, { errors: [], issue: { epic: { iid: '1' }, iteration: { title: 'May' }, weight: null } })
})

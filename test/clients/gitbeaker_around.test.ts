/** gitbeaker (`@gitbeaker/rest`) on what is around projects and groups: attributes, requests, invitations, tokens, badges, feeds, topics, templates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene, type Person } from '../scene.ts'

const scene = await openScene()

/** The client of a user. */
const clientOf = ({ token }: Pick<Person, 'token'>) => new Gitlab({ host: scene.url, token })
const admin = clientOf(scene.root)

/** Passes when `work` is refused with this status. */
const refused = (work: Promise<unknown>, status: number) =>
  assert.rejects(work, error => error instanceof GitbeakerRequestError && error.cause?.response.status === status)

/** A group and a project that anybody sees, with who owns both. */
async function places() {
  const owner = await scene.user()
  const { group } = await scene.group({ owner, visibility: 'public' })
  const { project } = await scene.project({ owner, visibility: 'public' })
  return { owner, client: clientOf(owner), group, project }
}

test('custom attributes are set, shown, found by and removed', async () => {
  const { owner, group, project } = await places()
  for (const [attributes, id] of [
    [admin.UserCustomAttributes, owner.id],
    [admin.GroupCustomAttributes, group.id],
    [admin.ProjectCustomAttributes, project.id],
  ] as const) {
    assert.deepEqual(await attributes.set(id, 'city', `Oslo ${project.id}`), { key: 'city', value: `Oslo ${project.id}` })
    assert.equal((await attributes.show(id, 'city')).value, `Oslo ${project.id}`)
    assert.equal((await attributes.all(id)).length, 1)
  }
  const found = await admin.Projects.all({ customAttributes: { city: `Oslo ${project.id}` }, withCustomAttributes: true } as never)
  assert.deepEqual(
    found.map(row => [row.id, row.custom_attributes]),
    [[project.id, [{ key: 'city', value: `Oslo ${project.id}` }]]],
  )
  await admin.ProjectCustomAttributes.remove(project.id, 'city')
  await refused(admin.ProjectCustomAttributes.show(project.id, 'city'), 404)
})

test('access is asked for, approved and denied', async () => {
  const { client, group, project } = await places()
  const person = await scene.user()
  const asking = clientOf(person)

  assert.equal((await asking.GroupAccessRequests.request(group.id)).username, person.username)
  assert.equal((await client.GroupAccessRequests.all(group.id)).length, 1)
  const member = await client.GroupAccessRequests.approve(group.id, person.id, { accessLevel: 20 })
  assert.equal(member.access_level, 20)
  await asking.ProjectAccessRequests.request(project.id)
  await client.ProjectAccessRequests.deny(project.id, person.id)
  assert.deepEqual(await client.ProjectAccessRequests.all(project.id), [])
})

test('people are invited by email', async () => {
  const { client, group, project } = await places()
  const email = `beaker.${project.id}@elsewhere.example.com`
  for (const [invitations, id] of [
    [client.GroupInvitations, group.id],
    [client.ProjectInvitations, project.id],
  ] as const) {
    assert.equal((await invitations.add(id, 20, { email } as never)).status, 'success')
    assert.equal((await invitations.all(id, { query: 'beaker' }))[0]?.invite_email, email)
    assert.equal((await invitations.edit(id, email, { accessLevel: 30 } as never)).access_level, 30)
  }
  await client.GroupInvitations.remove(group.id, email)
  const person = await scene.user({ email })
  assert.equal((await client.ProjectMembers.show(project.id, person.id)).access_level, 30)
  await refused(client.GroupMembers.show(group.id, person.id), 404)
})

test('access tokens of groups and projects are created, rotated and revoked', async () => {
  const { client, group, project } = await places()
  for (const [tokens, id] of [
    [client.GroupAccessTokens, group.id],
    [client.ProjectAccessTokens, project.id],
  ] as const) {
    const token = await tokens.create(id, 'robot', ['api'], '2999-01-01', { accessLevel: 30 })
    assert.equal((await tokens.show(id, token.id as number)).name, 'robot')
    const rotated = await tokens.rotate(id, token.id as number, { expiresAt: '2999-02-01' })
    assert.notEqual(rotated.token, token.token)
    assert.equal((await clientOf({ token: rotated.token as string }).Users.showCurrentUser()).bot, true)
    await tokens.revoke(id, rotated.id as number)
    assert.deepEqual(await tokens.all(id), [])
  }
})

test('a personal access token is rotated', async () => {
  const person = await scene.user()

  const rotated = await clientOf(person).PersonalAccessTokens.rotate('self', { expiresAt: '2999-01-01' })

  assert.equal((await clientOf({ token: rotated.token as string }).Users.showCurrentUser()).id, person.id)
  await refused(clientOf(person).Users.showCurrentUser(), 401)
})

test('badges are added, tried, changed and removed', async () => {
  const { client, group, project } = await places()
  const [link, image] = ['https://ci.example.com/%{project_path}', 'https://ci.example.com/%{project_id}.svg']
  for (const [badges, id] of [
    [client.GroupBadges, group.id],
    [client.ProjectBadges, project.id],
  ] as const) {
    const badge = await badges.add(id, link, image, { name: 'Build' })
    assert.equal((await badges.show(id, badge.id)).name, 'Build')
    assert.equal((await badges.edit(id, badge.id, { name: 'Tests' } as never)).name, 'Tests')
    assert.deepEqual(
      (await badges.all(id, { name: 'Tests' })).map(row => row.id),
      [badge.id],
    )
    await badges.remove(id, badge.id)
  }
  const preview = await client.ProjectBadges.preview(project.id, link, image)
  assert.equal(preview.rendered_link_url, `https://ci.example.com/${project.full_path}`)
})

test('feeds tell what was done', async () => {
  const { owner, client, project } = await places()

  assert.deepEqual(
    (await client.Events.all({ action: 'created' })).map(event => [event.action_name, event.project_id]),
    [['created', project.id]],
  )
  assert.equal((await admin.Events.all({ userId: owner.id }))[0]?.author_username, owner.username)
  assert.equal((await admin.Events.all({ projectId: project.id } as never)).length, 1)
})

test('topics are made, counted, changed and deleted', async () => {
  const name = `beaker ${scene.root.id}`
  const topic = await admin.Topics.create(name, { description: 'Lab' })
  await scene.project({ topics: [name] })

  assert.equal((await admin.Topics.show(topic.id)).total_projects_count, 1)
  assert.equal((await admin.Topics.all({ search: name })).length, 1)
  assert.equal((await admin.Topics.edit(topic.id, { title: 'Beakers' })).title, 'Beakers')
  await admin.Topics.remove(topic.id)
  await refused(admin.Topics.show(topic.id), 404)
})

test('templates are listed and read', async () => {
  const { client, project } = await places()

  assert.equal((await client.LicenseTemplates.all({ popular: true })).length, 3)
  assert.match((await client.LicenseTemplates.show('mit')).content, /Permission is hereby granted/)
  assert.ok((await client.GitignoreTemplates.all()).length > 100)
  assert.match((await client.GitignoreTemplates.show('Node')).content, /node_modules/)
  assert.match((await client.DockerfileTemplates.show('Node')).content, /^FROM node/)
  assert.match((await client.GitLabCIYMLTemplates.show('Nodejs')).content, /npm test/)
  assert.ok((await client.ProjectTemplates.all(project.id, 'licenses')).length > 30)
  assert.equal((await client.ProjectTemplates.show(project.id, 'dockerfiles', 'Ruby')).name, 'Ruby')
})

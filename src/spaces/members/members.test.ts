import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'

const scene = await openScene()
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)
const levels = (answer: { body: { id: number; access_level: number }[] }) => answer.body.map(row => [row.id, row.access_level])

/** Expires a membership, which no request can do: a date in the past is refused. */
const expire = (userId: number) =>
  scene.deps.database.db.updateTable('members').set({ expires_at: '2020-01-01' }).where('user_id', '=', userId).execute()

for (const kind of ['group', 'project'] as const) {
  const open = async () => {
    const { group, owner } = await scene.group()
    return { owner, place: kind === 'group' ? group : (await scene.project({ group, owner })).project }
  }

  test(`a user added to a ${kind} is its member with the level they were given`, async () => {
    const { place, owner } = await open()
    const person = await scene.user()

    const added = await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 30, expires_at: tomorrow() })

    const { created_at, ...rest } = added.body
    assert.equal(added.status, 201)
    assert.deepEqual(rest, {
      id: person.id,
      name: person.name,
      username: person.username,
      state: 'active',
      avatar_url: null,
      web_url: `${scene.url}/${person.username}`,
      access_level: 30,
      expires_at: tomorrow(),
      membership_state: 'active',
    })
    assert.match(created_at, /^\d{4}-\d\d-\d\dT/)
    assert.deepEqual(await person.get(`${place.url}/members/${person.id}`), { status: 200, body: added.body })
  })

  test(`the bot of a token of another place does not become a member of a ${kind}; its own bot may again`, async () => {
    const { place, owner } = await open()
    const { project } = await scene.project()
    const botOf = async (url: string, by: typeof owner) => {
      const { body } = await by.post(`${url}/access_tokens`, { name: 'robot', scopes: ['api'] })
      return body.user_id as number
    }
    const foreign = await botOf(project.url, scene.root)
    const own = await botOf(place.url, owner)
    const words = 'project bots cannot be added to other groups / projects'
    const add = (user_id: number | string) => owner.post(`${place.url}/members`, { user_id, access_level: 30 })

    assert.deepEqual(await add(foreign), { status: 400, body: { message: { user_id: [words] } } })
    assert.deepEqual((await add(`${foreign},${own}`)).body.message, { [foreign]: words, [own]: 'Member already exists' })
    assert.equal((await owner.delete(`${place.url}/members/${own}`)).status, 204)
    assert.equal((await add(own)).status, 201)
  })

  test(`adding a member of a ${kind} again is a conflict`, async () => {
    const { place, owner } = await open()
    const person = await scene.user()
    await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 10 })

    const again = await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 20 })

    assert.deepEqual(again, { status: 409, body: { message: 'Member already exists' } })
  })

  test(`an unknown user cannot be added to a ${kind}`, async () => {
    const { place, owner } = await open()
    assert.deepEqual(await owner.post(`${place.url}/members`, { user_id: 999_999, access_level: 10 }), {
      status: 404,
      body: { message: '404 User Not Found' },
    })
  })

  test(`a ${kind}'s membership cannot expire in the past, nor have an invalid level`, async () => {
    const { place, owner } = await open()
    const person = await scene.user()
    const today = new Date().toISOString().slice(0, 10)

    assert.deepEqual(await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 10, expires_at: today }), {
      status: 400,
      body: { message: { expires_at: ['cannot be a date in the past'] } },
    })
    assert.deepEqual(await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 25 }), {
      status: 400,
      body: { message: { access_level: ['does not have a valid value'] } },
    })
  })

  test(`an expired membership of a ${kind} gives no access and is in no list`, async () => {
    const { place, owner } = await open()
    const person = await scene.user()
    await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 40 })
    await expire(person.id)

    assert.equal((await person.get(place.url)).status, 404)
    assert.ok(!ids(await owner.get(`${place.url}/members`)).includes(person.id))
    assert.ok(!ids(await owner.get(`${place.url}/members/all`)).includes(person.id))
    assert.equal((await owner.get(`${place.url}/members/${person.id}`)).status, 404)
    assert.equal((await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 20 })).status, 201)
    assert.equal((await person.get(place.url)).status, 200)
  })

  test(`members of a ${kind} are found by a part of their name and by their ids`, async () => {
    const { place, owner } = await open()
    const ida = await scene.user({ name: `Ida 100%_ of ${kind}` })
    const ole = await scene.user({ name: `Ole of ${kind}` })
    await owner.post(`${place.url}/members`, { user_id: `${ida.id},${ole.id}`, access_level: 10 })

    assert.deepEqual(ids(await owner.get(`${place.url}/members`, { query: '100%_' })), [ida.id])
    assert.deepEqual(ids(await owner.get(`${place.url}/members`, { user_ids: [ole.id] })), [ole.id])
    assert.ok(!ids(await owner.get(`${place.url}/members`, { skip_users: [ole.id] })).includes(ole.id))
  })

  test(`several users are added to a ${kind} in one request, and the answer names those who cannot be`, async () => {
    const { place, owner } = await open()
    const [first, second] = [await scene.user(), await scene.user()]
    await owner.post(`${place.url}/members`, { user_id: first.id, access_level: 20 })

    const answer = await owner.post(`${place.url}/members`, { user_id: `${first.id},${second.id},999999`, access_level: 30 })

    assert.deepEqual(answer, {
      status: 201,
      body: { status: 'error', message: { [first.id]: 'Member already exists', 999999: 'User not found' } },
    })
    const listed = levels(await owner.get(`${place.url}/members`, { user_ids: [first.id, second.id] }))
    assert.deepEqual(listed, [
      [first.id, 20],
      [second.id, 30],
    ])
  })

  test(`a change of a ${kind}'s member keeps the expiry, and null removes it`, async () => {
    const { place, owner } = await open()
    const person = await scene.user()
    await owner.post(`${place.url}/members`, { user_id: person.id, access_level: 20, expires_at: tomorrow() })

    const raised = await owner.put(`${place.url}/members/${person.id}`, { access_level: 30 })
    assert.deepEqual([raised.status, raised.body.access_level, raised.body.expires_at], [200, 30, tomorrow()])

    const endless = await owner.put(`${place.url}/members/${person.id}`, { access_level: 30, expires_at: '' })
    assert.deepEqual([endless.status, endless.body.expires_at], [200, null])
  })

  test(`a member may leave a ${kind}, and only its managers may remove others`, async () => {
    const { place, owner } = await open()
    const [one, two] = [await scene.user(), await scene.user()]
    await owner.post(`${place.url}/members`, { user_id: `${one.id},${two.id}`, access_level: 30 })

    assert.deepEqual(await one.delete(`${place.url}/members/${two.id}`), { status: 403, body: { message: '403 Forbidden' } })
    assert.deepEqual(await one.delete(`${place.url}/members/${one.id}`), { status: 204, body: undefined })
    assert.equal((await one.get(place.url)).status, 404)
    assert.deepEqual(await owner.delete(`${place.url}/members/${two.id}`), { status: 204, body: undefined })
    assert.deepEqual(await owner.delete(`${place.url}/members/${two.id}`), { status: 404, body: { message: '404 Member Not Found' } })
  })

  test(`only managers of a ${kind} add and change members`, async () => {
    const { place, owner } = await open()
    const [developer, stranger] = [await scene.user(), await scene.user()]
    await owner.post(`${place.url}/members`, { user_id: developer.id, access_level: 30 })

    assert.equal((await developer.post(`${place.url}/members`, { user_id: stranger.id, access_level: 10 })).status, 403)
    assert.equal((await developer.put(`${place.url}/members/${developer.id}`, { access_level: 40 })).status, 403)
  })
}

test('a level of 50 exists in groups only', async () => {
  const { project, owner } = await scene.project()
  const person = await scene.user()

  const answer = await owner.post(`${project.url}/members`, { user_id: person.id, access_level: 50 })

  assert.deepEqual(answer, { status: 400, body: { message: { access_level: ['does not have a valid value'] } } })
})

test('members of ancestor groups are among all members, each once with their highest level', async () => {
  const { group, owner, reporter } = await scene.group({ members: ['reporter'] })
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below, owner })
  await owner.post(`${below.url}/members`, { user_id: reporter.id, access_level: 30 })
  await owner.post(`${project.url}/members`, { user_id: reporter.id, access_level: 40 })
  const guest = await scene.user()
  await owner.post(`${project.url}/members`, { user_id: guest.id, access_level: 10 })

  assert.deepEqual(levels(await reporter.get(`${project.url}/members/all`)), [
    [owner.id, 50],
    [reporter.id, 40],
    [guest.id, 10],
  ])
  assert.deepEqual(levels(await reporter.get(`${below.url}/members/all`)), [
    [owner.id, 50],
    [reporter.id, 30],
  ])
  assert.equal((await reporter.get(`${project.url}/members/all/${owner.id}`)).body.access_level, 50)
  assert.equal((await reporter.get(`${project.url}/members/${owner.id}`)).status, 404)
  assert.equal((await reporter.get(`${project.url}/members/all/nobody`)).status, 404)
  assert.deepEqual((await reporter.get(`${project.url}/members/all`, { per_page: 2 })).headers['x-total'], '3')
})

test('the owner of a personal project is among its members (clients.md b.8)', async () => {
  const { project, owner } = await scene.project()
  assert.equal((await owner.get(`${project.url}/members/all/${owner.id}`)).body.access_level, 40)
})

test('no user gets less in a project than their inherited level', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const { project } = await scene.project({ group, owner })

  const answer = await owner.post(`${project.url}/members`, { user_id: developer.id, access_level: 20 })

  assert.deepEqual(answer, {
    status: 400,
    body: { message: { access_level: [`should be greater than or equal to Developer inherited membership from group ${group.name}`] } },
  })
})

test('the last owner of a group can neither leave nor be demoted', async () => {
  const { group, owner } = await scene.group()
  const refused = { status: 403, body: { message: '403 Forbidden - A group needs an owner' } }

  assert.deepEqual(await owner.delete(`${group.url}/members/${owner.id}`), refused)
  assert.deepEqual(await owner.put(`${group.url}/members/${owner.id}`, { access_level: 40 }), refused)
  assert.deepEqual(await owner.put(`${group.url}/members/${owner.id}`, { access_level: 50, expires_at: tomorrow() }), refused)
})

test('an owner who is blocked does not count as the other owner', async () => {
  const { group, owner } = await scene.group()
  const other = await scene.user()
  await owner.post(`${group.url}/members`, { user_id: other.id, access_level: 50 })
  await scene.root.post(`/users/${other.id}/block`)

  assert.equal((await owner.delete(`${group.url}/members/${owner.id}`)).status, 403)
})

test('the owner of a subgroup may leave when the parent has an owner', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const other = await scene.user()
  await owner.post(`${below.url}/members`, { user_id: other.id, access_level: 50 })

  assert.equal((await other.delete(`${below.url}/members/${other.id}`)).status, 204)
})

test('of two owners who leave concurrently one stays', async () => {
  const { group, owner } = await scene.group()
  const other = await scene.user()
  await owner.post(`${group.url}/members`, { user_id: other.id, access_level: 50 })

  const answers = await Promise.all([owner, other].map(person => person.delete(`${group.url}/members/${person.id}`)))

  assert.deepEqual(answers.map(answer => answer.status).sort(), [204, 403])
})

test('of two concurrent additions of one user one is a conflict', async () => {
  const { group, owner } = await scene.group()
  const person = await scene.user()

  const answers = await Promise.all([10, 20].map(access_level => owner.post(`${group.url}/members`, { user_id: person.id, access_level })))

  assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 409])
})

test('the owner of a personal project cannot be removed from it', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })

  assert.equal((await maintainer.delete(`${project.url}/members/${owner.id}`)).status, 403)
  assert.equal((await owner.delete(`${project.url}/members/${owner.id}`)).status, 403)
})

test('an anonymous caller reads no members of a public project (decision 9)', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const outsider = await scene.user()

  assert.equal((await scene.anonymous.get(`${project.url}/members`)).status, 401)
  assert.equal((await outsider.get(`${project.url}/members`)).status, 200)
})

test('an administrator lists the memberships of a user, of both kinds or of one', async () => {
  const person = await scene.user()
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  await owner.post(`${group.url}/members`, { user_id: person.id, access_level: 20 })
  await owner.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
  const inGroup = { source_id: group.id, source_name: group.name, source_type: 'Namespace', access_level: 20 }
  const inProject = { source_id: project.id, source_name: project.name, source_type: 'Project', access_level: 30 }

  assert.deepEqual((await scene.root.get(`/users/${person.id}/memberships`)).body, [inGroup, inProject])
  assert.deepEqual((await scene.root.get(`/users/${person.id}/memberships`, { type: 'Project' })).body, [inProject])
  assert.equal((await person.get(`/users/${person.id}/memberships`)).status, 403)
})

test('the members of a project become members of another, with their roles', async () => {
  const { project: source, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { project } = await scene.project({ owner })
  await owner.post(`${project.url}/members`, { user_id: reporter.id, access_level: 10 })

  const imported = await owner.post(`${project.url}/import_project_members/${source.id}`)

  assert.deepEqual(imported, { status: 200, body: { status: 'success', message: 'Successfully imported' } })
  const levels = (await owner.get(`${project.url}/members`)).body.map((row: { id: number; access_level: number }) => [
    row.id,
    row.access_level,
  ])
  assert.deepEqual(new Map(levels).get(developer.id), 30)
  assert.deepEqual(new Map(levels).get(reporter.id), 10)
})

test('taking over members costs the same number of statements for one and for many', async () => {
  const { project: source, owner: other } = await scene.project({ visibility: 'public', members: ['developer'] })
  const costs: number[] = []
  let members = 3
  for (const more of [0, 20]) {
    for (let n = 0; n < more; n++) await other.post(`${source.url}/members`, { user_id: (await scene.user()).id, access_level: 10 })
    members += more
    const { project, owner } = await scene.project()
    const headers = { 'private-token': owner.token }
    const url = `/api/v4${project.url}/import_project_members/${source.id}`
    const { statements } = await recordStatements(async () => scene.app.inject({ method: 'POST', url, headers }))
    costs.push(statements.length)
    assert.equal((await owner.get(`${project.url}/members`, { per_page: 100 })).body.length, members)
  }
  assert.equal(costs[0], costs[1])
})

test('members are taken over by maintainers alone, and not from a project that they do not see', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { project: hidden } = await scene.project({ visibility: 'private' })

  assert.equal((await developer.post(`${project.url}/import_project_members/${project.id}`)).status, 403)
  assert.deepEqual(await maintainer.post(`${project.url}/import_project_members/${hidden.id}`), {
    status: 404,
    body: { message: '404 Project Not Found' },
  })
})

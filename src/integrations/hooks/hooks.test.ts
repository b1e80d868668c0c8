/** Project hooks, group hooks and system hooks API of the v4 level 14.0. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const url = 'https://ci.example.com/hook'

const off = {
  tag_push_events: false,
  merge_requests_events: false,
  issues_events: false,
  confidential_issues_events: false,
  note_events: false,
  confidential_note_events: false,
  job_events: false,
  pipeline_events: false,
  wiki_page_events: false,
  deployment_events: false,
  releases_events: false,
  feature_flag_events: false,
  repository_update_events: false,
}

test('a hook of a project is added, shown, changed and deleted, its token never shown', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })

  const added = await maintainer.post(`${project.url}/hooks`, {
    url,
    token: 'hush',
    issues_events: true,
    push_events_branch_filter: 'rel-*',
  })
  assert.deepEqual(added, {
    status: 201,
    body: {
      ...off,
      id: added.body.id,
      url,
      project_id: project.id,
      push_events: true,
      issues_events: true,
      push_events_branch_filter: 'rel-*',
      enable_ssl_verification: true,
      created_at: added.body.created_at,
    },
  })
  const one = `${project.url}/hooks/${added.body.id}`
  assert.deepEqual((await maintainer.get(one)).body, added.body)
  assert.deepEqual((await maintainer.get(`${project.url}/hooks`)).body, [added.body])

  const changed = await maintainer.put(one, { url, push_events: false, enable_ssl_verification: false, push_events_branch_filter: '' })
  assert.deepEqual(changed, {
    status: 200,
    body: { ...added.body, push_events: false, enable_ssl_verification: false, push_events_branch_filter: null },
  })
  assert.deepEqual(await maintainer.put(one, {}), { status: 400, body: { message: '400 (Bad request) "url" not given' } })
  assert.equal((await maintainer.delete(one)).status, 204)
  assert.deepEqual(await maintainer.get(one), { status: 404, body: { message: '404 Hook Not Found' } })
})

test('a hook of a group also hears of subgroups, and belongs to Owners', async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })

  const added = await owner.post(`${group.url}/hooks`, { url, push_events: false, subgroup_events: true })
  assert.deepEqual(added.body, {
    ...off,
    id: added.body.id,
    url,
    group_id: group.id,
    push_events: false,
    subgroup_events: true,
    push_events_branch_filter: null,
    enable_ssl_verification: true,
    created_at: added.body.created_at,
  })
  assert.equal((await maintainer.get(`${group.url}/hooks`)).status, 403)
})

test('a system hook is notified of updated repositories by default', async () => {
  const added = await scene.root.post('/hooks', { url })
  assert.deepEqual(added.body, {
    id: added.body.id,
    url,
    created_at: added.body.created_at,
    push_events: false,
    tag_push_events: false,
    merge_requests_events: false,
    repository_update_events: true,
    enable_ssl_verification: true,
  })
  assert.equal((await scene.root.put(`/hooks/${added.body.id}`, { url, push_events: true })).body.push_events, true)
  assert.equal((await scene.root.delete(`/hooks/${added.body.id}`)).status, 204)
})

test('a hook of one project is none of another', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  const { body } = await owner.post(`${project.url}/hooks`, { url })

  assert.equal((await owner.delete(`${other.url}/hooks/${body.id}`)).status, 404)
})

for (const [kind, most] of [
  ['project', 100],
  ['group', 50],
] as const)
  test(`a ${kind} has at most ${most} hooks`, async () => {
    const inProject = kind === 'project' ? await scene.project() : undefined
    const inGroup = inProject ? undefined : await scene.group()
    const { owner } = (inProject ?? inGroup)!
    const place = (inProject?.project ?? inGroup?.group)!
    await scene.deps.database.db
      .insertInto('hooks')
      .values(
        Array.from({ length: most - 1 }, () => ({
          ...(kind === 'project' ? { project_id: place.id } : { namespace_id: place.id }),
          url,
          switches: [],
        })),
      )
      .execute()

    const last = await owner.post(`${place.url}/hooks`, { url })
    const beyond = await owner.post(`${place.url}/hooks`, { url })

    assert.equal(last.status, 201)
    assert.deepEqual([beyond.status, beyond.body], [422, { message: `Maximum number of ${kind} hooks (${most}) exceeded` }])
  })

describe('an address', () => {
  for (const wrong of [
    'ftp://ci.example.com/',
    'somewhere',
    'https://',
    'https://me:100%@ci.example.com/',
    'https://ci.example.com/hook\n',
    'https://ci.example.com/?to\tken=x',
    ' https://ci.example.com/',
    'https://elsewhere.example\\@ci.example.com/',
    'https://elsewhere.example/\u202e/moc.elpmaxe.ic',
    'http://127.0.0.1/hook',
    'http://[::1]/hook',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest',
    'http://0x7f000001/',
    'http://localhost:9000/',
  ])
    test(`${wrong} is refused`, async () => {
      const { project, owner } = await scene.project()

      assert.deepEqual(await owner.post(`${project.url}/hooks`, { url: wrong }), { status: 422, body: { message: 'Invalid url given' } })
    })

  test('one of a group is refused in the same way', async () => {
    const { group, owner } = await scene.group()

    const answer = await owner.post(`${group.url}/hooks`, { url: 'http://127.0.0.1/hook' })

    assert.deepEqual(answer, { status: 422, body: { message: 'Invalid url given' } })
  })
})

test('a branch filter that no branch can have, and a token that no header can carry, are refused', async () => {
  const { project, owner } = await scene.project()

  const filtered = await owner.post(`${project.url}/hooks`, { url, push_events_branch_filter: 'bad branch name' })
  assert.deepEqual(filtered, { status: 422, body: { message: 'Invalid branch filter given' } })
  const answer = await owner.post(`${project.url}/hooks`, { url, token: 'one\r\nX-Two: 2' })
  assert.deepEqual(answer, { status: 422, body: { message: 'Invalid token given' } })
})

test('the token is kept encrypted, and does not follow the hook to another address', async () => {
  const { project, owner } = await scene.project()
  const { body: hook } = await owner.post(`${project.url}/hooks`, { url, token: 'open sesame' })
  const stored = async () =>
    (await scene.deps.database.db.selectFrom('hooks').select('token').where('id', '=', hook.id).executeTakeFirstOrThrow()).token

  assert.doesNotMatch((await stored()) as string, /sesame/)
  await owner.put(`${project.url}/hooks/${hook.id}`, { url, push_events: false })
  assert.notEqual(await stored(), null)
  await owner.put(`${project.url}/hooks/${hook.id}`, { url: 'https://elsewhere.example.com/' })
  assert.equal(await stored(), null)
})

describe('credentials in an address', () => {
  const secret = 'https://me:s3same@ci.example.com/hook?private_token=s3same&job=1'
  const shown = 'https://me:****@ci.example.com/hook?private_token=****&job=1'

  /** A hook of a project, and what is stored of it. */
  async function hookWithCredentials() {
    const { project, maintainer } = await scene.project({ members: ['maintainer'] })
    const added = await maintainer.post(`${project.url}/hooks`, { url: secret, token: 'open sesame' })
    const { db } = scene.deps.database
    const stored = () => db.selectFrom('hooks').select(['url', 'token']).where('id', '=', added.body.id).executeTakeFirstOrThrow()
    return { maintainer, added, stored, hooks: `${project.url}/hooks`, hook: `${project.url}/hooks/${added.body.id}` }
  }

  test('are shown in no answer, of whatever kind of hook', async () => {
    const { maintainer, added, hooks, hook } = await hookWithCredentials()
    const { group, owner } = await scene.group()
    const ofGroup = await owner.post(`${group.url}/hooks`, { url: secret })
    const ofInstance = await scene.root.post('/hooks', { url: secret })

    const answers = [
      added,
      ofGroup,
      ofInstance,
      await maintainer.get(hooks),
      await maintainer.get(hook),
      await maintainer.put(hook, { url: secret }),
      await owner.get(`${group.url}/hooks/${ofGroup.body.id}`),
      await scene.root.get('/hooks'),
    ]

    for (const answer of answers) {
      assert.ok(!JSON.stringify(answer).includes('s3same'), JSON.stringify(answer))
      assert.equal([answer.body].flat().find(({ url: address }) => address.includes('ci.example.com/hook?'))?.url, shown)
    }
  })

  test('stay when a client sends back the address that it was shown', async () => {
    const { maintainer, hook, stored } = await hookWithCredentials()
    const before = await stored()

    const changed = await maintainer.put(hook, { url: shown, push_events: false })

    assert.deepEqual([changed.status, changed.body.url, changed.body.push_events], [200, shown, false])
    assert.deepEqual(await stored(), before)
    // Libraries encode stars, or write the address in their own way.
    for (const url of [shown.replaceAll('****', '%2A%2A%2A%2A'), shown.replace('ci.example.com', 'CI.example.com:443')]) {
      assert.equal((await maintainer.put(hook, { url })).status, 200)
      assert.deepEqual(await stored(), before)
    }
  })

  for (const [url, shown] of [
    ['https://ci.example.com/h?webhook_token=s3same&user_token=s3same', 'https://ci.example.com/h?webhook_token=****&user_token=****'],
    ['https://ci.example.com/h?token[]=s3same#jwt=s3same', 'https://ci.example.com/h?token[]=****#jwt=****'],
    ['https://hooks.slack.com/services/T000/B000/s3same', 'https://hooks.slack.com/services/T000/B000/****'],
    ['https://discord.com/api/webhooks/1234/s3same', 'https://discord.com/api/webhooks/1234/****'],
  ] as const)
    test(`are known in ${shown}, stay when it is sent back, and are in no audit entry`, async () => {
      const { project, owner } = await scene.project()
      const { body: added } = await owner.post(`${project.url}/hooks`, { url, token: 'open sesame' })
      const hook = `${project.url}/hooks/${added.id}`
      const { db } = scene.deps.database
      const stored = () => db.selectFrom('hooks').select(['url', 'token']).where('id', '=', added.id).executeTakeFirstOrThrow()
      const before = await stored()

      const read = await owner.get(hook)
      const written = await owner.put(hook, { ...read.body, push_events: false })

      assert.deepEqual([added.url, read.body.url, written.status, written.body.url], [shown, shown, 200, shown])
      assert.deepEqual([await stored(), before.url], [before, url])
      await owner.put(hook, { url: url.replaceAll('s3same', 's3other') })
      await owner.delete(hook)
      for (const path of [`${project.url}/audit_events`, '/audit_events?per_page=100']) {
        const { status, body } = await scene.root.get(path)
        assert.equal(status, 200)
        assert.ok(body.filter(({ event_name }: { event_name: string }) => event_name.startsWith('hook.')).length >= 4, path)
        assert.ok(!/s3same|s3other/.test(JSON.stringify(body)), path)
      }
    })

  test('are not carried over to another address, nor replaced by stars', async () => {
    const { maintainer, hooks, hook, stored } = await hookWithCredentials()
    const before = await stored()
    const refused = { status: 422, body: { message: 'Invalid url given: write the credentials in the place of the stars' } }

    for (const url of [
      shown.replace('ci.example.com', 'evil.example.com'),
      shown.replace('job=1', 'job=2'),
      secret.replace('me:s3same', 'me:****'),
      secret.replace('private_token=s3same', 'private_token=****'),
      'https://****@ci.example.com/',
      'https://ci.example.com/****',
      shown.replaceAll('****', '%2A%2a**').replace('job=1', 'job=2'),
    ])
      assert.deepEqual(await maintainer.put(hook, { url }), refused, url)
    assert.deepEqual(await maintainer.post(hooks, { url: shown }), refused)
    assert.deepEqual(await stored(), before)
  })
})

describe('a trial', () => {
  test('is refused where the project has nothing of the kind', async () => {
    const { project, owner } = await scene.project()
    const { body: hook } = await owner.post(`${project.url}/hooks`, { url })

    for (const [trigger, noun] of Object.entries({ push_events: 'commit', tag_push_events: 'tag', pipeline_events: 'pipeline' }))
      assert.deepEqual(await owner.post(`${project.url}/hooks/${hook.id}/test/${trigger}`), {
        status: 422,
        body: { message: `Ensure the project has at least one ${noun}.` },
      })
    assert.equal((await owner.post(`${project.url}/hooks/${hook.id}/test/weather_events`)).status, 400)
  })

  test('of a hook of a group is made of what there is in its newest project, one with commits before all others', async () => {
    const { group, owner } = await scene.group()
    const { body: hook } = await owner.post(`${group.url}/hooks`, { url })
    const attempt = (trigger: string) => owner.post(`${group.url}/hooks/${hook.id}/test/${trigger}`)
    assert.deepEqual((await attempt('issues_events')).status, 422, 'no project')

    const { project } = await scene.project({ group, owner })
    assert.deepEqual((await attempt('issues_events')).body, { message: 'Ensure the project has at least one issue.' })
    await owner.post(`${project.url}/issues`, { title: 'Sample' })
    assert.deepEqual(await attempt('issues_events'), { status: 201, body: { message: '201 Created' } })
    const [sent] = (await owner.get(`${group.url}/hooks/${hook.id}/events`)).body
    assert.deepEqual([sent.trigger, sent.request_data.object_attributes.title], ['issues_events', 'Sample'])

    await scene.commit(project, { 'a.txt': 'a' })
    await scene.project({ group, owner })
    assert.equal((await attempt('push_events')).status, 201, 'the newest has no commit')
  })

  test('of a system hook answers with what is sent', async () => {
    const { body: hook } = await scene.root.post('/hooks', { url })

    const answer = await scene.root.post(`/hooks/${hook.id}`)
    assert.deepEqual([answer.status, answer.body.event_name], [201, 'project_create'])
  })
})

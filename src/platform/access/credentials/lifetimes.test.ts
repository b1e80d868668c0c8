import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Client } from '../../../../test/client.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { jobIn, registered, runnerWith } from '../../../ci/runner_protocol/scene.ts'
import { connectingKey } from '../../../identity/keys/queries.ts'
import { liveInstanceRunnersToken } from '../../../spaces/runners_tokens/commands.ts'
import { settings } from '../../application_settings/settings.ts'
import { credentialKinds, settingsOf } from './lifetimes.ts'

const scene = await openScene()
const day = 24 * 60 * 60 * 1000

async function after<T>(days: number, work: () => Promise<T>): Promise<T> {
  scene.setTime(new Date(Date.now() + days * day).toISOString())
  try {
    return await work()
  } finally {
    scene.setTime(undefined)
  }
}

/** With the longest life of a kind set to ten days. */
async function bounded<T>(setting: string, work: () => Promise<T>): Promise<T> {
  assert.equal((await scene.root.put('/application/settings', { [setting]: 10 })).status, 200)
  try {
    return await work()
  } finally {
    assert.equal((await scene.root.put('/application/settings', { [setting]: null })).body[setting], null)
  }
}

/** Digests of things that open nothing. */
const others: readonly string[] = [
  'container_blobs.digest',
  'container_manifests.config_digest',
  'container_manifests.digest',
  'container_manifests.subject_digest',
  'dependency_proxy_blobs.digest',
  'dependency_proxy_manifests.digest',
]

test('every column by which a credential is found says where it ends', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and (column_name ~ '(^|_)digest$' or column_name = 'fingerprint_sha256')
     order by 1`.execute(scene.deps.database.db)
  const listed = [...Object.keys(credentialKinds), ...others]
  assert.deepEqual(
    rows.map(({ name }) => name).filter(name => !listed.includes(name)),
    [],
    'you are here because a table keeps a digest that src/platform/access/credentials/lifetimes.ts does not know: say there where the credential ends, or here that it opens nothing',
  )
  for (const name of Object.keys(credentialKinds))
    assert.ok(
      rows.some(row => row.name === name),
      `${name} is not a column any more`,
    )
})

test('every longest life is a setting that administrators can change', () => {
  for (const kind of Object.values(credentialKinds))
    if ('longest' in kind) for (const setting of settingsOf(kind.longest)) assert.ok(setting in settings, setting)
})

const works = async (client: Client) => (await client.get('/user')).status

test('a token that has no end ends with the longest life of its kind, and says so', async () => {
  const person = await scene.user()
  const impersonation = (await scene.root.post(`/users/${person.id}/impersonation_tokens`, { name: 'x', scopes: ['api'] })).body.token
  const other = scene.as({ 'private-token': impersonation })
  await bounded('max_personal_access_token_lifetime', async () => {
    assert.deepEqual([await after(9, () => works(person)), await after(9, () => works(other))], [200, 200])
    assert.deepEqual([await after(11, () => works(person)), await after(11, () => works(other))], [401, 401])
    const { expires_at, active } = (await person.get('/personal_access_tokens/self')).body
    assert.equal(expires_at, new Date(Date.now() + 10 * day).toISOString().slice(0, 10))
    assert.equal(active, true)
  })
  assert.equal(await after(11, () => works(person)), 200, 'without a longest life it has no end')
})

test('an end beyond the longest life is refused with 400 where a token, key or deploy token is made', async () => {
  const { project, owner } = await scene.project()
  const late = new Date(Date.now() + 12 * day).toISOString()
  const early = new Date(Date.now() + 8 * day).toISOString()
  const key = (number: number) => {
    const parts = [Buffer.from('ssh-ed25519'), Buffer.alloc(32, number)].flatMap(part => [Buffer.from([0, 0, 0, part.length]), part])
    return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')} example`
  }
  const doors: [string, (end: string) => Promise<{ status: number; body: { message?: object } }>][] = [
    [
      'max_personal_access_token_lifetime',
      end => scene.root.post(`/users/${owner.id}/personal_access_tokens`, { name: 'x', scopes: ['api'], expires_at: end.slice(0, 10) }),
    ],
    [
      'max_personal_access_token_lifetime',
      end => owner.post(`${project.url}/access_tokens`, { name: 'x', scopes: ['api'], expires_at: end.slice(0, 10) }),
    ],
    ['max_ssh_key_lifetime', end => owner.post('/user/keys', { title: 'x', key: key(61), expires_at: end })],
    ['max_ssh_key_lifetime', end => owner.post(`${project.url}/deploy_keys`, { title: 'x', key: key(62), expires_at: end })],
    [
      'max_deploy_token_lifetime',
      end => owner.post(`${project.url}/deploy_tokens`, { name: 'x', scopes: ['read_repository'], expires_at: end }),
    ],
  ]
  for (const [setting, make] of doors)
    await bounded(setting, async () => {
      const refused = await make(late)
      assert.deepEqual([refused.status, Object.keys(refused.body.message ?? {})], [400, ['expires_at']], setting)
      assert.equal((await make(early)).status, 201, setting)
    })
})

test('keys of people and deploy keys end with their longest life', async () => {
  const { db } = scene.deps.database
  const { project, owner } = await scene.project()
  const blob = (number: number) =>
    Buffer.concat(
      [Buffer.from('ssh-ed25519'), Buffer.alloc(32, number)].flatMap(part => [Buffer.from([0, 0, 0, part.length]), part]),
    ).toString('base64')
  await owner.post('/user/keys', { title: 'x', key: `ssh-ed25519 ${blob(71)} x` })
  await owner.post(`${project.url}/deploy_keys`, { title: 'x', key: `ssh-ed25519 ${blob(72)} x` })
  const keys = await db
    .selectFrom('keys')
    .select('fingerprint_sha256')
    .where('key', 'like', `%${blob(71).slice(-20)}%`)
    .execute()
  const deployKeys = await db
    .selectFrom('keys')
    .select('fingerprint_sha256')
    .where('key', 'like', `%${blob(72).slice(-20)}%`)
    .execute()
  await bounded('max_ssh_key_lifetime', async () => {
    for (const { fingerprint_sha256 } of [...keys, ...deployKeys]) {
      assert.ok(await connectingKey(db, fingerprint_sha256, new Date(Date.now() + 9 * day)))
      assert.equal(await connectingKey(db, fingerprint_sha256, new Date(Date.now() + 11 * day)), undefined)
    }
  })
  assert.equal(keys.length + deployKeys.length, 2)
})

test('deploy tokens, trigger tokens and tokens of identity providers end with their longest life', async () => {
  const { project, owner } = await scene.project()
  const { username, token } = (await owner.post(`${project.url}/deploy_tokens`, { name: 'x', scopes: ['read_repository'] })).body
  const { group } = await scene.group()
  const scim = (await scene.root.post(`${group.url}/scim_token`)).body
  const trigger = (await owner.post(`${project.url}/triggers`, { description: 'x' })).body
  const byDeployToken = () =>
    scene.anonymous.get(
      `${scene.url}/${project.full_path}.git/info/refs`,
      { service: 'git-upload-pack' },
      { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` },
    )
  const byScim = () => scene.as({ authorization: `Bearer ${scim.token}` }).get(`${scim.scim_url}/Users`)
  const byTrigger = () => scene.anonymous.post(`${project.url}/trigger/pipeline`, { token: trigger.token, ref: 'none' })

  await bounded('max_deploy_token_lifetime', async () =>
    assert.deepEqual([(await after(9, byDeployToken)).status, (await after(11, byDeployToken)).status], [200, 401]),
  )
  await bounded('max_scim_token_lifetime', async () =>
    assert.deepEqual([(await after(9, byScim)).status, (await after(11, byScim)).status], [200, 401]),
  )
  // The reference does not exist: who gets as far as that has a token that counts.
  await bounded('max_trigger_token_lifetime', async () =>
    assert.deepEqual([(await after(9, byTrigger)).status, (await after(11, byTrigger)).status], [400, 404]),
  )
})

test('registration tokens of the instance, groups and projects end with their longest life, and a reset begins a new one', async () => {
  const { project, owner } = await scene.project()
  const { group, owner: groupOwner } = await scene.group()
  const register = async (token: string) => (await scene.anonymous.post('/runners', { token })).status
  const resets = [
    () => scene.root.post('/runners/reset_registration_token'),
    () => groupOwner.post(`${group.url}/runners/reset_registration_token`),
    () => owner.post(`${project.url}/runners/reset_registration_token`),
  ]
  for (const reset of resets) {
    const { token } = (await reset()).body
    await bounded('max_registration_token_lifetime', async () => {
      assert.deepEqual([await after(9, () => register(token)), await after(11, () => register(token))], [201, 403])
      const { token: renewed, token_expires_at } = await after(11, async () => (await reset()).body)
      assert.equal(token_expires_at.slice(0, 10), new Date(Date.now() + 21 * day).toISOString().slice(0, 10))
      assert.deepEqual([await after(20, () => register(renewed)), await after(22, () => register(renewed))], [201, 403])
    })
    assert.equal(await register(token), 403, 'the former token stays dead')
  }
  const { token: ofInstance } = (await scene.root.post('/runners/reset_registration_token')).body
  const forBuiltinRunner = () => scene.run(undefined, async ctx => (await liveInstanceRunnersToken(ctx)).reveal())
  await bounded('max_registration_token_lifetime', async () => {
    assert.equal(await after(9, forBuiltinRunner), ofInstance)
    const replaced = await after(11, forBuiltinRunner)
    assert.notEqual(replaced, ofInstance)
    assert.equal(await after(12, () => register(replaced)), 201)
  })
})

test('tokens of runners end by the setting for their type, wherever they are used, and another one begins a new life', async () => {
  const { group } = await scene.group()
  const { project } = await scene.project({ group })
  const types = [
    ['runner_token_expiration_interval', {}],
    ['group_runner_token_expiration_interval', { group }],
    ['project_runner_token_expiration_interval', { project }],
  ] as const
  for (const [setting, place] of types) {
    const runner = await registered(scene, place, { tag_list: `only-${setting}` })
    const verify = async (token = runner.token) => (await scene.anonymous.post('/runners/verify', { token })).status
    const ask = async () => (await runner.ask()).status
    assert.deepEqual([await verify(), await ask()], [200, 204])
    await scene.root.put('/application/settings', { [setting]: 10 * 24 * 3600 })
    try {
      assert.deepEqual([await after(9, verify), await after(9, ask)], [200, 204])
      const job = await jobIn(scene, project, { tags: [`only-${setting}`] })
      // It is known since it asked before, and asks again alone and with others.
      assert.deepEqual([await after(11, ask), await after(11, verify)], [403, 403])
      assert.deepEqual(await after(11, () => Promise.all([ask(), ask()])), [403, 403])
      assert.equal(
        (await after(11, () => scene.anonymous.post('/runners/reset_authentication_token', { token: runner.token }))).status,
        403,
      )
      assert.equal((await after(11, () => scene.anonymous.request('DELETE', '/runners', { body: { token: runner.token } }))).status, 403)

      const renewed = (await after(11, () => scene.root.post(`/runners/${runner.id}/reset_authentication_token`))).body
      assert.equal(renewed.token_expires_at.slice(0, 10), new Date(Date.now() + 21 * day).toISOString().slice(0, 10))
      assert.deepEqual([await after(20, () => verify(renewed.token)), await after(22, () => verify(renewed.token))], [200, 403])
      assert.equal((await after(20, () => runnerWith(scene.anonymous, renewed).ask())).body.id, job.id)
    } finally {
      await scene.root.put('/application/settings', { [setting]: null })
    }
  }
  const made = { runner_type: 'project_type', project_id: project.id }
  assert.equal((await scene.root.post('/user/runners', made)).body.token_expires_at, null)
  assert.equal((await scene.root.put('/application/settings', { runner_token_expiration_interval: 7199 })).status, 400)
})

test('a runner that waits for a job learns that its token has ended when the setting comes', async () => {
  const runner = await registered(scene)
  const ask = async () => (await runner.ask()).status
  assert.equal(await ask(), 204)
  assert.equal(await after(11, ask), 204)
  await scene.root.put('/application/settings', { runner_token_expiration_interval: 10 * 24 * 3600 })
  try {
    await eventually(async () => (await after(11, ask)) === 403, 'the token to have ended')
  } finally {
    await scene.root.put('/application/settings', { runner_token_expiration_interval: null })
  }
})

test('the secret of an OAuth application ends with its longest life, for every grant; a renewed one begins a new life', async () => {
  const made = { name: 'Time sheet', redirect_uri: 'https://client.example.com/callback', scopes: 'api' }
  const { id, application_id, secret } = (await scene.root.post('/applications', made)).body
  const grant = (client_secret: string) => () =>
    scene.anonymous.post(`${scene.url}/oauth/token`, { grant_type: 'client_credentials', client_id: application_id, client_secret })
  const token = (await grant(secret)()).body.access_token
  const otherDoors = [
    () => scene.anonymous.post(`${scene.url}/oauth/token`, { grant_type: 'client_credentials' }, basic(application_id, secret)),
    () =>
      scene.anonymous.post(`${scene.url}/oauth/token`, {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_id: application_id,
        client_secret: secret,
      }),
    () => scene.anonymous.post(`${scene.url}/oauth/revoke`, { token, client_id: application_id, client_secret: secret }),
    () => scene.anonymous.post(`${scene.url}/oauth/introspect`, { token, client_id: application_id, client_secret: secret }),
  ]
  await bounded('max_application_secret_lifetime', async () => {
    assert.deepEqual([(await after(9, grant(secret))).status, (await after(11, grant(secret))).status], [200, 401])
    for (const door of otherDoors)
      assert.deepEqual([(await after(11, door)).status, (await after(11, door)).body.error], [401, 'invalid_client'])
    const { secret_expires_at } = (await scene.root.get('/applications', { per_page: 100 })).body.find(
      (one: { id: number }) => one.id === id,
    )
    assert.equal(secret_expires_at.slice(0, 10), new Date(Date.now() + 10 * day).toISOString().slice(0, 10))

    const renewed = (await after(11, () => scene.root.post(`/applications/${id}/renew-secret`))).body
    assert.equal(renewed.secret_expires_at.slice(0, 10), new Date(Date.now() + 21 * day).toISOString().slice(0, 10))
    assert.deepEqual([(await after(20, grant(renewed.secret))).status, (await after(22, grant(renewed.secret))).status], [200, 401])
  })
  assert.equal((await grant(secret)()).status, 401, 'the former secret stays dead')
})

const basic = (name: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` })

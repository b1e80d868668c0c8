/** What administrators change of an account is in the audit log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const { root } = scene

/** What people tell of themselves, what pages look like to them, and what is no attribute. */
const left =
  /^(bio|location|skype|linkedin|twitter|website_url|organization|job_title|pronouns|note|theme_id|color_scheme_id|avatar|skip_reconfirmation|provider|extern_uid|private_token|id)$/

test('each attribute that an administrator changes is in the log', async () => {
  const { id } = await scene.user()
  const description = (await root.get(`${scene.url}/api/v4/openapi.json`)).body
  const { schema } = description.paths['/api/v4/users/{id}'].put.requestBody.content['application/json']
  const given: Record<string, unknown> = {
    name: 'Another Name',
    username: 'another-name',
    email: 'another@example.com',
    public_email: 'another@example.com',
    commit_email: '_private',
    password: 'correct horse battery staple',
    projects_limit: 7,
    shared_runners_minutes_limit: 700,
    extra_shared_runners_minutes_limit: 70,
  }
  const silent: string[] = []
  for (const [name, { type }] of Object.entries(schema.properties as Record<string, { type?: string }>)) {
    if (left.test(name)) continue
    const before = (await root.get(`/users/${id}`)).body[name]
    const value = given[name] ?? (type === 'boolean' ? !before : undefined)
    assert.ok(value !== undefined, `say here what ${name} is changed to, or why it is not in the log`)
    const seen = (await root.get('/audit_events')).body[0].id
    const { status, body } = await root.put(`/users/${id}`, { [name]: value, skip_reconfirmation: true })
    assert.equal(status, 200, `${name} ${JSON.stringify(body)}`)
    if ((await root.get('/audit_events')).body[0].id === seen) silent.push(name)
  }
  assert.deepEqual(silent, [])
})

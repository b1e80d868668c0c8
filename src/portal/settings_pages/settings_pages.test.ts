/** The pages of settings of projects, groups and the instance: what is sent, what is shown to whom, and how a setting is found. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A project in a group with an owner, and a maintainer of the project. */
async function place() {
  const owner = await surfer()
  const maintainer = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const path = `lamps-${owner.person.id}`
  const { body: group } = await by.post('/groups', { name: `Lamps ${owner.person.id}`, path, visibility: 'public' })
  const { body: project } = await by.post('/projects', {
    name: 'Wick',
    namespace_id: group.id,
    visibility: 'private',
    initialize_with_readme: true,
  })
  await by.post(`/projects/${project.id}/members`, { user_id: maintainer.person.id, access_level: 40 })
  const base = `/${project.path_with_namespace}`
  const read = async () => (await by.get(`/projects/${project.id}`)).body
  return { owner, maintainer, by, group, project, base, read }
}

test('a section sends its own settings and no others, and leads back to itself', async () => {
  const { maintainer, base, read } = await place()
  const page = `${base}/-/settings/merge_requests`
  const saved = await maintainer.submit(`${page}/checks`, {
    only_allow_merge_if_pipeline_succeeds: 'true',
    allow_merge_on_skipped_pipeline: 'false',
    only_allow_merge_if_all_discussions_are_resolved: 'true',
    squash_option: 'never',
  })
  assert.deepEqual([saved.status, saved.headers.location], [303, `${page}#checks`])
  const project = await read()
  assert.deepEqual(
    [project.only_allow_merge_if_pipeline_succeeds, project.only_allow_merge_if_all_discussions_are_resolved, project.squash_option],
    [true, true, 'default_off'],
  )
})

test('a refused section shows what was typed and what is wrong at its field, among the others', async () => {
  const { maintainer, base, read } = await place()
  const refused = await maintainer.submit(`${base}/-/settings/ci_cd/pipelines`, {
    ci_config_path: '/etc/<passwd>',
    auto_cancel_pending_pipelines: 'enabled',
  })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /id="field-ci_config_path"[^>]* aria-invalid="true"[^>]*value="\/etc\/&lt;passwd&gt;"/)
  assert.match(refused.body, /id="field-ci_config_path-wrong">CI file /)
  assert.match(refused.body, /id="field-build_timeout"/)
  assert.equal((await read()).ci_config_path, null)
})

test('a maintainer sees what only owners change, with the reason, and cannot send it', async () => {
  const { maintainer, owner, base, read } = await place()
  const { body } = await maintainer.get(`${base}/-/edit`)
  assert.match(body, /<fieldset disabled><legend>Visibility<\/legend>/)
  assert.match(body, /Only owners can change this\./)
  assert.doesNotMatch(body, /name="full_path"|name="namespace"|name="path"/)
  assert.match(body, /id="delete"[^>]*>\s*<h2[^>]*>Delete the project<\/h2>.*?Only owners can do this\./s)

  const general = `${base}/-/settings/general`
  assert.equal((await maintainer.submit(`${general}/visibility`, { visibility: 'public' })).status, 403)
  assert.equal((await maintainer.submit(`${general}/path`, { path: 'elsewhere' })).status, 403)
  assert.equal((await maintainer.submit(`${general}/archive`, {})).status, 403)
  assert.deepEqual([(await read()).visibility, (await read()).path], ['private', 'wick'])
  assert.equal((await owner.submit(`${general}/visibility`, { visibility: 'public', issues_access_level: 'private' })).status, 303)
  assert.deepEqual([(await read()).visibility, (await read()).issues_access_level], ['public', 'private'])

  const stranger = await surfer()
  assert.equal((await stranger.get(`${base}/-/edit`)).status, 403)
  const { base: hidden } = await place()
  for (const rest of ['/-/edit', '/-/settings/merge_requests', '/-/settings/search'])
    assert.equal((await stranger.get(hidden + rest)).status, 404, rest)
  // The former address leads on, as that of a project that is not there does.
  for (const address of [hidden, `${hidden}-none`])
    assert.equal((await stranger.get(`${address}/edit`)).headers.location, `${address}/-/edit`)
})

test('a project gets another path, is archived, and is deleted once its full path is typed', async () => {
  const { owner, by, base, project } = await place()
  const renamed = await owner.submit(`${base}/-/settings/general/path`, { path: 'cotton' })
  const there = base.replace(/wick$/, 'cotton')
  assert.deepEqual([renamed.status, renamed.headers.location], [303, `${there}/-/edit#path`])
  const edit = await owner.get(`${there}/edit`)
  assert.ok(String(edit.headers.location).endsWith(`${there}/-/edit`), 'the well-known address')

  const general = `${there}/-/settings/general`
  assert.equal((await owner.submit(`${general}/archive`, {})).status, 303)
  assert.equal((await by.get(`/projects/${project.id}`)).body.archived, true)
  for (const rest of ['', '/-/issues', '/-/edit'])
    assert.match(
      (await owner.get(`${there}${rest}`)).body,
      /<nav aria-label="Breadcrumb"[^>]*>.*<span class="chip attention">Archived<\/span><\/nav>/s,
    )
  assert.match((await owner.get(`${there}/-/issues/new`)).body, /the project is archived, and can be read only/)
  assert.equal((await owner.submit(`${general}/unarchive`, {})).status, 303)

  const wrong = await owner.submit(`${general}/delete`, { full_path: 'cotton' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /is not the path of this place/)
  assert.equal((await by.get(`/projects/${project.id}`)).status, 200)
  assert.equal((await owner.submit(`${general}/delete`, { full_path: there.slice(1) })).status, 303)
  const after = await by.get(`/projects/${project.id}`)
  assert.ok(after.status === 404 || after.body.marked_for_deletion_on !== null)
})

test('a group is changed, moved and deleted by its owner', async () => {
  const { owner, maintainer, by, group } = await place()
  const { body: sub } = await by.post('/groups', { name: 'Sub', path: 'sub', parent_id: group.id, visibility: 'public' })
  const at = `/groups/${sub.full_path}`
  assert.equal((await maintainer.get(`${at}/-/edit`)).status, 403)
  assert.equal(
    (await owner.submit(`${at}/-/settings/general/permissions`, { project_creation_level: 'noone', subgroup_creation_level: 'owner' }))
      .status,
    303,
  )
  assert.equal((await owner.submit(`${at}/-/settings/repository/default_branch`, { default_branch_protection: '3' })).status, 303)
  const { body: changed } = await by.get(`/groups/${sub.id}`)
  assert.deepEqual([changed.project_creation_level, changed.default_branch_protection], ['noone', 3])

  const moved = await owner.submit(`${at}/-/settings/general/transfer`, { group_id: '' })
  assert.deepEqual([moved.status, moved.headers.location], [303, '/groups/sub/-/edit#transfer'])
  assert.equal((await owner.submit('/groups/sub/-/settings/general/delete', { full_path: 'sub' })).status, 303)
})

test('approval rules of a project are added, listed, changed and removed', async () => {
  const { owner, maintainer, by, project, base } = await place()
  const page = `${base}/-/settings/merge_requests`
  const send = (rest: string, fields: Record<string, string>) => maintainer.submit(`${page}/approval_rules${rest}`, fields)
  assert.equal((await send('/new', { name: '', approvals_required: '1' })).status, 422)
  const user_ids = String(owner.person.id)
  assert.equal(
    (await send('/new', { name: 'Wick <b>', approvals_required: '1', 'user_ids[]': user_ids, rule_type: 'regular' })).status,
    303,
  )
  const [rule] = (await by.get(`/projects/${project.id}/approval_rules`)).body
  assert.deepEqual([rule.name, rule.users[0].id], ['Wick <b>', owner.person.id])
  assert.match((await maintainer.get(page)).body, /Wick &lt;b&gt;/)
  assert.equal((await send(`/${rule.id}/edit`, { name: 'Flame', approvals_required: '2' })).status, 303)
  assert.equal((await by.get(`/projects/${project.id}/approval_rules`)).body[0].approvals_required, 2)
  assert.equal((await send(`/${rule.id}/delete`, {})).status, 303)
  assert.deepEqual((await by.get(`/projects/${project.id}/approval_rules`)).body, [])
})

test('a setting is found by its words, in the settings and in the palette, by those who may change it', async () => {
  const { owner, maintainer, base, group } = await place()
  const href = `${base}/-/settings/merge_requests#field-squash_option`
  const { body } = await maintainer.get(`${base}/-/settings/search`, { search: 'squash' })
  assert.ok(body.includes(`href="${href}"`))
  assert.match((await maintainer.get(`${base}/-/settings/search`, { search: 'zzz' })).body, /No setting has these words/)

  const palette = async (by: typeof owner, search: string, from: string) => (await by.get('/-/palette', { search, from })).body as string
  assert.ok((await palette(maintainer, 'squash', `${base}/-/issues`)).includes(`data-href="${href}"`))
  assert.ok(!(await palette(maintainer, 'squash', '/')).includes('#field-'))
  assert.ok(!(await palette(await surfer(), 'squash', base)).includes('#field-'))
  assert.ok((await palette(owner, 'subgroups', `/groups/${group.full_path}/-/labels`)).includes('#field-subgroup_creation_level'))
  assert.ok(!(await palette(maintainer, 'delete the project', base)).includes('#delete'), 'what one may not do is not offered')
  assert.ok((await palette(owner, 'delete the project', base)).includes(`${base}/-/edit#`))
  for (const words of ['transfer', 'rename'])
    for (const from of [base, `/groups/${group.full_path}`])
      assert.match(
        await palette(owner, words, from),
        /data-href="[^"]*\/-\/edit#(transfer|field-namespace|path|field-path)"/,
        `${words} in ${from}`,
      )
  for (const from of [base, `/groups/${group.full_path}`])
    assert.match(await palette(owner, 'ci variables', from), /data-href="[^"]*\/-\/variables"/, 'a page by its words and its heading')
  const admin = await surfer({ admin: true })
  for (const [words, page] of Object.entries({ schedules: 'pipeline_schedules', 'ci editor': 'ci/editor', pipelines: 'pipelines' }))
    assert.match(await palette(maintainer, words, `${base}/-/issues`), new RegExp(`data-href="${base}/-/${page}"`))
  assert.doesNotMatch(await palette(maintainer, 'schedules', '/'), /pipeline_schedules/)
  for (const [words, page] of Object.entries({ 'rate limits': 'rate_limits', audit: 'audit_logs', mails: '-/mails' }))
    assert.ok((await palette(admin, words, '/admin')).includes(`${page}"`), words)
  assert.doesNotMatch(await palette(owner, 'rate limits', '/admin'), /rate_limits/)
  assert.ok((await palette(admin, 'scim', '/')).includes('/admin/application_settings/accounts#field-scim_provisioning'))
  assert.ok(!(await palette(owner, 'scim', '/%E0%A4%A')).includes('application_settings'))
})

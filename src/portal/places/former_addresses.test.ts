/** Addresses of other releases lead to pages that are there, for all callers alike. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { pathsOf } from '../../platform/kernel/addresses/paths.ts'
import { endpoints } from '../../server/endpoints.ts'
import { presentAddress } from './former_addresses.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** Former addresses, with where they lead. */
const led: Readonly<Record<string, string>> = {
  '/profile': '/-/profile',
  '/profile/personal_access_tokens?name=x': '/-/profile/personal_access_tokens?name=x',
  '/profile/account': '/-/profile/two_factor',
  '/-/profile/two_factor_auth': '/-/profile/two_factor',
  '/-/user_settings/profile': '/-/profile',
  '/-/user_settings/ssh_keys': '/-/profile/keys',
  '/-/user_settings/gpg_keys': '/-/profile/gpg_keys',
  '/-/user_settings/identities': '/-/profile/identities',
  '/-/user_settings/applications': '/-/profile/applications',
  '/-/user_settings/active_sessions': '/-/profile/active_sessions',
  '/-/user_settings/password/edit': '/-/profile/password/edit',
  '/-/user_settings/personal_access_tokens?name=cli&scopes=api': '/-/profile/personal_access_tokens?name=cli&scopes=api',
  '/.well-known/change-password': '/-/profile/password/edit',
  '/dashboard/projects/starred?search=a': '/dashboard/projects?filter=starred&search=a',
  '/dashboard/snippets': '/-/snippets',
  '/explore/projects/trending': '/explore/projects',
  '/public': '/explore/projects',
  '/groups': '/explore/groups',
  '/snippets/12': '/-/snippets/12',
  '/snippets/12/raw': '/-/snippets/12/raw',
  '/u/ada': '/ada',
  '/users/ada': '/ada',
  '/users/ada/projects': '/ada',
  '/admin/appearance': '/admin/application_settings/appearance',
  '/admin/health_check': '/admin/system_info',
  '/admin/application_settings/network': '/admin/application_settings',
  '/admin/application_settings/integrations': '/admin/integrations',
  '/-/ide/project/a/b/edit/main/-/src/x.ts': '/a/b/-/edit/main/src/x.ts',
  '/-/ide/project/a/b/tree/main/-/': '/a/b/-/tree/main',
  '/-/ide/project/a/b/merge_requests/4': '/a/b/-/merge_requests/4',
  '/-/ide/project/a/b': '/a/b',
  '/groups/a/b/-/details': '/groups/a/b',
  '/groups/a/-/settings/packages_and_registries': '/groups/a/-/settings/dependency_proxy',
  '/groups/a/b/issues?state=closed': '/groups/a/b/-/issues?state=closed',
  '/groups/a/milestones/2': '/groups/a/-/milestones/2',
  '/groups/a/activity': '/groups/a/-/activity',
  '/a/b/-/tree': '/a/b/-/tree/HEAD',
  '/a/b/-/commits': '/a/b/-/commits/HEAD',
  '/a/b/-/builds/7': '/a/b/-/jobs/7',
  '/a/b/builds/7/raw': '/a/b/-/jobs/7/raw',
  '/a/b/-/branches/all': '/a/b/-/branches',
  '/a/b/-/branches/stale?search=x': '/a/b/-/branches?state=stale&search=x',
  '/a/b/-/tags/v1.0': '/a/b/-/tags?search=%5Ev1.0%24',
  '/a/b/-/tags/old/v1%20+2&3': '/a/b/-/tags?search=%5Eold/v1%20%2B2%263%24',
  '/a/b/-/archive/main.tar.gz': '/a/b/-/archive/main/main.tar.gz',
  '/a/b/-/settings/members': '/a/b/-/project_members',
  '/a/b.git': '/a/b',
  '/a/b/c.wiki.git': '/a/b/c/-/wikis',
  '/a/b/-/cycle_analytics': '/a/b/-/value_stream_analytics',
  '/a/b/-/protected_branches': '/a/b/-/settings/protected_branches',
  '/a/b/deploy_keys': '/a/b/-/settings/deploy_keys',
  '/a/b/-/deployments': '/a/b/-/environments',
  '/a/b/-/incidents': '/a/b/-/issues',
  '/a/b/-/issues/incident/3': '/a/b/-/issues/3',
  '/a/b/-/work_items/3': '/a/b/-/issues/3',
  '/a/b/-/infrastructure_registry': '/a/b/-/packages?package_type=terraform_module',
  '/a/b/-/pipelines/9/builds': '/a/b/-/pipelines/9',
  '/a/b/services/slack/edit': '/a/b/-/settings/integrations/slack/edit',
  '/a/b/-/settings/packages_and_registries': '/a/b/-/settings/repository',
  '/a/b/c/issues/1': '/a/b/c/-/issues/1',
  '/a/b/issues.atom?feed_token=x': '/a/b/-/issues.atom?feed_token=x',
  '/a/b/merge_requests/1.diff': '/a/b/-/merge_requests/1.diff',
  '/a/b/merge_requests/1/diffs': '/a/b/-/merge_requests/1/diffs',
  '/a/b/blob/main/docs%20old/%E2%9C%93.md': '/a/b/-/blob/main/docs%20old/%E2%9C%93.md',
  '/a/b/tree/feature/x/tree': '/a/b/-/tree/feature/x/tree',
  '/a/b/container_registry': '/a/b/-/container_registry',
  '/a/b/edit': '/a/b/-/edit',
  '/a/b/wikis/home/': '/a/b/-/wikis/home',
}

test('each leads to a page that is served, in one step', () => {
  const paths = pathsOf('ultimate', endpoints)
  const rewrites = [...new Set(endpoints.map(({ dialect }) => dialect))].flatMap(({ rewrite }) => (rewrite ? [rewrite] : []))
  for (const [address, now] of Object.entries(led)) {
    assert.equal(presentAddress(address), now, address)
    assert.equal(presentAddress(now), undefined, `${now} is led on`)
    const matched = rewrites.reduce<string | undefined>((found, rewrite) => found ?? rewrite(now), undefined) ?? now
    assert.ok(paths.at(matched)?.path.methods.has('GET'), `${now} is not served`)
  }
})

test('no address that begins one of ours is taken for that of a person', () => {
  const words = new Set(endpoints.flatMap(({ route }) => /^[A-Z]+ \/users\/([a-z_]+)/.exec(route)?.[1] ?? []))
  assert.ok(words.has('sign_up') && words.size > 5)
  for (const word of words) assert.equal(presentAddress(`/users/${word}`), undefined, word)
})

test('other addresses are led nowhere, and none to another host', () => {
  for (const address of [
    '/',
    '/a',
    '/a/b',
    '/a/issues',
    '/groups/a',
    '/groups/issues',
    '/api/v4/issues',
    '/a/b/-/issues/1',
    '/help/tree',
    '/a/b/issuesque',
  ])
    assert.equal(presentAddress(address), undefined, address)
  for (const host of [
    '//evil.example',
    '/\\evil.example',
    '/%2Fevil.example',
    'https://evil.example',
    '/.//evil.example',
    '/..//evil.example',
  ])
    for (const [before, after] of [
      ['/-/ide/project/', '/x/edit/main/-/a'],
      ['/-/ide/project/', '/x'],
      ['/profile/', ''],
      ['/snippets/', ''],
      ['/u/', ''],
      ['/', '/x.git'],
      ['', '/-/tags/x'],
      ['', '/x/issues/1'],
      ['', '/x/-/tree'],
    ]) {
      const now = presentAddress(`${before}${host}${after}`)
      assert.equal(new URL(now ?? '/', 'http://here.example').origin, 'http://here.example', `${before}${host}${after}`)
    }
})

test('a browser is led on; what is private and what is not there look the same; writes are not led', async () => {
  const [owner, by] = await Promise.all([surfer(), scene.user()])
  const project = await by.post('/projects', { name: 'Mill', path: 'mill', visibility: 'public', initialize_with_readme: true })
  const hidden = await by.post('/projects', { name: 'Hidden', path: 'hidden', visibility: 'private' })
  const path: string = project.body.path_with_namespace
  const led = await owner.get(`/${path}/blob/main/README.md?x=1`)
  assert.deepEqual([led.status, led.headers.location], [301, `/${path}/-/blob/main/README.md?x=1`])
  assert.equal((await owner.get(`/${path}/-/blob/main/README.md`)).status, 200)
  const answers = []
  for (const place of [hidden.body.path_with_namespace as string, `${path}-none`]) {
    const answer = await owner.get(`/${place}/issues/1`)
    const next = await owner.get(answer.headers.location as string)
    answers.push([answer.status, (answer.headers.location as string).replace(`/${place}/`, '/'), next.status])
  }
  assert.deepEqual(answers[0], [301, '/-/issues/1', 404])
  assert.deepEqual(answers[1], answers[0])
  assert.equal((await owner.submit(`/${path}/issues/1`, {})).status, 405)
})

test('a group named like a page of a project keeps its address', async () => {
  const [owner, by] = await Promise.all([surfer(), scene.user()])
  const group = await by.post('/groups', { name: 'Top', path: 'led-top', visibility: 'public' })
  await by.post('/groups', { name: 'Below', path: 'below', parent_id: group.body.id, visibility: 'public' })
  await by.post('/groups', { name: 'Labels', path: 'labels', parent_id: group.body.id, visibility: 'public' })
  assert.equal((await owner.get('/groups/led-top/labels')).status, 200)
  assert.equal((await owner.get('/groups/led-top/below/labels')).headers.location, '/groups/led-top/below/-/labels')
})

test('a project and a group are found by their IDs where the caller may see them', async () => {
  const [owner, by] = await Promise.all([surfer(), scene.user()])
  const group = await by.post('/groups', { name: 'Numbers', path: 'numbers', visibility: 'public' })
  const project = await by.post('/projects', { name: 'One', path: 'one', namespace_id: group.body.id, visibility: 'public' })
  const hidden = await by.post('/projects', { name: 'Two', path: 'two', namespace_id: group.body.id, visibility: 'private' })
  for (const place of ['/projects', '/-/p']) {
    const led = await owner.get(`${place}/${project.body.id}`)
    assert.deepEqual([led.status, led.headers.location], [303, '/numbers/one'])
    assert.equal((await owner.get(`${place}/${hidden.body.id}`)).status, 404)
  }
  assert.equal((await owner.get(`/-/g/${group.body.id}`)).headers.location, '/groups/numbers')
  assert.equal((await owner.get('/-/g/999999')).status, 404)
  assert.equal((await owner.get('/projects/new')).status, 200)
})

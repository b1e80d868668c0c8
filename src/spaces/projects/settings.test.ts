/** Every parameter of PUT /projects/:id (document 3 "Project update parameters"; decisions 12, 46). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

const levels = ['disabled', 'private', 'enabled']
const booleans = (...names: string[]) => names.map(name => ({ set: name, values: [true, false], wrong: ['perhaps', [1]] }))
const texts = (...names: string[]) => names.map(name => ({ set: name, values: ['Some text', null], wrong: [['a']] }))

interface Setting {
  readonly set: string
  /** The field that shows it. */
  readonly read?: string
  readonly values: readonly unknown[]
  readonly wrong: readonly unknown[]
}

const settings: readonly Setting[] = [
  { set: 'name', values: ['Another name'], wrong: ['<x>', '', 'x'.repeat(256)] },
  { set: 'path', values: ['another-path'], wrong: ['a b', '', 'tree', 'x.git'] },
  { set: 'description', values: ['About this', null], wrong: ['x'.repeat(2_001)] },
  { set: 'visibility', values: ['internal', 'public', 'private'], wrong: ['secret'] },
  { set: 'merge_method', values: ['rebase_merge', 'ff', 'merge'], wrong: ['octopus'] },
  { set: 'squash_option', values: ['never', 'always', 'default_on', 'default_off'], wrong: ['sometimes'] },
  ...['analytics', 'builds', 'forking', 'issues', 'merge_requests', 'operations', 'repository', 'snippets', 'wiki'].map(feature => ({
    set: `${feature}_access_level`,
    values: levels,
    wrong: ['public', true],
  })),
  ...['pages', 'requirements'].map(feature => ({ set: `${feature}_access_level`, values: [...levels, 'public'], wrong: ['all'] })),
  ...booleans('issues_enabled', 'jobs_enabled', 'merge_requests_enabled', 'snippets_enabled', 'wiki_enabled'),
  ...booleans(
    'allow_merge_on_skipped_pipeline',
    'only_allow_merge_if_pipeline_succeeds',
    'only_allow_merge_if_all_discussions_are_resolved',
    'remove_source_branch_after_merge',
    'resolve_outdated_diff_discussions',
    'printing_merge_request_link_enabled',
    'autoclose_referenced_issues',
    'auto_devops_enabled',
    'ci_forward_deployment_enabled',
    'public_jobs',
    'lfs_enabled',
    'emails_disabled',
    'packages_enabled',
    'request_access_enabled',
    'service_desk_enabled',
    'shared_runners_enabled',
    'show_default_award_emojis',
    'keep_latest_artifact',
    'ci_job_token_scope_enabled',
    'ci_separated_caches',
    'restrict_user_defined_variables',
    'container_registry_enabled',
    'mirror',
    'mirror_overwrites_diverged_branches',
    'mirror_trigger_builds',
    'only_mirror_protected_branches',
  ),
  { set: 'public_builds', read: 'public_jobs', values: [false, true], wrong: ['perhaps'] },
  { set: 'approvals_before_merge', values: [2, 0], wrong: [-1, 'many'] },
  { set: 'auto_cancel_pending_pipelines', values: ['disabled', 'enabled'], wrong: [true, 'sometimes'] },
  { set: 'auto_devops_deploy_strategy', values: ['manual', 'timed_incremental', 'continuous'], wrong: ['never'] },
  { set: 'build_git_strategy', values: ['clone', 'fetch'], wrong: ['none'] },
  { set: 'build_timeout', values: [600, 7_200], wrong: [1, 'long'] },
  { set: 'ci_default_git_depth', values: [0, 20, null], wrong: [-1, 1_001] },
  {
    set: 'ci_config_path',
    values: ['ci/main.yml', 'main.yml@group/project:v1', null],
    wrong: ['/main.yml', 'ci/../../main.yml', 'x'.repeat(256)],
  },
  ...texts('build_coverage_regex', 'suggestion_commit_message', 'external_authorization_classification_label'),
  ...texts('issues_template', 'merge_requests_template'),
  { set: 'topics', values: [['one', 'two'], []], wrong: [['x'.repeat(256)], [{ a: 1 }]] },
  { set: 'tag_list', values: [['three'], []], wrong: [['x'.repeat(256)]] },
]

for (const { set, read = set, values, wrong } of settings)
  test(`${set} is set, stored and shown, and refused if invalid`, async () => {
    const { project, owner } = await scene.project()
    for (const value of values) {
      const answer = await owner.put(project.url, { [set]: value })
      assert.deepEqual([answer.status, answer.body[read]], [200, value])
      assert.deepEqual((await owner.get(project.url)).body[read], value)
    }
    for (const value of wrong) {
      const answer = await owner.put(project.url, { [set]: value })
      assert.deepEqual([answer.status, typeof answer.body.message], [400, 'object'], JSON.stringify(value))
    }
    assert.deepEqual((await owner.get(project.url)).body[read], values.at(-1), 'a refused value leaves the old one')
    const entries: { details: { change?: string; custom_message?: string } }[] = (await owner.get(`${project.url}/audit_events`)).body
    const isLogged = entries.some(({ details }) => details.change !== undefined || /path changed/.test(details.custom_message ?? ''))
    assert.equal(isLogged, !['description', 'topics', 'tag_list'].includes(set), 'a change is in the audit log')
  })

test('mirror_user_id and repository_storage are set by administrators (decision 48)', async () => {
  const { project } = await scene.project()
  const { body } = await scene.root.put(project.url, { mirror_user_id: scene.root.id, repository_storage: 'default' })
  assert.deepEqual([body.mirror_user_id, body.repository_storage], [scene.root.id, 'default'])
  assert.deepEqual((await scene.root.put(project.url, { mirror_user_id: 999_999_999 })).body, {
    message: { mirror_user_id: ['does not exist'] },
  })
})

test('the default branch must exist; README and licence are taken from it', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'README.md': '# One' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'next', ref: 'main' })
  await scene.commit(project, { 'LICENSE.txt': 'All yours.' }, { branch: 'next' })

  assert.equal((await owner.put(project.url, { default_branch: 'nowhere' })).status, 400)
  assert.equal((await owner.get(project.url, { license: true })).body.license, null)
  const { body } = await owner.put(project.url, { default_branch: 'next' })
  assert.deepEqual([body.default_branch, body.readme_url], ['next', `${scene.url}/${project.full_path}/-/blob/next/README.md`])
  assert.equal((await owner.get(project.url, { license: true })).body.license.key, 'other')
})

test('invalid keys of an expiration policy are refused, each under its name', async () => {
  const { project, owner } = await scene.project()
  for (const policy of [{ cadence: 'hourly' }, { older_than: '3d' }, { keep_n: 0 }, { enabled: 'perhaps' }]) {
    const answer = await owner.put(project.url, { container_expiration_policy_attributes: policy })
    assert.equal(answer.status, 400, JSON.stringify(policy))
  }
})

test('each key of an expiration policy that changes is in the audit log', async () => {
  const { project, owner } = await scene.project()
  await owner.put(project.url, { container_expiration_policy_attributes: { enabled: true, keep_n: 10, name_regex_delete: 'dev-.*' } })

  const { body } = await owner.get(`${project.url}/audit_events`)

  const found = body.map(({ details }: { details: { change?: string; from?: string; to?: string } }) => [
    details.change,
    details.from,
    details.to,
  ])
  const about = found.filter(([change]: [string?]) => change?.startsWith('container_expiration_policy'))
  assert.deepEqual(about.sort(), [
    ['container_expiration_policy_enabled', 'false', 'true'],
    ['container_expiration_policy_name_regex', '.*', 'dev-.*'],
  ])
})

/** gitlabracadabra, as Debian packages it: what a file says becomes so, and a second time nothing has to change. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('gitlabracadabra', ['--version'])) ? false : 'gitlabracadabra is not installed on this machine'

const actions = `
application-settings:
  type: application-settings
  default_project_visibility: internal
new-person:
  type: user
  create_object: true
  name: New Person
  email: new-person@example.com
  password: a sentence that nobody guesses
  skip_confirmation: true
  skip_reconfirmation: true
  projects_limit: 7
acme/:
  create_object: true
  description: A group from a file
  visibility: internal
  members:
    new-person: developer
  unknown_members: ignore
  variables:
    - {key: GROUP_KEY, value: from the group}
  labels:
    - {name: everywhere, color: "#112233", description: In all projects}
  milestones:
    - {title: spring, due_date: "2030-05-01"}
acme/site:
  create_object: true
  initialize_with_readme: true
  description: A project from a file
  tag_list: [web, small]
  visibility: internal
  merge_method: ff
  squash_option: always
  only_allow_merge_if_pipeline_succeeds: true
  issues_access_level: private
  build_timeout: 1800
  ci_default_git_depth: 7
  container_expiration_policy: {enabled: true, cadence: 7d, keep_n: 5, older_than: 14d, name_regex_keep: keep}
  branches: [develop]
  protected_branches:
    main: {merge_access_level: maintainer, push_access_level: noone}
    develop: {merge_access_level: developer, push_access_level: developer}
  protected_tags:
    v*: maintainer
  variables:
    - {key: KEY, value: a value, protected: true, masked: false, environment_scope: production}
  labels:
    - {name: bug, color: "#ff0000", priority: 1}
  milestones:
    - {title: first, description: The first, start_date: "2030-01-01"}
  boards:
    - {name: Development, lists: [{label: bug}]}
  webhooks:
    - {url: "https://hooks.example.com/site", push_events: true, issues_events: true, enable_ssl_verification: true}
  pipeline_schedules:
    - {description: nightly, ref: main, cron: "0 1 * * *", active: true, variables: [{key: NIGHT, value: "1"}]}
  groups:
    partners: reporter
`

test('a file of actions is carried out, and has nothing left to do afterwards', { skip }, async () => {
  const { root } = scene
  await scene.group({ path: 'partners', owner: root })
  const file = join(workbench.directory, 'actions.yml')
  await writeFile(file, actions)
  await writeFile(
    join(workbench.directory, '.python-gitlab.cfg'),
    `[global]\ndefault = here\n[here]\nurl = ${scene.url}\nprivate_token = ${root.token}\n`,
  )
  const perform = async () => {
    const { code, stdout, stderr } = await workbench.attempt('gitlabracadabra', ['--verbose', file])
    assert.equal(code, 0, stdout + stderr)
    return (stdout + stderr).split('\n')
  }
  const changed = (lines: readonly string[]) => lines.filter(line => /Changing|Creating|Deleting|Adding|Unable|ERROR|WARNING/.test(line))

  assert.notDeepEqual(changed(await perform()), [])
  // It fills boards, and knows people, that the run before has made.
  assert.notDeepEqual(changed(await perform()), [])
  assert.deepEqual(changed(await perform()), [])

  const project = (await root.get('/projects/acme%2Fsite')).body
  assert.deepEqual(
    [
      project.default_branch,
      project.merge_method,
      project.squash_option,
      project.issues_access_level,
      project.build_timeout,
      project.topics,
    ],
    ['main', 'ff', 'always', 'private', 1800, ['small', 'web']],
  )
  assert.deepEqual([project.container_expiration_policy.name_regex_keep, project.container_expiration_policy.keep_n], ['keep', 5])
  const url = `/projects/${project.id}`
  const listed = async (path: string, ...names: string[]) =>
    ((await root.get(url + path)).body as Record<string, unknown>[]).map(row => names.map(name => row[name]))
  assert.deepEqual(await listed('/variables', 'key', 'value', 'protected', 'environment_scope'), [['KEY', 'a value', true, 'production']])
  assert.deepEqual((await listed('/protected_branches', 'name')).toSorted(), [['develop'], ['main']])
  assert.deepEqual(await listed('/protected_tags', 'name'), [['v*']])
  assert.deepEqual((await listed('/labels', 'name')).toSorted(), [['bug'], ['everywhere']])
  assert.deepEqual(await listed('/hooks', 'url', 'issues_events'), [['https://hooks.example.com/site', true]])
  assert.deepEqual(await listed('/pipeline_schedules', 'description', 'cron'), [['nightly', '0 1 * * *']])
  assert.deepEqual(
    project.shared_with_groups.map((group: { group_full_path: string; group_access_level: number }) => [
      group.group_full_path,
      group.group_access_level,
    ]),
    [['partners', 20]],
  )
  const people = (await root.get('/groups/acme/members')).body as { username: string; access_level: number }[]
  assert.deepEqual(
    people.filter(({ username }) => username === 'new-person').map(({ access_level }) => access_level),
    [30],
  )
})

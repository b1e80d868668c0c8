/**
 * Every change of weight leaves an entry in the audit log: the valid request of each writing endpoint is sent by a caller who may, and must have
 * written one. What needs none is everyday work, by ability, or stands on a list with its reason.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ability } from '../../src/platform/access/abilities.ts'
import { recordStatements } from '../../src/platform/db/statements/statements.ts'
import { isAuditStatement } from '../../src/platform/events/audit/record.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { ablest, openWorld, type Persona, requestFor } from './world.ts'

/** What members do all day. Its history is the activity of the project, system notes and the pipelines themselves. */
const everyday: readonly Ability[] = [
  // Planning
  'create_issue',
  'import_issues',
  'update_issue',
  'admin_issue',
  'subscribe_to_issue',
  'create_note',
  'admin_note',
  'award_emoji',
  'mark_todo',
  'admin_metric_image',
  'admin_label',
  'subscribe_label',
  'admin_milestone',
  'admin_board',
  'admin_group_label',
  'subscribe_group_label',
  'admin_group_milestone',
  'admin_group_board',
  'admin_iteration',
  'create_epic',
  'admin_epic',
  'create_epic_note',
  'admin_epic_note',
  'award_epic_emoji',
  'mark_epic_todo',
  // Merge requests
  'read_merge_request',
  'create_merge_request_from',
  'update_merge_request',
  'admin_merge_request',
  'subscribe_to_merge_request',
  'mark_file_viewed',
  'create_merge_request_note',
  'admin_merge_request_note',
  'award_merge_request_emoji',
  'mark_merge_request_todo',
  // Snippets
  'create_snippet',
  'update_snippet',
  'create_snippet_note',
  'admin_snippet_note',
  'award_snippet_emoji',
  // Code: what is pushed is in the activity of the project; branches and tags that go have entries nevertheless.
  'read_code',
  'push_code',
  'push_to_branch',
  'upload_file',
  'create_commit_note',
  'admin_commit_note',
  // What a wiki was is in its history.
  'create_wiki',
  'admin_wiki',
  'create_group_wiki',
  'admin_group_wiki',
  'star_project',
  'follow_user',
  'choose_project_notifications',
  'choose_group_notifications',
  // CI/CD
  'create_pipeline',
  'update_pipeline',
  'update_job',
  'erase_job',
  'destroy_artifacts',
  'lint_ci',
  'create_commit_status',
  'create_release',
  'create_package',
  'update_release',
  'admin_environment',
  'admin_deployment',
  'destroy_deployment',
  'update_resource_group',
]

const noRights = 'shown beside what it is of, and no right follows from it'
const nothingKept = 'nothing that is kept is changed'
const ofRunners = 'the work of runners, which is in the log of the job'

const ofOneself = 'a list of one’s own, which gives and takes no rights'

/** Endpoints with another ability that need no entry, and why. May only shrink. */
const unaudited: Readonly<Record<string, string>> = {
  'PUT /user/email': 'it is refused to the tokens that are sent here; in a session it is a change of the account, as of PUT /users/:id',
  'POST /projects/:id/push_rule': 'the project of the example has push rules already',
  'POST /groups/:id/push_rule': 'the group of the example has push rules already',
  'POST /admin/push_rule': 'the instance of the example has push rules already',
  'POST /feature_flags/unleash/:project_id/client/register': nothingKept,
  'POST /feature_flags/unleash/:project_id/client/metrics': nothingKept,
  'POST /graphql': 'queries change nothing',
  'POST /:project_path/-/preview': nothingKept,
  'POST /groups/:group_path/-/preview': nothingKept,
  'PUT /projects/:id/repository/branches/:branch/unprotect': 'the branch of the example has no protection',
  'POST /projects/:id/import_project_members/:project_id': 'each member that is added has an entry; the project of the example adds none',
  'POST /import/github': 'the example asks no other server; the project that is made has an entry',
  'POST /bulk_imports': 'each group and project that it makes has an entry, when it is made',
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': 'what was set up before is carried out',
  'PUT /projects/:id/pages/domains/:domain/verify': 'no record proves the domain of the example; one that is proven has an entry',
  'POST /projects/:id/mirror/pull': 'what was set up before is carried out',
  'POST /groups/:id/ldap_group_links': 'the instance of the example has no directory',
  'POST /groups/:id/ldap_sync': 'what was set up before is carried out',
  'POST /projects/:id/unarchive': 'the project of the example is not archived',
  'DELETE /projects/:id/fork': 'the project of the example is no fork',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/take_ownership': 'the schedule of the example is the caller’s already',
  'POST /users/auth/:provider/callback': 'the answer is kept; the sign-in that follows has an entry',
  'POST /users/auth/:provider/logout': 'the example names no session; those that end have an entry',
  'POST /users/auth/:provider': 'the person goes to a provider; the sign-in that comes back has an entry',
  'POST /-/profile/identities/:provider/link': 'the person goes to a provider; the identity that comes back has an entry',
  'POST /oauth/authorize': 'a code opens nothing yet; the token that it becomes has an entry',
  'POST /oauth/revoke': 'the token of the example is unknown',
  'POST /users/:id/activate': 'the account of the example is active already',
  'POST /users/:id/unlock': 'the account of the example is not locked',
  'POST /users/:id/unblock': 'the account of the example is active already',
  'PUT /user/avatar': noRights,
  'PUT /user/preferences': noRights,
  'PUT /user/status': noRights,
  'PUT /notification_settings': ofOneself,
  'POST /-/sent_notifications/:notification_token/unsubscribe': ofOneself,
  'POST /snippets': 'text of one’s own, which gives and takes no rights',
  'PUT /snippets/:id': 'text of one’s own, which gives and takes no rights',
  'POST /groups/:group_path/-/saml/sso': 'the person goes to a provider; the sign-in that comes back has an entry',
  'DELETE /groups/:id/dependency_proxy/cache': 'copies of public images, which the next pull fetches again',
  'POST /:image_name/blobs/uploads': 'what is pushed is in the registry',
  'PATCH /:image_name/blobs/uploads/:upload_id': 'what is pushed is in the registry',
  'PUT /:image_name/blobs/uploads/:upload_id': 'what is pushed is in the registry',
  'DELETE /:image_name/blobs/uploads/:upload_id': 'an upload that was none yet',
  'DELETE /:image_name/blobs/:digest': 'a blob that no manifest names',
  'PUT /:image_name/manifests/:reference': 'what is pushed is in the registry',
  'DELETE /projects/:id/registry/repositories/:repository_id/tags': 'the tags that it removes in the background have an entry',
  'POST /:project_path/-/container_registry/:repository_id/bulk_destroy': 'each tag that it removes has an entry',
  'PUT /projects/:id/packages/npm/:package_name/-rev/:revision':
    'the document of the example leaves no version out; each that is deleted has an entry',
  'DELETE /projects/:id/packages/npm/-/package/:package_name/dist-tags/:tag': 'a name of a version, which stays',
  'POST /projects/:id/terraform/state/:name': 'a version, which is kept with who wrote it',
  'POST /projects/:id/terraform/state/:name/lock': 'a lock, which says who holds it',
  'DELETE /projects/:id/terraform/state/:name/lock': 'a lock, which gives no right',
  'POST /-/incoming_mail': 'a mail becomes a comment or an issue, which are in the activity of the project',
  'POST /-/repositories/:side_path/git-upload-pack': nothingKept,
  'POST /-/repositories/:side_path/git-receive-pack': 'what is pushed is in the history of the repository',
  'PUT /suggestions/:id/apply': 'a commit, which is in the activity of the project',
  'PUT /suggestions/batch_apply': 'a commit, which is in the activity of the project',
  'POST /todos/mark_as_done': noRights,
  'POST /todos/:id/mark_as_done': noRights,
  'POST /topics': noRights,
  'PUT /topics/:id': noRights,
  'DELETE /topics/:id': noRights,
  'POST /topics/merge': noRights,
  'POST /ci/lint': nothingKept,
  'POST /markdown': nothingKept,
  'POST /projects/:id/housekeeping': nothingKept,
  'POST /projects/:id/hooks/:hook_id/test/:trigger': 'a sample to an address that has an entry',
  'POST /groups/:id/hooks/:hook_id/test/:trigger': 'a sample to an address that has an entry',
  'POST /:project_path/-/settings/integrations/:slug/test': 'a sample to an address that has an entry',
  'POST /groups/:group_path/-/settings/integrations/:slug/test': 'a sample to an address that has an entry',
  'POST /admin/integrations/:slug/test': 'a sample to an address that has an entry',
  'POST /hooks/:id': 'a sample to an address that has an entry',
  'POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend': 'sent again to an address that has an entry',
  'POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend': 'sent again to an address that has an entry',
  'POST /hooks/:id/events/:hook_event_id/resend': 'sent again to an address that has an entry',
  'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals': 'a system note tells of it',
  'DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits': 'a system note tells of it',
  'DELETE /projects/:id/releases/:tag_name/assets/links/:link_id': noRights,
  'POST /groups/:id/access_requests': 'it asks; an entry tells of what is given',
  'DELETE /groups/:id/access_requests/:user_id': 'nothing was given',
  'POST /projects/:id/access_requests': 'it asks; an entry tells of what is given',
  'DELETE /projects/:id/access_requests/:user_id': 'nothing was given',
  ...Object.fromEntries(
    (['projects', 'groups'] as const).flatMap(places => [
      [`POST /${places}/:id/badges`, noRights],
      [`PUT /${places}/:id/badges/:badge_id`, noRights],
      [`DELETE /${places}/:id/badges/:badge_id`, noRights],
    ]),
  ),
  ...Object.fromEntries(
    (['users', 'projects', 'groups'] as const).flatMap(places => [
      [`PUT /${places}/:id/custom_attributes/:key`, noRights],
      [`DELETE /${places}/:id/custom_attributes/:key`, noRights],
    ]),
  ),
  'POST /projects/:id/trigger/pipeline': 'the pipeline shows the trigger and for whom it runs',
  'POST /projects/:id/ref/:ref/trigger/pipeline': 'the pipeline shows the trigger and for whom it runs',
  'POST /jobs/request': ofRunners,
  'PUT /jobs/:id': ofRunners,
  'PATCH /jobs/:id/trace': ofRunners,
  'POST /jobs/:id/artifacts': ofRunners,
  'POST /jobs/:id/artifacts/authorize': ofRunners,
  'POST /runners/verify': ofRunners,
  'POST /oauth/introspect': nothingKept,
  'POST /oauth/userinfo': nothingKept,
  'POST /oauth/authorize_device': 'a code opens nothing yet; the token that it becomes has an entry',
  'POST /oauth/device': 'an answer opens nothing yet; the token that it becomes has an entry',
  'POST /-/profile/export/open': nothingKept,
  'POST /-/profile/preferences': nothingKept,
  'POST /-/broadcast_messages/:id/dismiss': nothingKept,
  'POST /-/first_steps/hide': nothingKept,
  'POST /dashboard/todos/:id/restore': ofOneself,
  'POST /dashboard/todos/:id/snooze': ofOneself,
  'POST /dashboard/todos/done': ofOneself,
  'POST /dashboard/todos/snooze': ofOneself,
  'POST /users/impersonation/stop': 'the caller of the example acts as nobody else',
  'POST /admin/session': 'the instance of the examples has no admin mode; entering it has an entry',
  'POST /admin/session/destroy': 'the instance of the examples has no admin mode; leaving it has an entry',
  'PATCH /users/:id/disable_two_factor': 'the user of the example has no second factor',
  'POST /users/passkeys': 'the example is no passkey; a sign-in has an entry',
  'POST /users/two_factor/key': 'nothing waits for a second factor; a sign-in has an entry',
  'POST /users/two_factor': 'nothing waits for a second factor; a sign-in has an entry',
  'POST /oauth/token': 'the example is an application that acts for itself; grants of people have entries',
}

/** Values that change something where those of the example change nothing. */
const changing: Readonly<Record<string, object>> = {
  'PUT /users/:id': { admin: true },
  'PUT /user': { name: 'Another Name' },
  'PUT /broadcast_messages/:id': { message: 'Another message' },
  'PUT /projects/:id': { merge_method: 'ff' },
  'PUT /groups/:id': { membership_lock: true },
  'POST /projects/:id/approvals': { require_password_to_approve: true },
  'PUT /projects/:id/members/:user_id': { access_level: 30 },
  'PUT /groups/:id/members/:user_id': { access_level: 20 },
  'PUT /projects/:id/invitations/:email': { access_level: 20 },
  'PUT /groups/:id/invitations/:email': { access_level: 20 },
  'PUT /projects/:id/approval_rules/:approval_rule_id': { approvals_required: 2 },
  'PUT /projects/:id/deploy_keys/:key_id': { title: 'Another title' },
  'PUT /projects/:id/hooks/:hook_id': { url: 'https://other.example.com/hook' },
  'PUT /groups/:id/hooks/:hook_id': { url: 'https://other.example.com/hook' },
  'PUT /hooks/:id': { url: 'https://other.example.com/hook' },
  'PUT /projects/:id/services/:slug': { external_wiki_url: 'https://other.example.com/wiki' },
  'PUT /projects/:id/integrations/:slug': { external_wiki_url: 'https://another.example.com/wiki' },
  'PUT /groups/:id/integrations/:slug': { external_wiki_url: 'https://other.example.com/wiki' },
  'PUT /admin/integrations/:slug': { external_wiki_url: 'https://other.example.com/wiki' },
  'PUT /projects/:id/variables/:key': { value: 'another value' },
  'PUT /groups/:id/variables/:key': { value: 'another value' },
  'PUT /admin/ci/variables/:key': { value: 'another value' },
  'PUT /projects/:id/clusters/:cluster_id': { name: 'another name' },
  'PUT /projects/:id/debian_distributions/:codename': { label: 'team' },
  'PUT /groups/:id/-/debian_distributions/:codename': { label: 'team' },
  'PUT /groups/:id/clusters/:cluster_id': { name: 'another name' },
  'PUT /admin/clusters/:cluster_id': { name: 'another name' },
  'PUT /projects/:id/triggers/:trigger_id': { description: 'Another description' },
  'PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id': { description: 'Another description' },
  'PATCH /projects/:id/packages/protection/rules/:package_protection_rule_id': { minimum_access_level_for_push: 'admin' },
  'PATCH /projects/:id/registry/protection/repository/rules/:protection_rule_id': { minimum_access_level_for_push: 'admin' },
  'PATCH /projects/:id/registry/protection/tag/rules/:protection_rule_id': { minimum_access_level_for_push: 'admin' },
  'PUT /projects/:id/freeze_periods/:freeze_period_id': { freeze_start: '1 2 * * 3' },
  'PUT /projects/:id/remote_mirrors/:mirror_id': { keep_divergent_refs: true },
  'PUT /projects/:id/mirror/pull': { mirror_trigger_builds: true },
  'PUT /projects/:id/pages/domains/:domain': { auto_ssl_enabled: true },
  'PUT /projects/:id/push_rule': { max_file_size: 200 },
  'PUT /projects/:id/service_desk': { tickets_confidential_by_default: false },
  'PUT /groups/:id/push_rule': { max_file_size: 200 },
  'PUT /admin/push_rule': { max_file_size: 200 },
  'PUT /projects/:id/feature_flags/:feature_flag_name': { description: 'Another description' },
  'PUT /projects/:id/feature_flags_user_lists/:iid': { name: 'others' },
  'PUT /projects/:id/protected_environments/:name': { deploy_access_levels: [{ access_level: 60 }] },
  'PUT /groups/:id/protected_environments/:name': { deploy_access_levels: [{ access_level: 60 }] },
  'PUT /runners/:id': { description: 'Another description' },
  'PUT /application/appearance': { title: 'Ours' },
  'PUT /application/settings': { default_project_visibility: 'public' },
  'PUT /applications/:id': { name: 'Another name' },
  'PUT /application/plan_limits': { plan_name: 'default', ci_instance_level_variables: 3 },
  'PATCH /groups/:group_path/Users/:id': { Operations: [{ op: 'replace', path: 'name.formatted', value: 'Another Name' }] },
}

const world = await openWorld()

// A form or button runs the declaration of an endpoint, which is tried itself.
const writing = endpoints.filter(({ method, shows }) => method !== 'GET' && shows === undefined)

/** Who sends the request, the ablest first: some endpoints are for one of them alone. */
const senders = (endpoint: Endpoint): Persona[] => [ablest(endpoint), 'owner', 'maintainer', 'developer', 'job', 'outsider', 'anonymous']

/** Whether the first request that succeeds writes an entry; undefined where none does. */
async function isAudited(endpoint: Endpoint): Promise<boolean | undefined> {
  for (const persona of senders(endpoint)) {
    const { body, ...request } = requestFor(world, endpoint, persona, 'private')
    const sent = { ...request, ...((body ?? changing[endpoint.route]) && { body: { ...body, ...changing[endpoint.route] } }) }
    const { result, statements } = await recordStatements(() => world.send(persona, body instanceof Buffer ? { ...request, body } : sent))
    if (result.status < 400) return statements.some(isAuditStatement)
  }
  return undefined
}

const outcomes = new Map<Endpoint, boolean | undefined>()
for (const endpoint of writing) outcomes.set(endpoint, await isAudited(endpoint))

test('every write that is no everyday work leaves an entry in the audit log', () => {
  const missing = writing.filter(
    endpoint => outcomes.get(endpoint) !== true && !everyday.includes(endpoint.can) && !(endpoint.route in unaudited),
  )
  assert.deepEqual(
    missing.map(({ route, can }) => `${route} (${can})`),
    [],
    'you are here because these writes leave nothing in the audit log: record an event that has a rule in src/platform/events/audit, or say in `unaudited` why there is nothing to tell',
  )
})

test('every exception is needed', () => {
  const needless = Object.keys(unaudited).filter(route => {
    const endpoint = writing.find(candidate => candidate.route === route)
    return !endpoint || outcomes.get(endpoint) === true || everyday.includes(endpoint.can)
  })
  assert.deepEqual(needless, [], 'these endpoints are gone, or leave entries: remove them from `unaudited`')
})

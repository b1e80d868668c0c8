/**
 * What makes a valid request of a declaration: ids for the scopes of paths, and parameters where the `examples` of the
 * required ones do not suffice. Who adds a scope adds a line to `scopes`; `parameters` and `paths` may only shrink, and
 * a line that is not needed fails access.test.ts.
 */
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { lfsExample, recipeExample } from './bodies.ts'
import { accountScopes } from './examples_of_accounts.ts'
import { hookScopes } from './examples_of_hooks.ts'
import { integrationParameters, integrationScopes } from './examples_of_integrations.ts'
import { itemScopes } from './examples_of_items.ts'
import { pageParameters, pagePaths, pageScopes } from './examples_of_pages.ts'
import { imageExample, imageOf } from './images.ts'
import { migrationScopes } from './migrations.ts'
import type { Persona, Place, Things, Visibility, World } from './world.ts'

/** What a line can take its ids from. */
export interface Where {
  readonly world: World
  readonly place: Place
  /** What the caller owns; for callers without an account, what the administrator owns. */
  readonly own: Things
}

type Values = Record<string, string | number>

/** Values for the path parameters that a scope reads, by the scope's name. */
const scopes: Readonly<Record<string, (where: Where) => Things>> = {
  ...pageScopes,
  ...hookScopes,
  ...integrationScopes,
  ...accountScopes,
  ...itemScopes,
  ...migrationScopes,
  inInstance: () => ({}),
  inSelf: () => ({}),
  inMonitoring: () => ({}),
  inIncomingMail: () => ({}),
  inGroup: ({ place }) => ({ id: place.group.id }),
  inProject: ({ place }) => ({ id: place.project.id }),
  inConanRecipe: ({ place }) => ({ id: place.project.id, ...recipeExample }),
  inInstanceRecipe: ({ place }) => ({ ...recipeExample, package_username: place.project.full_path.replaceAll('/', '+') }),
  inForkSource: ({ world, place }) => ({ id: place.project.id, forked_from_id: world.things.upstream as number }),
  inGroupMember: ({ place }) => ({ id: place.group.id, user_id: place.things.member as number }),
  inProjectMember: ({ place }) => ({ id: place.project.id, user_id: place.things.member as number }),
  inGroupCustomAttribute: ({ place }) => ({ id: place.group.id, key: 'key-1' }),
  inProjectCustomAttribute: ({ place }) => ({ id: place.project.id, key: 'key-1' }),
  inQueuedJob: ({ world }) => ({ job_id: world.things.failed_job as number }),
  inFailedJob: ({ world }) => ({ job_id: world.things.failed_job as number }),
  inBroadcastMessage: ({ world }) => ({ id: world.things.message as number }),
  inTopic: ({ world }) => ({ id: world.things.topic as number }),
  inLicense: () => ({ key: 'mit' }),
  inCatalogue: () => ({ type: 'dockerfiles' }),
  inTemplate: () => ({ type: 'dockerfiles', key: 'Node' }),
  inProjectTemplates: ({ place }) => ({ id: place.project.id, type: 'issues' }),
  inProjectTemplate: ({ place }) => ({ id: place.project.id, type: 'issues', name: 'template-1' }),
  inGroupAccessToken: ({ place }) => ({ id: place.group.id, token_id: place.things.group_token as number }),
  inGroupInvitation: ({ place }) => ({ id: place.group.id, email: 'invited-1@example.com' }),
  inProjectInvitation: ({ place }) => ({ id: place.project.id, email: 'invited-1@example.com' }),
  inGroupBadge: ({ place }) => ({ id: place.group.id, badge_id: place.things.group_badge as number }),
  inProjectBadge: ({ place }) => ({ id: place.project.id, badge_id: place.things.project_badge as number }),
  inGroupAccessRequest: ({ place }) => ({ id: place.group.id, user_id: place.things.asking as number }),
  inProjectAccessRequest: ({ place }) => ({ id: place.project.id, user_id: place.things.asking as number }),
  inListedProject: ({ place }) => ({ id: place.project.id, target_project_id: place.things.listed_project as number }),
  inListedGroup: ({ place }) => ({ id: place.project.id, target_group_id: place.things.listed_group as number }),
  inProjectShare: ({ place }) => ({ id: place.project.id, group_id: place.things.invited_group as number }),
  inGroupShare: ({ place }) => ({ id: place.group.id, group_id: place.things.invited_group as number }),
  inNamespace: ({ place }) => ({ id: place.group.id }),
  inPath: ({ place }) => ({ id: place.group.full_path }),
  inProjectAlias: () => ({ name: 'alias-1' }),
  inFeature: () => ({ name: 'example' }),
  inApplication: ({ world }) => ({ id: world.things.application as number }),
  inSamlProvider: ({ place }) => ({ id: place.group.id }),
  inScimToken: ({ place }) => ({ id: place.group.id }),
  inScimGroup: ({ place }) => ({ group_path: place.group.full_path }),
  inScimUser: ({ place }) => ({ group_path: place.group.full_path, id: 'provisioned-1' }),
  inScimRecord: ({ place }) => ({ group_path: place.group.full_path, id: 'provisioned-1' }),
  inAuditEvent: ({ world }) => ({ audit_event_id: world.places.private.things.audit_event as number }),
  inProjectAuditEvent: ({ place }) => ({ id: place.project.id, audit_event_id: place.things.project_audit_event as number }),
  inGroupAuditEvent: ({ place }) => ({ id: place.group.id, audit_event_id: place.things.audit_event as number }),
  inProjectAccessToken: ({ place }) => ({ id: place.project.id, token_id: place.things.project_token as number }),
  inOwnTodo: ({ own }) => ({ id: own.todo as number }),
  inInstanceVariable: () => ({ key: 'KEY_1' }),
  inGroupVariable: ({ place }) => ({ id: place.group.id, key: 'KEY_1' }),
  inProjectVariable: ({ place }) => ({ id: place.project.id, key: 'KEY_1' }),
  inInstanceCluster: ({ world }) => ({ cluster_id: world.things.cluster as number }),
  inGroupCluster: ({ place }) => ({ id: place.group.id, cluster_id: place.things.group_cluster as number }),
  inProjectCluster: ({ place }) => ({ id: place.project.id, cluster_id: place.things.project_cluster as number }),
  inLdapLinks: ({ place }) => ({ id: place.group.id, cn: 'group-0' }),
  inLdapLink: ({ place }) => ({ id: place.group.id, provider: 'ldapmain', cn: 'group-1' }),
  inDirectory: () => ({ provider: 'ldapmain' }),
  inDeployment: ({ place }) => ({ id: place.project.id, deployment_id: place.things.deployment as number }),
  inProtectingGroup: ({ place }) => ({ id: place.group.id }),
  inProjectProtectedEnvironment: ({ place }) => ({ id: place.project.id, name: 'guarded/1' }),
  inGroupProtectedEnvironment: ({ place }) => ({ id: place.group.id, name: 'staging' }),
  inRemoteMirror: ({ place }) => ({ id: place.project.id, mirror_id: place.things.remote_mirror as number }),
  inPackageRule: ({ place }) => ({ id: place.project.id, package_protection_rule_id: place.things.package_rule as number }),
  inTagRule: ({ place }) => ({ id: place.project.id, protection_rule_id: place.things.tag_rule as number }),
  inImageRule: ({ place }) => ({ id: place.project.id, protection_rule_id: place.things.image_rule as number }),
  inFreezePeriod: ({ place }) => ({ id: place.project.id, freeze_period_id: place.things.freeze_period as number }),
  inRuledProject: ({ place }) => ({ id: place.project.id }),
  inProjectPushRule: ({ place }) => ({ id: place.project.id }),
  inRuledGroup: ({ place }) => ({ id: place.group.id }),
  inGroupPushRule: ({ place }) => ({ id: place.group.id }),
  inRuledInstance: () => ({}),
  inInstancePushRule: () => ({}),
  inSiteDomain: ({ place }) => ({ id: place.project.id, domain: `www-1.${place.project.id}.example.org` }),
  inFeatureFlag: ({ place }) => ({ id: place.project.id, feature_flag_name: 'flag_1' }),
  inFlagUserList: ({ place }) => ({ id: place.project.id, iid: 1 }),
  inUnleash: ({ place }) => ({ project_id: place.project.id }),
  inRunner: ({ world }) => ({ id: world.things.runner as number }),
  inManagedRunner: ({ place }) => ({ id: place.things.project_runner as number }),
  inProjectRunner: ({ place }) => ({ id: place.project.id, runner_id: place.things.lent_runner as number }),
  inAssignedJob: ({ place }) => ({ id: place.things.running_job as number }),
  inEnvironment: ({ place }) => ({ id: place.project.id, environment_id: place.things.environment as number }),
  inPipeline: ({ place }) => ({ id: place.project.id, pipeline_id: place.things.pipeline as number }),
  inResourceGroup: ({ place }) => ({ id: place.project.id, key: 'machine-1' }),
  inAgent: ({ place }) => ({ id: place.project.id, agent_id: place.things.agent as number }),
  inArchive: ({ place }) => ({ id: place.project.id, job_id: place.things.archived_job as number }),
  inArtifact: ({ place }) => ({ id: place.project.id, artifact_id: place.things.artifact as number }),
  inArtifactsRef: ({ place }) => ({ id: place.project.id, ref_name: 'main' }),
  inJob: ({ place }) => ({ id: place.project.id, job_id: place.things.job as number }),
  inJobOrBridge: ({ place }) => ({ id: place.project.id, job_id: place.things.job as number }),
  inOwnJob: () => ({}),
  inProtectedBranch: ({ place }) => ({ id: place.project.id, name: 'stable-1' }),
  inProtectedTag: ({ place }) => ({ id: place.project.id, name: 'final-1' }),
  inRepository: ({ place }) => ({ id: place.project.id }),
  inCommit: ({ place }) => ({ id: place.project.id, sha: place.things.commit as string }),
  inBlob: ({ place }) => ({ id: place.project.id, sha: place.things.blob as string }),
  inBranch: ({ place }) => ({ id: place.project.id, branch: 'topic-1' }),
  inSchedule: ({ place }) => ({ id: place.project.id, pipeline_schedule_id: place.things.schedule as number }),
  inScheduleVariable: ({ place }) => ({ id: place.project.id, pipeline_schedule_id: place.things.schedule as number, key: 'KEY_1' }),
  inTrigger: ({ place }) => ({ id: place.project.id, trigger_id: place.things.trigger as number }),
  inTriggered: ({ place }) => ({ id: place.project.id }),
  inImage: ({ place }) => ({ image_name: imageOf(place) }),
  inProxied: ({ place }) => ({ group_path: place.group.full_path, image_name: 'alpine' }),
  inImageRepository: ({ place }) => ({ image_name: imageOf(place) }),
  inImageBlob: ({ place }) => ({ image_name: imageOf(place), digest: imageExample.loose }),
  inImageManifest: ({ place }) => ({ image_name: imageOf(place), reference: imageExample.manifest }),
  inImageUpload: ({ place }) => ({ image_name: imageOf(place), upload_id: place.things.image_upload as string }),
  inRegistry: ({ place }) => ({ id: place.project.id }),
  inContainerRepository: ({ place }) => ({ id: place.project.id, repository_id: place.things.container_repository as number }),
  inContainerTag: ({ place }) => ({ id: place.project.id, repository_id: place.things.container_repository as number, tag_name: 'tag-1' }),
  inAnyContainerRepository: ({ place }) => ({ id: place.things.container_repository as number }),
  inProjectDistribution: ({ place }) => ({ id: place.project.id, codename: 'sid' }),
  inGroupDistribution: ({ place }) => ({ id: place.group.id, codename: 'sid' }),
  inProjectDistributionFolder: ({ place }) => ({ id: place.project.id, distribution: 'sid' }),
  // The project is in the addresses of the pool alone.
  inGroupDistributionFolder: ({ place }) => ({ id: place.group.id, distribution: 'sid', project_id: place.project.id }),
  inPackages: ({ place }) => ({ id: place.project.id }),
  inPackage: ({ place }) => ({ id: place.project.id, package_id: place.things.package as number }),
  inPackageFile: ({ place: { project, things } }) => ({
    id: project.id,
    package_id: things.package as number,
    package_file_id: things.package_file as number,
  }),
  inModule: ({ place }) => ({ id: place.project.id, module_name: 'example.com/thing' }),
  inModuleVersion: ({ place }) => ({ id: place.project.id, module_name: 'example.com/thing', module_version: 'v0.9.0' }),
  inPackageFilePage: ({ place }) => ({ project_path: place.project.full_path, package_file_id: place.things.package_file as number }),
  inTerraformState: ({ place }) => ({ id: place.project.id, name: 'production' }),
  inTerraformStateVersion: ({ place }) => ({ id: place.project.id, name: 'production', serial: 1 }),
  inRelease: ({ place }) => ({ id: place.project.id, tag_name: 'v0.1' }),
  inReleaseLink: ({ place }) => ({ id: place.project.id, tag_name: 'v0.1', link_id: place.things.release_link as number }),
  inReleasePage: ({ place }) => ({ project_path: place.project.full_path, tag_name: 'v0.1' }),
  inMergeRequestText: ({ place }) => ({ project_path: place.project.full_path, merge_request_iid: 1 }),
  inTag: ({ place }) => ({ id: place.project.id, tag_name: 'v0.1' }),
  inFilePath: ({ place }) => ({ id: place.project.id, file_path: 'README.md' }),
  inProjectWiki: ({ place }) => ({ id: place.project.id }),
  inGroupWiki: ({ place }) => ({ id: place.group.id }),
  inProjectWikiPage: ({ place }) => ({ id: place.project.id, slug: 'home' }),
  inGroupWikiPage: ({ place }) => ({ id: place.group.id, slug: 'home' }),
  inSideRepository: ({ place }) => ({ side_path: `${place.project.full_path}.wiki.git` }),
  inGitRepository: ({ place }) => ({ repository_path: `${place.project.full_path}.git` }),
  inProjectAvatar: ({ place }) => ({ id: place.project.id }),
  inGroupAvatar: ({ place }) => ({ id: place.group.id }),
  inProjectAvatarFile: ({ place }) => ({ id: place.project.id, filename: 'dot.gif' }),
  inGroupAvatarFile: ({ place }) => ({ id: place.group.id, filename: 'dot.gif' }),
  inAppearanceImage: () => ({ kind: 'logo', filename: 'dot.gif' }),
  inTopicAvatarFile: ({ world }) => ({ id: world.things.topic as number, filename: 'dot.gif' }),
  inUserAvatarFile: ({ world }) => ({ id: world.other.id, filename: 'dot.gif' }),
  inUpload: ({ place }) => ({ id: place.project.id, secret: place.things.upload_secret as string, filename: 'notes.txt' }),
  inUploadById: ({ place }) => ({ id: place.project.id, upload_id: place.things.upload as number }),
  inUploadPath: ({ place }) => ({
    project_path: place.project.full_path,
    secret: place.things.upload_secret as string,
    filename: 'notes.txt',
  }),
  inInstanceDeployKey: ({ place }) => ({ key_id: place.things.deploy_key as number }),
  inDeployKey: ({ place }) => ({ id: place.project.id, key_id: place.things.deploy_key as number }),
  inProjectDeployToken: ({ place }) => ({ id: place.project.id, token_id: place.things.deploy_token as number }),
  inGroupDeployToken: ({ place }) => ({ id: place.group.id, token_id: place.things.group_deploy_token as number }),
  inLfs: ({ place }) => ({ repository_path: `${place.project.full_path}.git` }),
  inLfsObject: ({ place }) => ({ repository_path: `${place.project.full_path}.git`, oid: lfsExample.oid }),
  inLfsUpload: ({ place }) => ({ repository_path: `${place.project.full_path}.git`, ...lfsExample }),
  inLfsLock: ({ place }) => ({ repository_path: `${place.project.full_path}.git`, lock_id: place.things.lfs_lock as number }),
  inKey: ({ world }) => ({ id: world.things.key as number }),
  inOwnGpgKey: ({ own }) => ({ key_id: own.gpg_key as number }),
  inUserGpgKey: ({ world }) => ({ user_id: world.other.id, key_id: world.things.gpg_key as number }),
  inOwnGrant: ({ own }) => ({ id: own.oauth_grant as number }),
  inOwnKey: ({ own }) => ({ key_id: own.key as number }),
  inUserKey: ({ world }) => ({ user_id: world.other.id, key_id: world.things.key as number }),
  inOwnEmail: ({ own }) => ({ email_id: own.email as number }),
  inUserEmail: ({ world }) => ({ user_id: world.other.id, email_id: world.things.email as number }),
}

/** Path values of single endpoints: where the scope's example is in the wrong state for it. */
export const paths: Readonly<Record<string, (where: Where) => Values>> = {
  'GET /projects/:id/merge_requests/:merge_request_iid/pipelines': ({ place }) => ({
    id: place.project.id,
    merge_request_iid: place.things.tested_merge_request as number,
  }),
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': ({ place }) => ({
    id: place.project.id,
    merge_request_iid: place.things.tested_merge_request as number,
  }),
  'POST /projects/:id/jobs/:job_id/play': ({ place }) => ({ id: place.project.id, job_id: place.things.manual_job as number }),
  'POST /projects/:id/jobs/:job_id/cancel': ({ place }) => ({ id: place.project.id, job_id: place.things.manual_job as number }),
  ...pagePaths,
  'POST /projects/:id/repository/files/:file_path': ({ place }) => ({ id: place.project.id, file_path: 'docs/new.md' }),
  'GET /projects/:id/jobs/:job_id/trace': ({ place }) => ({ id: place.project.id, job_id: place.things.job_with_log as number }),
  'POST /groups/:id/restore': ({ place }) => ({ id: place.things.marked_group as number }),
  'POST /projects/:id/restore': ({ place }) => ({ id: place.things.marked_project as number }),
  'GET /jobs/:id/artifacts': ({ place }) => ({ id: place.things.archived_job as number }),
  'POST /users/:id/unban': ({ world }) => ({ id: world.things.banned_user as number }),
  'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': ({ place }) => ({ id: place.project.id, merge_request_iid: 2 }),
  'POST /users/:id/reject': ({ world }) => ({ id: world.things.waiting_user as number }),
  'POST /users/:id/approve': ({ world }) => ({ id: world.things.waiting_user as number }),
}

const seenByNpm = ({ place }: { readonly place: Place }) => ({ revision: place.things.npm_revision })

/** Parameters of single endpoints: rules that the examples of required parameters cannot satisfy. */
export const parameters: Readonly<Record<string, (where: Omit<Where, 'own'>) => Record<string, unknown>>> = {
  'POST /:repository_path/info/lfs/objects/verify': () => lfsExample,
  ...pageParameters,
  ...integrationParameters,
  'POST /projects/:id/trigger/pipeline': ({ place }) => ({ token: place.things.trigger_token, ref: 'ci' }),
  'POST /projects/:id/ref/:ref/trigger/pipeline': ({ place }) => ({ token: place.things.trigger_token, ref: 'ci' }),
  'POST /groups/:id/ldap_group_links': () => ({ cn: 'developers' }),
  'DELETE /groups/:id/ldap_group_links': () => ({ cn: 'group-2' }),
  'PUT /projects/:id/releases/:tag_name': () => ({ name: 'One' }),
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': () => ({ name: 'Handbook' }),
  'POST /projects/:id/releases': () => ({ ref: 'main' }),
  'POST /users': () => ({ password: 'correct horse battery staple' }),
  'POST /projects': () => ({ name: 'Deploy tool' }),
  'POST /projects/user/:user_id': () => ({ name: 'Deploy tool' }),
  'PATCH /projects/:id/protected_branches/:name': () => ({ allow_force_push: true }),
  'POST /groups/:id/projects/:project_id': ({ world }) => ({ project_id: world.things.other_project }),
  'POST /groups/:id/transfer': ({ world }) => ({ group_id: world.things.other_group }),
  'POST /projects/:id/job_token_scope/allowlist': ({ world }) => ({ target_project_id: world.things.other_project }),
  'POST /projects/:id/job_token_scope/groups_allowlist': ({ world }) => ({ target_group_id: world.things.other_group }),
  'POST /projects/:id/share': ({ world }) => ({ group_id: world.things.other_group }),
  'POST /groups/:id/share': ({ world }) => ({ group_id: world.things.other_group }),
  'POST /projects/:id/repository/commits/:sha/cherry_pick': () => ({ branch: 'behind' }),
  'POST /projects/:id/deployments': ({ place }) => ({ sha: place.things.commit }),
  'PUT /projects/:id/labels': () => ({ name: 'urgency:1', color: 'red' }),
  'PUT /projects/:id/labels/:label_id': () => ({ color: 'red' }),
  'DELETE /projects/:id/labels': () => ({ name: 'urgency:1' }),
  'PUT /groups/:id/labels': () => ({ name: 'urgency:1', color: 'red' }),
  'PUT /groups/:id/labels/:label_id': () => ({ color: 'red' }),
  'DELETE /groups/:id/labels': () => ({ name: 'urgency:1' }),
  'POST /projects/:id/boards/:board_id/lists': ({ place }) => ({ label_id: place.things.project_spare_label }),
  'POST /groups/:id/boards/:board_id/lists': ({ place }) => ({ label_id: place.things.group_spare_label }),
  'POST /:project_path/-/boards/:board_id/lists/new': ({ place }) => ({ label_id: place.things.project_spare_label }),
  'POST /groups/:group_path/-/boards/:board_id/lists/new': ({ place }) => ({ label_id: place.things.group_spare_label }),
  'POST /:project_path/-/boards/:board_id/lists/:list_id/edit': () => ({ position: 0 }),
  'POST /groups/:group_path/-/boards/:board_id/lists/:list_id/edit': () => ({ position: 0 }),
  'POST /groups/:group_path/-/boards/:board_id/columns/:column/issues': ({ place }) => ({ project_id: place.project.id }),
  'PUT /projects/:id/boards/:board_id/lists/:list_id': () => ({ position: 0 }),
  'PUT /groups/:id/boards/:board_id/lists/:list_id': () => ({ position: 0 }),
  'POST /projects/:id/approvals': () => ({ reset_approvals_on_push: true }),
  'PUT /projects/:id/issues/:issue_iid': () => ({ title: 'Paint the fence' }),
  'PUT /projects/:id/merge_requests/:merge_request_iid': () => ({ title: 'Paint the fence' }),
  'PUT /projects/:id/issues/:issue_iid/reorder': ({ place }) => ({ move_after_id: place.things.issue }),
  'PUT /projects/:id/issues/:issue_iid/notes/:note_id': () => ({ body: 'Sounds better' }),
  'POST /projects/:id/merge_requests/:merge_request_iid/context_commits': ({ place }) => ({ commits: [place.things.commit] }),
  'DELETE /projects/:id/merge_requests/:merge_request_iid/context_commits': ({ place }) => ({ commits: [place.things.commit] }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id': () => ({ resolved: true }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': () => ({ note: 'Sounds better' }),
  'PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id': () => ({ body: 'Sounds better' }),
  'PUT /projects/:id/snippets/:snippet_id/notes/:note_id': () => ({ body: 'Sounds better' }),
  'POST /snippets': () => ({ files: [{ file_path: 'prune.sh', content: 'git fetch --prune' }] }),
  'POST /projects/:id/snippets': () => ({ files: [{ file_path: 'prune.sh', content: 'git fetch --prune' }] }),
  'PUT /snippets/:id': () => ({ title: 'How to tidy up' }),
  'PUT /projects/:id/snippets/:snippet_id': () => ({ title: 'How to tidy up' }),
  'PUT /groups/:id/epics/:epic_id/notes/:note_id': () => ({ body: 'Sounds better' }),
  'PUT /projects/:id/wikis/:slug': () => ({ content: 'Changed' }),
  'PUT /groups/:id/wikis/:slug': () => ({ content: 'Changed' }),
  'PUT /projects/:id/issues/:issue_iid/metric_images/:image_id': () => ({ url: 'https://example.com/load' }),
  'POST /projects/:id/issues/:issue_iid/links': ({ place }) => ({ target_project_id: place.project.id, target_issue_iid: 10 }),
  'POST /projects/:id/issues/:issue_iid/move': ({ world }) => ({ to_project_id: world.things.other_project }),
  'DELETE /projects/:id/registry/repositories/:repository_id/tags': () => ({ name_regex_delete: 'dev-.*' }),
  'POST /projects/:id/debian_distributions': () => ({ codename: 'trixie' }),
  'POST /groups/:id/-/debian_distributions': () => ({ codename: 'trixie' }),
  'PUT /projects/:id/packages/debian/:file_name': () => ({ file_name: 'thing_2.0.0_amd64.deb' }),
  'PUT /projects/:id/packages/npm/:package_name/-rev/:revision': seenByNpm,
  'DELETE /projects/:id/packages/npm/:package_name/-rev/:revision': seenByNpm,
  'DELETE /projects/:id/packages/npm/:package_name/-/:file_name/-rev/:revision': seenByNpm,
  'POST /projects/:id/packages/protection/rules': () => ({ minimum_access_level_for_push: 'maintainer' }),
  'POST /projects/:id/registry/protection/repository/rules': ({ place }) => ({
    repository_path_pattern: `${place.project.full_path}*`,
    minimum_access_level_for_push: 'maintainer',
  }),
  'POST /projects/:id/packages/composer': () => ({ tag: 'v0.9.0' }),
  'GET /group/:id/-/packages/composer/p2/*package_name': ({ place }) => ({ package_name: `team/thing-${place.project.id}.json` }),
  'GET /group/:id/-/packages/composer/*package_name': ({ place }) => ({
    package_name: `team/thing-${place.project.id}$${'a'.repeat(64)}.json`,
  }),
  'GET /projects/:id/packages/composer/archives/*package_name': ({ place }) => ({
    package_name: `team/thing-${place.project.id}.zip`,
    sha: place.things.package_commit,
  }),
  // Artifacts are named like their project there.
  'GET /packages/maven/*maven_path': ({ place }) => ({ maven_path: `${place.project.full_path}/1.0.0/thing-1.0.0.jar` }),
  'GET /keys': ({ world }) => ({ fingerprint: world.things.fingerprint }),
  'PUT /projects/:id/deploy_keys/:key_id': () => ({ can_push: true }),
  'POST /projects/:id/deploy_keys/:key_id/enable': ({ world }) => ({ key_id: world.things.public_deploy_key }),
  'POST /projects/:id/runners': ({ place }) => ({ runner_id: place.things.spare_runner }),
  'POST /runners': ({ world }) => ({ token: world.things.registration_token }),
  'POST /runners/verify': ({ world }) => ({ token: world.things.runner_token }),
  'DELETE /runners': ({ world }) => ({ token: world.things.runner_token }),
  'POST /runners/reset_authentication_token': ({ world }) => ({ token: world.things.runner_token }),
  'POST /projects/:id/pipeline': () => ({ ref: 'ci' }),
  'POST /jobs/request': ({ world }) => ({ token: world.things.runner_token }),
  'PUT /jobs/:id': ({ place }) => ({ token: place.things.job_token }),
  'GET /jobs/:id/artifacts': ({ place }) => ({ token: place.things.job_token }),
  'POST /jobs/:id/artifacts/authorize': ({ place }) => ({ token: place.things.job_token }),
  'POST /oauth/token': ({ world: { things } }) => ({ client_id: things.client_id, client_secret: things.client_secret }),
  'POST /oauth/authorize_device': ({ world: { things } }) => ({ client_id: things.client_id, client_secret: things.client_secret }),
  'POST /oauth/introspect': ({ world: { things } }) => ({ client_id: things.client_id, client_secret: things.client_secret }),
}

/** The values of an endpoint's path parameters. @throws Error that says what to add */
export function pathFor(world: World, endpoint: Endpoint, persona: Persona, visibility: Visibility, withException = true): Values {
  const { name } = endpoint.scope
  const line = scopes[name]
  if (!line)
    throw new Error(
      `you are here because no example is known for the scope ${name} of ${endpoint.route}: ` +
        `add a line for ${name} to \`scopes\` in test/derived/examples.ts, and what it names to test/derived/fixtures.ts`,
    )
  const where = { world, place: world.places[visibility], own: world.own[persona] ?? (world.own.admin as Things) }
  const values = { ...line(where), ...(withException ? paths[endpoint.route]?.(where) : {}) }
  const rest = parametersFor(world, endpoint, visibility, withException)
  const missing = pathNames(endpoint).filter(name => !(name in values))
  return { ...values, ...Object.fromEntries(missing.map(name => [name, (rest[name] ?? '1') as string])) }
}

/** The names of the parameters in an endpoint's path. */
export const pathNames = (endpoint: Endpoint): string[] => [...endpoint.path.matchAll(/[:*](\w+)/g)].map(match => match[1] as string)

/** The parameters of an endpoint's valid request, those in its path among them. */
export function parametersFor(world: World, endpoint: Endpoint, visibility: Visibility, withException = true): Record<string, unknown> {
  const required = Object.entries(endpoint.params).filter(([, schema]) => !('~optional' in schema) && !('default' in schema))
  const examples = required.map(([name, schema]) => {
    const { examples } = schema as { examples?: unknown[] }
    if (!examples?.length && !pathNames(endpoint).includes(name))
      throw new Error(`you are here because the required parameter ${name} of ${endpoint.route} has no \`examples\`: add one`)
    return [name, examples?.[0]] as const
  })
  const exception = withException ? parameters[endpoint.route]?.({ world, place: world.places[visibility] }) : {}
  return { ...Object.fromEntries(examples), ...exception }
}

/** Parameters of the API that no page has a field for, and why. */
import { withoutEffect } from './without_effect.ts'

const keptAsData = 'programs of administrators keep clusters; the server itself does not connect to them'
const byDragging = 'a script sends it, from a list whose items are moved'

const keys =
  'keys that programs of administrators find accounts and places by, in the words of those programs; people have the note of an account'

/** Endpoints of which no page has a field, and why. May only shrink: one that a page runs fails the test. */
export const withoutPages: Readonly<Record<string, string>> = {
  'PUT /projects/:id/services/:slug': 'another name of PUT /projects/:id/integrations/:slug',
  'PUT /user/avatar': 'the profile has the picture among its fields',
  'PUT /projects/:id/mirror/pull': 'the page of mirrors changes the project',
  'PUT /projects/:id/repository/files/:file_path': 'the editor of files commits by POST /projects/:id/repository/commits',
  'PUT /projects/:id/issues/:issue_iid/reorder': byDragging,
  'PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files': 'a script sends it, from the box of a file',
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'the merge box has a form of its own, which says what is missing',
  'PUT /projects/:id/merge_requests/:merge_request_iid/rebase': 'a button of the merge box, without a choice',
  'PUT /groups/:id/epics/:epic_id/notes/:note_id': 'the page of an epic changes comments by their discussion',
  'PUT /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': 'a comment is changed as a note',
  'PUT /projects/:id/merge_requests/:merge_request_iid/discussions/:discussion_id/notes/:note_id': 'a comment is changed as a note',
  'PUT /groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id': 'a comment is changed as a note',
  'PUT /projects/:id/snippets/:snippet_id/discussions/:discussion_id/notes/:note_id': 'a comment is changed as a note',
  'PUT /projects/:id/repository/commits/:sha/discussions/:discussion_id/notes/:note_id': 'the page of a commit changes a comment as a note',
  'PUT /suggestions/:id/apply': 'a suggestion is applied by a form of the merge request',
  'PUT /suggestions/batch_apply': 'suggestions are applied by a form of the merge request',
  'PUT /groups/:id/access_requests/:user_id/approve': 'a button; the role is changed in the list of members',
  'PUT /projects/:id/access_requests/:user_id/approve': 'a button; the role is changed in the list of members',
  'PUT /users/:id/custom_attributes/:key': keys,
  'PUT /groups/:id/custom_attributes/:key': keys,
  'PUT /projects/:id/custom_attributes/:key': keys,
  'PUT /projects/:id/repository/branches/:branch/protect': 'an older form of POST /projects/:id/protected_branches',
  'PUT /projects/:id/repository/submodules/:submodule': 'programs that keep submodules up to date send it',
  'PUT /projects/:id/clusters/:cluster_id': keptAsData,
  'PUT /groups/:id/clusters/:cluster_id': keptAsData,
  'PUT /admin/clusters/:cluster_id': keptAsData,
  'PUT /projects/:id/labels': 'an older form of PUT /projects/:id/labels/:label_id',
  'PUT /groups/:id/labels': 'an older form of PUT /groups/:id/labels/:label_id',
  'PUT /projects/:id/labels/promote': 'an older form of PUT /projects/:id/labels/:label_id/promote',
  'PUT /projects/:id/deployments/:deployment_id': 'a deployment script says how its deployment ended',
}

const deprecated = (instead: string): string => `an older name; the field is ${instead}`

/** The settings without an effect of a project, a group or the instance. */
const idle = (kind: 'project' | 'group' | 'instance'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(withoutEffect).flatMap(([one, why]) => (one.startsWith(`${kind}.`) ? [[one.slice(kind.length + 1), why]] : [])),
  )

/** Choices of a list that its form does not offer, and why. May only shrink. */
export const withoutChoices: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'PUT /application/settings': {
    import_sources: Object.fromEntries(
      ['bitbucket', 'bitbucket_server', 'gitlab', 'fogbugz', 'gitea', 'manifest', 'phabricator'].map(source => [
        source,
        'kept for clients, without effect: nothing is imported from there',
      ]),
    ),
  },
}

const ofTheUser = 'the user’s own choice, among the fields of their profile; an administrator who must act for them impersonates them'
const noMinutes = 'Ingot counts no minutes; stored for clients'

/** Parameters of endpoints whose other parameters have fields. */
export const notShown: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'PUT /projects/:id/pages/domains/:domain': { auto_ssl_enabled: 'kept for clients, without effect: a proxy gets certificates' },
  'PUT /application/settings': idle('instance'),
  'PUT /projects/:id': {
    ...idle('project'),
    container_registry_enabled: deprecated('container_registry_access_level'),
    issues_enabled: deprecated('issues_access_level'),
    jobs_enabled: deprecated('builds_access_level'),
    merge_requests_enabled: deprecated('merge_requests_access_level'),
    snippets_enabled: deprecated('snippets_access_level'),
    wiki_enabled: deprecated('wiki_access_level'),
    public_builds: deprecated('public_jobs'),
    tag_list: deprecated('topics'),
    approvals_before_merge: 'among the approval settings (POST /projects/:id/approvals)',
    service_desk_enabled: 'among the settings of the service desk (PUT /projects/:id/service_desk)',
    mirror_user_id: 'the user who sets the mirror up; only administrators name another one, by the API',
  },
  'PUT /runners/:id': { paused: 'another name of `active`, the other way round' },
  'PUT /groups/:id': {
    ...idle('group'),
    file_template_project_id: 'Ingot reads templates from the project itself; stored for clients',
    shared_runners_minutes_limit: noMinutes,
    extra_shared_runners_minutes_limit: noMinutes,
  },
  'PUT /users/:id': {
    avatar: ofTheUser,
    commit_email: ofTheUser,
    skip_reconfirmation: 'for programs that know addresses to be right',
    auditor: 'there are no auditors; stored for clients',
    theme_id: 'the colours are those of the browser, chosen in the preferences',
    color_scheme_id: 'the colours are those of the browser, chosen in the preferences',
    shared_runners_minutes_limit: noMinutes,
    extra_shared_runners_minutes_limit: noMinutes,
  },
  'PUT /projects/:id/issues/:issue_iid': {
    assignee_id: deprecated('assignee_ids'),
    epic_iid: 'the same as epic_id',
    remove_labels: 'labels are chosen as a whole',
    updated_at: 'for programs that import issues',
  },
  'PUT /projects/:id/merge_requests/:merge_request_iid': {
    assignee_id: deprecated('assignee_ids'),
    allow_maintainer_to_push: deprecated('allow_collaboration'),
    approvals_before_merge: 'a rule of the merge request says so',
    remove_labels: 'labels are chosen as a whole',
  },
  'PUT /groups/:id/epics/:epic_iid': {
    start_date: deprecated('start_date_fixed'),
    end_date: deprecated('due_date_fixed'),
    remove_labels: 'labels are chosen as a whole',
    updated_at: 'for programs that import epics',
  },
  'PUT /projects/:id/environments/:environment_id': { slug: 'refused: it is made from the name' },
  'PUT /groups/:id/labels/:label_id': { priority: 'projects give labels their priority' },
  'PUT /projects/:id/releases/:tag_name/assets/links/:link_id': { direct_asset_path: 'a newer name of filepath' },
}

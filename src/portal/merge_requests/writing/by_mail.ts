/** The address by which one makes merge requests of a project by mail. */
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { html } from '../../../platform/pages/html.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { mailAddressPage } from '../../places/mail_address.ts'

export const showMergeRequestAddress = pageEndpoint({
  route: 'GET /:project_path/-/merge_requests/by_mail',
  summary: 'Show one’s address for new merge requests by mail',
  scope: inProjectPage,
  can: 'create_merge_request_from',
  errors: ['not_found'],
  run: ctx =>
    mailAddressPage(ctx, {
      kind: 'merge-request',
      title: 'New merge request by mail',
      tab: 'merge_requests',
      says: html`<p>A mail to this address becomes a merge request of this project, written by you. The subject is the source branch, and the text the description, with Markdown and quick actions: <code>/target_branch name</code> names another target than the default branch.</p>
<p>Attached files that end with <code>.patch</code> (<code>git format-patch</code>) become commits, in the order of their names and with you as the committer: on top of the source branch, or of the target branch where there is no such branch yet. They have 2 MB together at most. Other files are uploaded.</p>`,
    }),
})

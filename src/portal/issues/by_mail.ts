/** The address by which one makes issues of a project by mail. */
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { html } from '../../platform/pages/html.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { mailAddressPage } from '../places/mail_address.ts'

export const showIssueAddress = pageEndpoint({
  route: 'GET /:project_path/-/issues/by_mail',
  summary: 'Show one’s address for new issues by mail',
  scope: inProjectPage,
  can: 'create_issue',
  errors: ['not_found'],
  run: ctx =>
    mailAddressPage(ctx, {
      kind: 'issue',
      title: 'New issue by mail',
      tab: 'issues',
      says: html`<p>A mail to this address becomes an issue of this project, written by you. The subject is its title, the text its description (with Markdown and quick actions), and attached files are uploaded.</p>`,
    }),
})

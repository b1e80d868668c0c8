/** The settings of a project's service desk: issues that people without an account make by mail. */
import { issueTemplates } from '../../../integrations/service_desk/desks.ts'
import { updateServiceDesk } from '../../../integrations/service_desk/endpoints.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { html } from '../../../platform/pages/html.ts'
import { deskAddress } from '../../../spaces/projects/attributes/service_desk.ts'
import { type OfProject, projectPage } from './declared.ts'

/** The issue templates of the repository; one that was chosen and is gone stays, until another one is. */
async function templates(ctx: Context & OfProject) {
  const chosen = ctx.project.service_desk_issue_template
  const names = (await issueTemplates(ctx, ctx.project).list()).map(({ key }) => key)
  const gone = chosen !== null && !names.includes(chosen) ? [[chosen, `${chosen} (not on the default branch any more)`] as const] : []
  return [['', 'None'] as const, ...names.map(name => [name, name] as const), ...gone]
}

/** Where people write to. */
function address({ deps, project }: Context & OfProject) {
  const { incomingMail } = deps.config
  if (!incomingMail) return html`<p>This instance takes no mail: an administrator sets it up.</p>`
  if (!project.service_desk_enabled) return html`<p>There is no address while the service desk is off.</p>`
  const shown = deskAddress(project, incomingMail) ?? ''
  return html`<p class="row"><code class="break">${shown}</code>${copyButton('Copy the address', shown)}</p>
<p class="muted">It begins with the path of the project, and changes with it.${project.service_desk_project_key === null ? '' : ' The address that ends with the ID of the project takes mails too.'}</p>`
}

export const serviceDeskPage = projectPage({
  key: 'service_desk',
  title: 'Service desk',
  path: '/:project_path/-/settings/service_desk',
  sections: [
    {
      key: 'address',
      title: 'Address',
      says: 'Each mail to it becomes an issue. Its sender needs no account, gets the comments by mail, and answers by mail.',
      can: 'admin_project',
      view: address,
    },
    {
      key: 'desk',
      title: 'Service desk',
      of: updateServiceDesk,
      values: ctx => ({
        service_desk_enabled: ctx.project.service_desk_enabled,
        outgoing_name: ctx.project.service_desk_outgoing_name,
        project_key: ctx.project.service_desk_project_key,
        issue_template_key: ctx.project.service_desk_issue_template,
        tickets_confidential_by_default: ctx.project.service_desk_confidential,
      }),
      fields: [
        {
          name: 'service_desk_enabled',
          label: 'People without an account make issues by mail',
          hint: 'Where the instance takes mail.',
        },
        {
          name: 'tickets_confidential_by_default',
          label: 'New issues are confidential',
          hint: 'Only members with the Reporter role and above see them. Otherwise everyone sees them who sees the issues of the project, with what strangers wrote.',
        },
        {
          name: 'outgoing_name',
          label: 'Name of the sender',
          hint: 'What mail programs show beside the address. Empty: the name of the instance.',
          placeholder: 'Support of the lamp',
        },
        {
          name: 'project_key',
          label: 'End of the address',
          hint: 'Small letters, digits and `_`, in place of the ID of the project.',
          placeholder: 'support',
        },
        {
          name: 'issue_template_key',
          label: 'Template of new issues',
          control: 'select',
          choices: templates,
          hint: 'A file of `.gitlab/issue_templates` on the default branch, which stands below each request. Its quick actions count, as those of a Reporter.',
        },
      ],
    },
  ],
})

/** What job tokens reach, as lists on the page of the settings of CI/CD. */
import { type Direction, listedGroups, listedProjects } from '../../ci/job_token_scope/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

/** Where lists are changed. */
export const jobTokensPath = (project: ProjectRow, rest = ''): string => projectPath(project, `/-/settings/ci_cd/job_tokens${rest}`)

type InProject = Context & { readonly project: ProjectRow }

/** A list has at most as many of each, by the rule of the API, and the project itself. */
const MOST = 201

const entry = (face: Html, path: string, buttons: Html): Html =>
  html`<li>${face}<div class="main"><div class="title"><a href="/${path}">${path}</a></div></div>${buttons}</li>`

const projectsListed = async (ctx: InProject, direction: Direction): Promise<readonly Html[]> =>
  (await listedProjects(ctx.db, ctx.project.id, direction).limit(MOST).execute()).map(({ id, full_path }) =>
    entry(
      icon('repo'),
      full_path,
      id === ctx.project.id
        ? chip('Always')
        : actionButton(ctx, {
            to: jobTokensPath(ctx.project, `/projects/${id}/remove`),
            face: 'Remove',
            look: 'danger',
            label: `Remove: ${full_path}`,
            sends: { direction },
          }),
    ),
  )

const groupsListed = async (ctx: InProject): Promise<readonly Html[]> =>
  (await listedGroups(ctx.db, ctx.project.id).limit(MOST).execute()).map(({ id, full_path }) =>
    entry(
      icon('organization'),
      full_path,
      actionButton(ctx, {
        to: jobTokensPath(ctx.project, `/groups/${id}/remove`),
        face: 'Remove',
        look: 'danger',
        label: `Remove: ${full_path}`,
      }),
    ),
  )

const addLink = (href: string, label: string): Html => html`<a class="btn btn-sm" href="${href}">${icon('plus')} ${label}</a>`

/** Whose jobs reach the project. */
export async function inboundList(ctx: InProject): Promise<Html> {
  const { project } = ctx
  const [projects, groups] = [await projectsListed(ctx, 'inbound'), await groupsListed(ctx)]
  return html`<div class="section stack"><h3>Projects and groups whose jobs are let in</h3>${!project.ci_inbound_job_token_scope_enabled && html`<p class="muted">The list counts once the limit above is on.</p>`}<ul class="list" aria-label="Projects and groups whose jobs are let in">${projects}${groups}</ul><div class="row">${addLink(jobTokensPath(project, '/projects/new?direction=inbound'), 'Add project')}${addLink(jobTokensPath(project, '/groups/new'), 'Add group')}</div></div>`
}

/** What the jobs of the project reach. */
export async function outboundList(ctx: InProject): Promise<Html> {
  const projects = await projectsListed(ctx, 'outbound')
  return html`<div class="section stack"><h3>Projects that its jobs reach</h3>${!ctx.project.ci_job_token_scope_enabled && html`<p class="muted">The list counts once the limit above is on.</p>`}<ul class="list" aria-label="Projects that its jobs reach">${projects}</ul><div class="row">${addLink(jobTokensPath(ctx.project, '/projects/new?direction=outbound'), 'Add project')}</div></div>`
}

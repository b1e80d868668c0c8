/** Running a pipeline by hand: a branch or tag, and the variables that its CI file asks for. */
import { refNamed } from '../../ci/named_ref.ts'
import { describedVariables } from '../../ci/pipeline_creation/described_variables.ts'
import { createPipeline } from '../../ci/pipeline_creation/endpoints.ts'
import { maySetVariables } from '../../ci/pipelines/rights/ref_rights.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { pipelinePath } from '../pipelines/scope.ts'
import { refNames } from './ref_names.ts'
import { checkedRows, rowParams, rowsField } from './rows.ts'

type InProject = { readonly project: ProjectWithRole }
type Caller = Context & InProject

/** The branch or tag that the form is about: as it was sent, as the address says (`?ref=topic`), or the default branch. */
const refOf = ({ request, project }: Caller, sent?: Values): string =>
  String(sent?.ref ?? new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('ref') ?? project.default_branch ?? '')

/** What is to be known about the CI file of the branch or tag. */
function aboutRef(project: ProjectWithRole, ref: string, found: Awaited<ReturnType<typeof describedVariables>>): Html {
  const notice =
    found.kind === 'no_file'
      ? html`<div class="notice attention" role="status">${icon('alert')}<span>There is no CI file on <span class="mono">${ref}</span>: a pipeline needs one.</span></div>`
      : found.kind === 'invalid' &&
        html`<div class="notice danger" role="alert">${icon('alert')}<span>The CI file of <span class="mono">${ref}</span> is invalid: ${found.errors[0]}</span></div>`
  return html`<div data-about-ref>${found.kind === 'no_reference' && ref !== '' ? html`<div class="notice attention" role="status">${icon('alert')}<span>${project.full_path} has no branch or tag <span class="mono">${ref}</span>.</span></div>` : notice}</div>`
}

const rowsHint = html`For this pipeline alone. They are stronger than those of the project, and of the CI file.`

async function fields(ctx: Caller, sent?: Values): Promise<readonly FieldSpec[]> {
  const { project } = ctx
  const [suggested, found] = await Promise.all([refNames(ctx, project), describedVariables(ctx, project, refOf(ctx, sent))])
  const about = aboutRef(project, refOf(ctx, sent), found)
  const rows = rowsField(rowsHint, found.kind === 'variables' ? found.variables : [])
  return [
    { name: 'ref', label: 'Branch or tag', autofocus: true, hint: 'Its CI file says which jobs run.', suggested },
    {
      ...rows,
      own: state =>
        html`${about}${maySetVariables(ctx, project) ? rows.own?.(state) : html`<p class="muted">Only Maintainers may give variables to pipelines of this project.</p>`}`,
    },
  ]
}

const run = form<InProject>({
  path: '/:project_path/-/pipelines/new',
  summary: 'Run a pipeline',
  scope: inProjectPage,
  of: createPipeline,
  instead: {
    of: ['variables'],
    params: rowParams,
    async adapt(ctx, { variables, ...params }) {
      if (!(await refNamed(ctx, ctx.project, String(params.ref)))) throw invalid({ ref: ['is no branch or tag of the project'] })
      const rows = checkedRows(variables)
      return { ...params, ...(rows.length > 0 ? { variables: rows } : {}) }
    },
  },
  fields,
  values: ctx => ({ ref: refOf(ctx) }),
  after: ctx =>
    html`<noscript><form class="filter-bar section" action="${projectPath(ctx.project, '/-/pipelines/new')}"><label for="other-ref">Variables of another branch or tag</label> <input class="form-control" id="other-ref" name="ref"><button class="btn">Show</button></form></noscript>`,
  next: ({ project }, pipeline: { readonly id: number }) => pipelinePath(project, pipeline),
  cancel: ({ project }) => projectPath(project, '/-/pipelines'),
  notice: 'The pipeline was made.',
  button: 'Run the pipeline',
  frame: ({ actor, project }) => ({
    title: 'Run a pipeline',
    place: projectPlace(actor, project, 'pipelines'),
    scripts: ['variable_rows.js'],
  }),
})

export const showRun = run.show
export const submitRun = run.submit

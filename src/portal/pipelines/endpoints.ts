/** The pages of pipelines: the list, and of each its jobs, those that failed, and its tests. */
import { shownJobsOf } from '../../ci/jobs/lists/shown.ts'
import { listPipelines } from '../../ci/pipelines/endpoints.ts'
import { Pipeline } from '../../ci/pipelines/entity.ts'
import { latestPipeline } from '../../ci/pipelines/lists/latest.ts'
import { pipelinesOfProject } from '../../ci/pipelines/lists/lists.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { TestReport, TestReportSummary } from '../../ci/reports/entity.ts'
import { failingSince } from '../../ci/reports/failing_since.ts'
import { testSuitesOf } from '../../ci/reports/test_reports.ts'
import { logEndsOf } from '../../ci/traces/log.ts'
import { type Ability, allows, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, part, redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams, withParameter } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { Topic } from '../../platform/pages/live/topics.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { filterField, filterHelp } from '../items/list_frame.ts'
import { assertNoWords, filteredAddress, foundOrWrong, sentParams, unreadable } from '../items/listing.ts'
import { linesView } from '../jobs/log/log_view.ts'
import { lastLines } from '../jobs/log/parts.ts'
import { graphView } from './graph/graph_view.ts'
import { graphFrame, type LinkedPipeline, linkedPipelines } from './graph/linked_view.ts'
import { needsView } from './graph/needs_view.ts'
import { type PipelineTab, pipelineHead, pipelineTabs } from './head_view.ts'
import { type JobsView, jobsByStage, reasonText, stageView } from './jobs_view.ts'
import { pipelineFilterKeys, pipelineList } from './list_view.ts'
import { pipelinesTopicOf, pipelineTopicOf } from './live.ts'
import { startedBy, upstreamOf, withPeople } from './queries.ts'
import { closedJobs } from './runnable.ts'
import { inPipelinePage, PIPELINE, pipelinePath } from './scope.ts'
import { statusIcon } from './status_view.ts'
import { reportView, type ShownReport, withMore } from './tests_view.ts'

/** Jobs that a page shows, and failed ones with the end of their logs. */
const MOST_JOBS = 2_000
const MOST_FAILED = 20

/** Lines of a failed job's log. */
const LINES = 20

const tabs = [
  [undefined, 'All'],
  ['finished', 'Finished'],
  ['branches', 'Branches'],
  ['tags', 'Tags'],
] as const

const may = ({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole, ability: Ability): boolean =>
  allows(actor, ability, projectSubject(project)) === 'yes'

export const showPipelines = pageEndpoint({
  route: 'GET /:project_path/-/pipelines',
  summary: 'Show the pipelines of a project',
  scope: inProjectPage,
  can: 'read_pipeline',
  params: listParams,
  async run(ctx) {
    const { project, request, actor } = ctx
    const base = projectPath(project, '/-/pipelines')
    const asked = filteredAddress(base, pipelineFilterKeys, sentParams(request.address))
    if (asked !== undefined) return redirect(asked)
    // The parameters of the API; what was left empty is none.
    const sent = Object.fromEntries(Object.entries(sentParams(request.address)).filter(([, value]) => value !== ''))
    const { found, wrong } = await foundOrWrong(async () => {
      assertNoWords(sent)
      const read = readAs(ctx, listPipelines, sent) as unknown as Parameters<typeof pipelinesOfProject>[2]
      return listPage(ctx, await pipelinesOfProject(ctx, project, read), ctx.params)
    })
    const rows = found ? await withPeople(ctx, found.rows) : []
    const mayRun = may(ctx, project, 'create_pipeline')
    const editor = may(ctx, project, 'push_code') ? projectPath(project, '/-/ci/editor') : undefined
    const isFiltered = Object.keys(sent).some(name => !['page', 'per_page'].includes(name))
    const topic = pipelinesTopicOf(project)
    return page(ctx, {
      title: 'Pipelines',
      place: projectPlace(actor, project, 'pipelines'),
      heading: 'own',
      live: [topic],
      scripts: ['lists.js'],
      ...(wrong !== undefined && { status: 422 }),
      body: html`<div class="heading"><h1>Pipelines</h1><div class="row">${editor && html`<a class="btn" href="${editor}">${icon('pencil')} CI editor</a>`}${may(ctx, project, 'read_pipeline_schedule') && html`<a class="btn" href="${projectPath(project, '/-/pipeline_schedules')}">${icon('stopwatch')} Schedules</a>`}${mayRun && html`<a class="btn btn-primary" href="${projectPath(project, '/-/pipelines/new')}" data-hotkey="c">Run a pipeline</a>`}</div></div>
<nav class="subnav" aria-label="Kind">${tabs.map(([key, label]) => html`<a href="${withParameter(request.address, 'scope', key)}"${(sent.scope ?? undefined) === key && html` aria-current="page"`}>${label}</a>`)}</nav>
${filterField({ base, keys: pipelineFilterKeys, params: sent, wrong, completions: projectPath(project, '/-/completions'), example: 'status:failed ref:main username:ada' }, sent.scope === undefined ? {} : { scope: sent.scope })}${filterHelp(pipelineFilterKeys)}
${livePart(
  'pipelines',
  topic,
  rows.length > 0
    ? html`${pipelineList(project, rows)}${found?.links}`
    : wrong !== undefined
      ? unreadable('workflow')
      : isFiltered
        ? empty({ icon: 'workflow', title: 'No pipelines', says: 'None is like this.' })
        : noPipelines(editor),
)}`,
    })
  },
})

/** @param editor the address of the editor of the CI file, for callers who may change it */
const noPipelines = (editor: string | undefined): Html =>
  empty({
    icon: 'workflow',
    title: 'No pipelines yet',
    says: html`A file <code>.gitlab-ci.yml</code> in the repository says what is built, tested and deployed; each push of it then makes a pipeline.`,
    action: editor === undefined ? undefined : html`<a class="btn" href="${editor}">Write the CI file</a>`,
  })

export const showLatest = pageEndpoint({
  route: 'GET /:project_path/-/pipelines/latest',
  summary: 'Show the newest pipeline of a branch or tag',
  scope: inProjectPage,
  can: 'read_pipeline',
  params: { ref: optional(text('A branch or tag; the default branch unless given', { maxLength: 255 })) },
  async run(ctx) {
    const { project, params } = ctx
    try {
      return redirect(pipelinePath(project, await latestPipeline(ctx, project, params.ref)))
    } catch (error) {
      // The API says of a branch without one that it is forbidden; here the list says it better.
      if (!(error instanceof Refusal) || error.kind !== 'forbidden') throw error
      return redirect(projectPath(project, `/-/pipelines${params.ref === undefined ? '' : `?ref=${encodeURIComponent(params.ref)}`}`))
    }
  },
})

type Caller = Context & { readonly project: ProjectWithRole; readonly pipeline: PipelineRow }

type Jobs = Awaited<ReturnType<typeof jobsOf>>

interface Body {
  readonly view: Html
  /** The pipelines that it shows besides. */
  readonly linked?: readonly LinkedPipeline[]
}

/** Other pipelines that a page follows. */
const MOST_FOLLOWED = 20

/** A page of a pipeline: its head, the tabs, and `body`, which gets the jobs. */
async function pageOf(
  ctx: Caller,
  tab: PipelineTab,
  bodyOf: (jobs: Jobs, upstream: LinkedPipeline | undefined) => Promise<Body>,
): Promise<ByteAnswer> {
  const { project, pipeline, actor } = ctx
  const [jobs, upstream] = await Promise.all([jobsOf(ctx), upstreamOf(ctx, pipeline)])
  const [[listed], [shown], summary, { view, linked = [] }] = await Promise.all([
    withPeople(ctx, [pipeline]),
    presentAll(Pipeline, ctx, [pipeline]),
    testsOf(ctx),
    bodyOf(jobs, upstream),
  ])
  const topics = linked.slice(0, MOST_FOLLOWED).map(one => pipelineTopicOf(one.pipeline))
  const topic = pipelineTopicOf(pipeline)
  const failed = jobs.filter(({ status }) => status === 'failed')
  const head = pipelineHead({
    ctx,
    project,
    pipeline,
    commit: listed?.commit,
    user: listed?.user as never,
    hasFailed: jobs.some(({ status, kind }) => kind === 'build' && (status === 'failed' || status === 'canceled')),
    coverage: (shown as { coverage: string | null }).coverage,
    mayUpdate: may(ctx, project, 'update_pipeline'),
    mayDelete: may(ctx, project, 'destroy_pipeline'),
    upstream,
  })
  return page(ctx, {
    title: `Pipeline #${pipeline.id}`,
    place: projectPlace(actor, project, 'pipelines'),
    heading: 'own',
    live: [topic, ...topics],
    scripts: ['pipelines.js'],
    body: html`${livePart('pipeline-head', topic, html`${head}${pipelineTabs(project, pipeline, tab, { failed: failed.length, tests: summary })}`)}
${livePart('pipeline-body', [topic, ...topics].join(' ') as Topic, view)}`,
  })
}

const jobsOf = ({ db, pipeline }: Caller) => shownJobsOf(db, pipeline.id, MOST_JOBS).execute()

/** How many tests were reported; undefined where none was. */
async function testsOf(ctx: Caller): Promise<number | undefined> {
  const suites = await testSuitesOf(ctx, ctx.project, ctx.pipeline.id, { cases: false })
  if (suites.length === 0) return undefined
  const [summary] = await presentAll(TestReportSummary, ctx, [suites])
  return (summary as unknown as { readonly total: { readonly count: number } }).total.count
}

export const showPipeline = pageEndpoint({
  route: `GET ${PIPELINE}`,
  summary: 'Show a pipeline with its jobs',
  scope: inPipelinePage,
  can: 'read_pipeline',
  run: ctx =>
    pageOf(ctx, 'jobs', async (jobs, upstream) => {
      if (jobs.length === 0) return { view: noJobs }
      const listed = await jobsViewOf(ctx, jobs)
      const above = upstream ? [upstream] : []
      const below = linkedBy(jobs, listed.started)
      return {
        view: html`${linkedPipelines('Upstream', above, ctx.project)}${graphView(ctx.project, ctx.pipeline, jobs)}${linkedPipelines('Downstream', below, ctx.project)}${jobsByStage(listed, ctx.pipeline, jobs)}${jobs.length === MOST_JOBS && html`<p class="muted">The first ${MOST_JOBS} jobs are shown.</p>`}`,
        linked: [...above, ...below],
      }
    }),
})

/** What the lists of jobs show besides the jobs. */
async function jobsViewOf(ctx: Caller, jobs: Jobs): Promise<JobsView> {
  const { project, pipeline } = ctx
  const mayUpdate = may(ctx, project, 'update_job')
  const closed = mayUpdate ? await closedJobs(ctx, project, pipeline, jobs) : () => undefined
  return { ctx, project, mayUpdate, closed, started: await startedBy(ctx, jobs) }
}

export const showStage = pageEndpoint({
  route: `GET ${PIPELINE}/stage`,
  summary: 'Show the jobs of one stage of a pipeline',
  scope: inPipelinePage,
  can: 'read_pipeline',
  params: { position: integer('Place of the stage among those of the pipeline', { minimum: 0, maximum: 100_000, default: 0 }) },
  run: ctx =>
    pageOf(ctx, 'jobs', async jobs => {
      const [first, ...others] = jobs.filter(({ stage_position }) => stage_position === ctx.params.position)
      return { view: first ? stageView(await jobsViewOf(ctx, [first, ...others]), [first, ...others]) : noJobs }
    }),
})

const noJobs = empty({ icon: 'workflow', title: 'No jobs', says: 'The pipeline has none that could be shown.' })

/** The pipelines that jobs have started, in the order of the jobs. */
const linkedBy = (jobs: Jobs, started: ReadonlyMap<number, PipelineRow>): LinkedPipeline[] =>
  jobs.flatMap(({ id, name }) => {
    const pipeline = started.get(id)
    return pipeline ? [{ pipeline, job: name }] : []
  })

export const showGraph = pageEndpoint({
  route: `GET ${PIPELINE}/graph`,
  summary: 'Show the graph of a pipeline within the page of another one',
  scope: inPipelinePage,
  can: 'read_pipeline',
  params: { started: flag('Whether the pipelines that it started are shown too', { default: true }) },
  async run(ctx) {
    const { project, pipeline, params } = ctx
    const jobs = await jobsOf(ctx)
    const below = params.started ? linkedBy(jobs, await startedBy(ctx, jobs)) : []
    const graph = jobs.length === 0 ? noJobs : graphView(project, pipeline, jobs)
    return part(html`<turbo-frame id="${graphFrame(pipeline)}">${graph}${linkedPipelines('Downstream', below, project)}</turbo-frame>`)
  },
})

export const showNeeds = pageEndpoint({
  route: `GET ${PIPELINE}/dag`,
  summary: 'Show the jobs of a pipeline by what they need',
  scope: inPipelinePage,
  can: 'read_pipeline',
  run: ctx => pageOf(ctx, 'needs', async jobs => ({ view: needsView(ctx.project, ctx.pipeline, jobs) })),
})

export const showFailures = pageEndpoint({
  route: `GET ${PIPELINE}/failures`,
  summary: 'Show the failed jobs of a pipeline with the ends of their logs',
  scope: inPipelinePage,
  can: 'read_job',
  run: ctx =>
    pageOf(ctx, 'failures', async jobs => {
      const failed = jobs.filter(({ status }) => status === 'failed')
      if (failed.length === 0)
        return {
          view: empty({ icon: 'check-circle', title: 'No job has failed', says: 'What fails is shown here with the end of its log.' }),
        }
      const shown = failed.slice(0, MOST_FAILED)
      // Logs may show variables to Developers alone (`CI_DEBUG_TRACE`); others open each, where that is asked.
      const isOpen = ctx.project.role >= roles.developer || isAdmin(ctx.actor)
      const ends = isOpen
        ? await logEndsOf(
            ctx,
            shown.map(({ id }) => id),
          )
        : undefined
      const view = html`${shown.map(
        job =>
          html`<section class="panel" aria-label="${job.name}"><header class="row apart"><h2>${statusIcon(job.status, job.allow_failure)} <a href="${projectPath(ctx.project, `/-/jobs/${job.id}`)}">${job.name}</a></h2><span class="muted small">${job.stage}${job.failure_reason !== null && html`, ${reasonText(job.failure_reason)}`}</span></header>${ends && endView(ends.get(job.id))}</section>`,
      )}${failed.length > MOST_FAILED && html`<p class="muted">The first ${MOST_FAILED} of ${failed.length} are shown.</p>`}`
      return { view }
    }),
})

const endView = (end: string | undefined): Html =>
  end === undefined ? html`<p class="body muted">The job has written no log.</p>` : linesView(lastLines(end, LINES))

export const showTests = pageEndpoint({
  route: `GET ${PIPELINE}/test_report`,
  summary: 'Show the tests of a pipeline',
  scope: inPipelinePage,
  can: 'read_job',
  run: ctx =>
    pageOf(ctx, 'tests', async () => {
      const suites = await testSuitesOf(ctx, ctx.project, ctx.pipeline.id)
      const [report] = await presentAll(TestReport, ctx, [suites])
      const sinceOf = await failingSince(ctx, ctx.project, ctx.pipeline, suites)
      return { view: reportView(projectPath(ctx.project, '/-/pipelines'), withMore(report as unknown as ShownReport, suites, sinceOf)) }
    }),
})

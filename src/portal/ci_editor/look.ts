/** What the tabs of the editor show of a text: its findings, its graph, the merged file, or which jobs a pipeline would have. */
import { createHash } from 'node:crypto'
import { yamlOf } from '../../ci/config/index.ts'
import { type ExaminedPipeline, examine } from '../../ci/lint/examine.ts'
import { tipOf } from '../../ci/lint/subject.ts'
import { changedIn } from '../../ci/pipeline_creation/changes.ts'
import { allows } from '../../platform/access/abilities.ts'
import { mergeRequestRef, type Repository } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { Html } from '../../platform/pages/html.ts'
import { mergeRequestIn } from '../../review/merge_requests/queries.ts'
import { type ProjectWithRole, projectAllowing, projectSubject } from '../../spaces/projects/scope.ts'
import type { BranchPath } from '../repository/editor/scope.ts'
import { highlightedLines } from '../repository/highlight/highlight.ts'
import { refNames } from '../run_pipeline/ref_names.ts'
import { findingsView } from './findings_view.ts'
import { mergedView, type ShownYaml } from './merged_view.ts'
import { type Simulated, simulateView } from './simulate_view.ts'
import { visualizeView } from './visualize_view.ts'

export const tabs = ['edit', 'visualize', 'merged', 'simulate'] as const
export type Tab = (typeof tabs)[number]

/** What starts the pipeline that is simulated. */
export const sources = ['push', 'web', 'schedule', 'trigger', 'api', 'merge_request_event'] as const

/** Parameters of the tabs. */
export const lookParams = {
  tab: OneOf(tabs, { description: 'What is shown', default: 'edit' }),
  ref: optional(text('The branch or tag that is simulated', { maxLength: 255 })),
  source: optional(OneOf(sources, { description: 'What starts the simulated pipeline' })),
  merge_request_iid: optional(text('The number of the merge request that is simulated', { maxLength: 20 })),
}

/** Their values. */
export interface LookParams {
  readonly tab: Tab
  readonly ref?: string | undefined
  readonly source?: (typeof sources)[number] | undefined
  readonly merge_request_iid?: string | undefined
}

/** A tab as it is shown. */
export interface Look extends LookParams {
  readonly panel: Html | undefined
}

type InEditor = Context & { readonly project: ProjectWithRole; readonly repository: Repository | undefined; readonly target: BranchPath }

/** Who may have files checked. */
export const mayCheck = ({ actor, project }: Pick<InEditor, 'actor' | 'project'>): boolean =>
  allows(actor, 'lint_ci', projectSubject(project)) === 'yes'

/** What a tab shows of a text. The caller may have files checked. */
export async function lookAt(ctx: InEditor, content: string, params: LookParams): Promise<Look> {
  return { ...params, panel: await panelOf(ctx, content, params) }
}

/** The findings in a text that is to be committed, and whether they leave no pipeline; undefined where the caller may not have it checked. */
export async function checkBeforeCommit(
  ctx: InEditor,
  content: string,
): Promise<{ readonly isInvalid: boolean; readonly panel: Html } | undefined> {
  if (!mayCheck(ctx)) return undefined
  const examined = await examine(ctx, ctx.project, content, pipelineOf(ctx.target), { decides: false })
  return { isInvalid: examined.findings.some(({ severity }) => severity === 'error'), panel: findingsView(examined) }
}

async function panelOf(ctx: InEditor, content: string, params: LookParams): Promise<Html> {
  const { project, target } = ctx
  if (params.tab === 'simulate') {
    const [found, suggested] = await Promise.all([simulated(ctx, content, params), refNames(ctx, project)])
    return simulateView({ ...params, ref: params.ref ?? target.branch }, found, suggested)
  }
  const examined = await examine(ctx, project, content, pipelineOf(target), { decides: params.tab === 'visualize' })
  if (params.tab === 'visualize') return visualizeView(examined, target.branch)
  if (params.tab === 'merged') return mergedView(examined, examined.merged && (await shownYaml(await yamlOf(examined.merged))))
  return findingsView(examined)
}

/** Characters of a merged file that are shown. */
const MOST_SHOWN = 512 * 1024

/** A merged file with its lines as they are shown, all or those at its beginning. */
async function shownYaml(yaml: string): Promise<ShownYaml> {
  const shown = yaml.slice(0, MOST_SHOWN)
  const id = createHash('sha256').update(shown).digest('hex')
  return { yaml, lines: await highlightedLines(id, 'merged.yml', shown), isCut: shown.length < yaml.length }
}

/** A push to the branch of the editor. */
const pipelineOf = ({ branch, tip }: BranchPath): ExaminedPipeline => ({
  tip: tip === undefined ? { unborn: branch } : { sha: tip, ref: `refs/heads/${branch}` },
})

async function simulated(ctx: InEditor, content: string, { ref, source = 'push', merge_request_iid }: LookParams): Promise<Simulated> {
  const pipeline = await simulatedPipeline(ctx, ref, source, merge_request_iid)
  if (typeof pipeline === 'string') return pipeline
  const { fork, ...asked } = pipeline
  const examined = await examine(ctx, fork ?? ctx.project, content, asked, { decides: true })
  return { ...examined, fork }
}

/** A pipeline to simulate. `fork`: the project that it runs in, where that is another one. */
interface SimulatedPipeline extends ExaminedPipeline {
  readonly fork?: ProjectWithRole
}

/** The pipeline that is simulated, or why there is none. */
async function simulatedPipeline(
  ctx: InEditor,
  ref: string | undefined,
  source: (typeof sources)[number],
  written: string | undefined,
): Promise<SimulatedPipeline | string> {
  const { project, repository, target } = ctx
  if (source !== 'merge_request_event') {
    if (ref === undefined || ref === target.branch) return { ...pipelineOf(target), source }
    const tip = await tipOf(ctx, project, ref)
    return tip ? { tip, source } : 'There is no such branch or tag.'
  }
  const [, number] = /^!?(\d{1,9})$/.exec(written?.trim() ?? '') ?? []
  const iid = Number(number)
  if (!number || iid < 1) return 'Say the number of the merge request.'
  const maySee = allows(ctx.actor, 'read_merge_request', projectSubject(project)) === 'yes'
  const mergeRequest = maySee ? await mergeRequestIn(ctx.db, project, iid) : undefined
  if (!mergeRequest || !repository || mergeRequest.head_sha === null) return 'There is no such merge request.'
  const { id, source_branch, source_project_id, head_sha: sha } = mergeRequest
  const changedPaths = () => changedIn(ctx, repository, { source, ref: '', sha, merge_request_id: id })
  const tip = { sha, ref: mergeRequestRef(iid, 'head'), mergeRequest: { id, source_branch, changedPaths } }
  if (source_project_id === project.id) return { tip, source }
  // As the pipeline itself: in the fork, of its branch, and with its variables as far as the caller may know them.
  const fork = source_project_id === null ? undefined : await projectAllowing(ctx, String(source_project_id), 'read_code')
  if (!fork) return 'Its branch is in a project that is gone, or whose code you may not see. Its pipelines would run there.'
  return { tip: { ...tip, ref: `refs/heads/${source_branch}` }, source, fork }
}

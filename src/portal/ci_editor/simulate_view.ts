/** Which jobs a pipeline would have and which not, and what decides it. Pure. */
import { type Decision, type PlannedJob, partYaml } from '../../ci/config/index.ts'
import type { Examined, JobDecision } from '../../ci/lint/examine.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { findingsView, warningsView } from './findings_view.ts'
import type { LookParams, sources } from './look.ts'
import { whenWords } from './visualize_view.ts'

/** What was found, or why nothing could be simulated. `fork`: where the pipeline would run, if not in the project. */
export type Simulated = (Examined & { readonly fork?: { readonly full_path: string } | undefined }) | string

/** Jobs that are listed, in and out each. */
const MOST_JOBS = 500

const sourceLabels: { readonly [S in (typeof sources)[number]]: string } = {
  push: 'A push',
  web: 'A person, by hand',
  schedule: 'A schedule',
  trigger: 'A trigger token',
  api: 'The API',
  merge_request_event: 'A merge request',
}

/** The fields that say what is simulated, and the answer. They stand in the form of the editor. */
export const simulateView = (params: LookParams, simulated: Simulated, suggested: readonly string[]): Html =>
  html`<div class="section">${fields(params, suggested)}${typeof simulated === 'string' ? html`<div class="notice attention" role="status">${icon('alert')}<span>${simulated}</span></div>` : html`${simulated.fork && html`<div class="notice"><span>${icon('repo-forked')} The pipeline would run in <a href="/${simulated.fork.full_path}">${simulated.fork.full_path}</a>. There the file of the fork counts: this shows what it would do with the text that is typed here.</span></div>`}${answerView(simulated)}`}</div>`

const fields = ({ ref, source = 'push', merge_request_iid }: LookParams, suggested: readonly string[]): Html =>
  html`<div class="ci-simulate"><div><label for="simulate-source">Started by</label><select class="form-control form-select" id="simulate-source" name="source">${Object.entries(sourceLabels).map(([value, label]) => html`<option value="${value}"${value === source && html` selected`}>${label}</option>`)}</select></div>
<div><label for="simulate-ref">Branch or tag</label><input class="form-control" id="simulate-ref" name="ref" value="${ref ?? ''}" list="simulate-refs" autocapitalize="none" autocomplete="off" spellcheck="false"><datalist id="simulate-refs">${suggested.map(name => html`<option value="${name}"></option>`)}</datalist></div>
<div><label for="simulate-merge-request">Merge request</label><input class="form-control" id="simulate-merge-request" name="merge_request_iid" inputmode="numeric" pattern="[0-9]*" value="${merge_request_iid ?? ''}" placeholder="its number"></div>
<button class="btn btn-primary" name="tab" value="simulate" data-look>Simulate</button></div>
<p class="muted small">Nothing is run. Of a merge request its number counts, of everything else the branch or tag. <code>changes</code> is true where there is nothing to compare with.</p>`

function answerView(examined: Examined): Html {
  const { result, workflow, decisions } = examined
  if (!result) return html`<div role="status">${findingsView(examined)}</div>`
  const planned = new Map(result.kind === 'plan' ? result.plan.jobs.map(job => [job.name, job]) : [])
  const [inside, outside] = [true, false].map(wanted => decisions.filter(({ decision }) => decision.isIn === wanted)) as [
    JobDecision[],
    JobDecision[],
  ]
  const isMade = result.kind === 'plan'
  return html`<div role="status"><p class="ci-verdict ${isMade ? 'success' : result.kind === 'invalid' ? 'danger' : 'attention'}">${icon(isMade ? 'check-circle' : result.kind === 'invalid' ? 'x-circle' : 'circle-slash')} <strong>${isMade ? 'There would be a pipeline' : 'There would be no pipeline'}</strong>${isMade && ` of ${inside.length} ${inside.length === 1 ? 'job' : 'jobs'}`}${result.kind === 'nothing' && (result.reason === 'workflow' ? ': the workflow keeps it out' : ': no job is let in')}${result.kind === 'invalid' && ': what is left does not fit together'}.</p></div>
${result.kind === 'invalid' ? findingsView(examined) : warningsView(examined)}
${workflow && html`<p>Workflow: ${because(workflow)}</p>`}
${jobsTable('Jobs that are in', inside, planned)}${jobsTable('Jobs that are left out', outside, planned)}`
}

function jobsTable(title: string, jobs: readonly JobDecision[], planned: ReadonlyMap<string, PlannedJob>): Html | undefined {
  if (jobs.length === 0) return undefined
  const shown = jobs.slice(0, MOST_JOBS)
  return html`<section class="section" aria-label="${title}"><h2>${title} <span class="counter">${jobs.length}</span></h2><ul class="list">${shown.map(
    ({ name, stage, decision }) => {
      const job = planned.get(name)
      const environment = job?.options.environment?.name
      return html`<li><div class="main"><div class="title row">${name}${job && job.when !== 'on_success' && chip(whenWords(job.when))}${job?.allow_failure && chip('May fail')}${environment !== undefined && html`<span class="muted small">${icon('rocket', 'Environment')} ${environment}</span>`}</div><div class="facts"><span>stage ${stage}</span><span>${because(decision)}</span></div></div></li>`
    },
  )}</ul>${shown.length < jobs.length && html`<p class="muted small">and ${jobs.length - shown.length} more.</p>`}</section>`
}

function because(decision: Decision): Html {
  if (decision.by === 'rule')
    return html`rule ${decision.number} ${decision.isIn ? 'lets it in' : 'keeps it out'}: <code class="ci-rule">${ruleText(decision.written)}</code>`
  if (decision.by === 'no_rule') return html`no rule applies`
  if (decision.by === 'default') return html`nothing keeps it out`
  return decision.by === 'only' ? html`<code>only</code> does not apply` : html`<code>except</code> applies`
}

/** Characters of a rule that are shown. */
const MOST_OF_RULE = 300

/** A rule on one line, without the marks that begin a document. */
function ruleText(written: Parameters<typeof partYaml>[0]): string {
  const text = partYaml(written)
    .replace(/^---\n/, '')
    .trim()
    .split(/\n+/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('; ')
  return text.length > MOST_OF_RULE ? `${text.slice(0, MOST_OF_RULE)}…` : text
}

/** Runners as pages show them: of projects, of groups and of the instance. Pure. */
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { RunnerRow } from '../../ci/runners/queries.ts'
import { type RunnerContact, runnerContactOf } from '../../ci/runners/summary.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip, type Tone } from '../../platform/pages/components/chip.ts'
import { copyField } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { durationText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { jobPath } from '../jobs/scope.ts'
import { statusChip } from '../pipelines/status_view.ts'

const looks: { readonly [S in RunnerContact]: readonly [word: string, tone: Tone, says: string] } = {
  online: ['Online', 'success', 'It has asked for jobs in the last two hours'],
  offline: ['Offline', 'attention', 'It has not asked for jobs for two hours'],
  stale: ['Stale', 'danger', 'It has not asked for jobs for three months'],
  never_contacted: ['Never contacted', 'plain', 'It was registered, and has never asked for jobs'],
}

/** What lists of runners are narrowed by. */
export const runnerStates = [
  ['online', 'Online'],
  ['offline', 'Offline'],
  ['stale', 'Stale: three months without contact'],
  ['never_contacted', 'Never contacted'],
  ['paused', 'Paused'],
] as const

/** Whom a runner serves, in words. */
export const runnerTypes: { readonly [T in RunnerRow['runner_type']]: string } = {
  project_type: 'Project',
  group_type: 'Group',
  instance_type: 'Instance',
}

/** Whether a runner reaches the server, and whether it is paused. */
export function runnerChip(runner: RunnerRow, now: Date): Html {
  const [word, tone, says] = looks[runnerContactOf(runner, now)]
  return html`<span title="${says}">${chip(word, tone)}</span>${!runner.active && html` ${chip('Paused')}`}`
}

/** What people call a runner. */
export const runnerName = ({ id, description }: Pick<RunnerRow, 'id' | 'description'>): string => description || `Runner ${id}`

/** Where the pages and buttons of runners are. */
export interface RunnersPlace {
  readonly ctx: Pick<Context, 'actor' | 'deps' | 'now'>
  /** The address of the list: that of a runner is below it. */
  readonly base: string
}

/** What can be done with a runner: by those who manage it. */
export function runnerButtons({ ctx, base }: RunnersPlace, runner: RunnerRow): Html {
  const { id, active } = runner
  const name = runnerName(runner)
  return html`<a class="btn btn-sm" href="${base}/${id}/edit" aria-label="Edit ${name}">${icon('pencil')} Edit</a>${actionButton(ctx, { to: `${base}/${id}/change`, face: active ? html`${icon('circle-slash')} Pause` : html`${icon('play')} Resume`, label: `${active ? 'Pause' : 'Resume'} ${name}`, sends: { active: String(!active) } })}${actionButton(ctx, { to: `${base}/${id}/delete`, face: html`${icon('trash')} Remove`, label: `Remove ${name}`, look: 'danger', asks: `Remove ${name}? Its finished jobs stay; those that it runs are lost.` })}`
}

/** A row of a list of runners. `hasPage`: is there a page of the runner in this place? */
export const runnerItem = (place: RunnersPlace, runner: RunnerRow, buttons?: Html, hasPage = true): Html => html`
<li><div class="status-cell">${runnerChip(runner, place.ctx.now)}</div><div class="main"><div class="title row">${hasPage ? html`<a href="${place.base}/${runner.id}">${runnerName(runner)}</a>` : runnerName(runner)}${runner.tags.map(tag => chip(tag, 'plain', 'tag'))}${runner.access_level === 'ref_protected' && chip('Protected', 'plain', 'shield-lock')}${runner.locked && chip('Locked', 'plain', 'lock')}</div><div class="facts"><span>#${runner.id} (${runner.short_token})</span><span>${runnerTypes[runner.runner_type]}</span>${runner.version !== null && html`<span>${runner.name ?? ''} ${runner.version}</span>`}${!runner.run_untagged && html`<span>only jobs with tags</span>`}<span>${runner.contacted_at === null ? 'never contacted' : html`last contact ${time(runner.contacted_at)}`}</span></div></div>${buttons && html`<div class="row">${buttons}</div>`}</li>`

/** All that is known of a runner. */
export function runnerFacts(runner: RunnerRow): Html {
  const fact = (label: string, value: string | Html | null) => value !== null && value !== '' && html`<dt>${label}</dt><dd>${value}</dd>`
  const { version, revision, platform, architecture, executor, ip_address, maximum_timeout, tags, run_untagged } = runner
  return html`<dl class="facts-list">${fact('Serves', runnerTypes[runner.runner_type])}${fact('Tags', tags.length === 0 ? null : html`${tags.map(tag => chip(tag, 'plain', 'tag'))}`)}${fact('Jobs without tags', run_untagged ? 'yes' : 'no')}${fact('Takes', runner.access_level === 'ref_protected' ? 'jobs of protected branches and tags' : 'jobs of all branches and tags')}${fact('Locked', runner.locked ? 'to its projects' : null)}${fact('Job timeout', maximum_timeout === null ? null : durationText(maximum_timeout))}${fact('Program', [runner.name, version].filter(part => part !== null).join(' '))}${fact('Revision', revision)}${fact('Machine', [platform, architecture].filter(part => part !== null).join(', '))}${fact('Executor', executor)}${fact('Address', ip_address)}${fact('Last contact', runner.contacted_at === null ? 'never' : time(runner.contacted_at))}${fact('Registered', time(runner.created_at))}</dl>`
}

/** The jobs of a runner with their projects. */
export const runnerJobs = (
  { now }: Pick<Context, 'now'>,
  jobs: readonly JobRow[],
  projects: ReadonlyMap<number, { readonly full_path: string }>,
): Html =>
  html`<ul class="list" data-list>${jobs.map(job => {
    const project = projects.get(job.project_id)
    const started = job.started_at === null ? undefined : Date.parse(job.started_at)
    const ended = job.finished_at === null ? now.getTime() : Date.parse(job.finished_at)
    return (
      project &&
      html`
<li><div class="status-cell">${statusChip(job.status, job.allow_failure)}</div><div class="main"><div class="title"><a href="${jobPath(project, job)}">${job.name}</a></div><div class="facts"><span>#${job.id}</span><span>${job.stage}</span><span>${project.full_path}</span></div></div><div class="facts">${started !== undefined && html`<span>${icon('stopwatch', 'Time that it ran')} ${durationText((ended - started) / 1000)}</span>`}${time(job.created_at)}</div></li>`
    )
  })}</ul>`

/** The fields of a runner's form: all that it takes. */
export const runnerFields: readonly FieldSpec[] = [
  { name: 'description', autofocus: true, hint: 'What people call it.' },
  { name: 'active', label: 'Takes jobs', hint: 'Off: it is paused, and ends the jobs that it has.' },
  {
    name: 'access_level',
    label: 'Whose jobs',
    control: 'radio',
    hint: '',
    choices: [
      ['not_protected', 'Jobs of all branches and tags'],
      ['ref_protected', 'Jobs of protected branches and tags alone', 'For runners that have keys with which one deploys.'],
    ],
  },
  { name: 'tag_list', label: 'Tags', hint: 'With commas between. It takes a job if it has all tags that the job asks for.' },
  { name: 'run_untagged', label: 'Takes jobs without tags', hint: '' },
  { name: 'locked', label: 'Locked to its projects', hint: 'No further project can have it.' },
  {
    name: 'maximum_timeout',
    label: 'Longest time of a job, in seconds',
    hint: 'At least 600; none when empty. The shorter of this and the job’s own counts.',
  },
]

/** The values of `runnerFields`. */
export const runnerValues = ({ description, active, access_level, tags, run_untagged, locked, maximum_timeout }: RunnerRow) => ({
  description,
  active,
  access_level,
  tag_list: tags.join(', '),
  run_untagged,
  locked,
  maximum_timeout,
})

export interface Registration extends RunnersPlace {
  /** Of this server. */
  readonly url: string
  /** The registration token. */
  readonly token: string
  /** What a runner that registers so serves: `the project`. */
  readonly serves: string
}

/** How a runner is registered: lines to copy. */
export const registrationView = ({ ctx, base, url, token, serves }: Registration): Html => html`
<details class="panel section"><summary class="body"><strong>Register a runner</strong> <span class="muted">for ${serves}: a line to copy</span></summary><div class="body">
<p>A runner is a program that asks for jobs and runs them, on any machine that reaches this server. Ingot has one itself, which needs git and a shell. Run this in its folder on that machine, after <code>npm ci</code>, as a user who may do what jobs may:</p>
${copyField('line for the runner of Ingot', `INGOT_RUNNER_TOKEN=${token} bin/ingot runner --url ${url} --concurrency 4`)}
<p class="small muted">Jobs run as the user who starts it. Started as root, add <code>--run-as 1000:1000</code>, and jobs run as that user and group. Its files are in <code>~/.ingot-runner</code>; <code>--builds-dir</code> names another folder.</p>
<p>Others of the ecosystem, with Docker or Kubernetes say, register with the same token:</p>
${copyField('line for gitlab-runner', `gitlab-runner register --non-interactive --url ${url} --registration-token ${token} --executor docker --docker-image alpine:latest`)}
<p class="small muted">Who has the token can register runners, and these see what their jobs see: keep it to yourselves. Runners stay registered when it is replaced.</p>
${actionButton(ctx, { to: `${base}/reset_registration_token`, face: html`${icon('sync')} Replace the token`, label: 'Replace the token that registers runners', asks: 'Replace the registration token? The former one registers no runner any more.' })}
</div></details>`

/** The jobs that a push would run, as the graph of a pipeline and as a table. Pure. */
import type { PlannedJob } from '../../ci/config/index.ts'
import type { Examined } from '../../ci/lint/examine.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { drawnGraph } from '../pipelines/graph/graph_view.ts'
import { invalidView, warningsView } from './findings_view.ts'

/** Jobs that are drawn and listed. */
const MOST_JOBS = 1_000

const whens: { readonly [W in PlannedJob['when']]: { readonly word: string; readonly icon: IconName } } = {
  on_success: { word: 'runs by itself', icon: 'circle' },
  on_failure: { word: 'runs when something has failed', icon: 'alert' },
  always: { word: 'runs always', icon: 'check-circle' },
  manual: { word: 'is run by hand', icon: 'play' },
  delayed: { word: 'runs after a delay', icon: 'stopwatch' },
}

/** When a job runs, in words. */
export const whenWords = (when: PlannedJob['when']): string => whens[when].word

export function visualizeView(examined: Examined, branch: string): Html {
  const { result, jobs: all = 0 } = examined
  if (!result || result.kind === 'invalid') return invalidView(examined)
  if (result.kind === 'nothing')
    return html`${warningsView(examined)}${empty({
      icon: 'workflow',
      title: 'Nothing would run',
      says: html`A push to <span class="mono">${branch}</span> makes no pipeline: ${result.reason === 'workflow' ? html`<code>workflow: rules</code> keep it out` : 'no job is let in'}. “Simulate” says which rule decides.`,
    })}`
  const { plan } = result
  const shown = plan.jobs.slice(0, MOST_JOBS).map((job, index) => ({
    ...job,
    id: index + 1,
    needs: job.needs?.map(({ name }) => name) ?? null,
  }))
  const left = all - plan.jobs.length
  return html`<div class="section">${warningsView(examined)}<p class="muted">What a push to <span class="mono">${branch}</span> would run: ${count(plan.jobs.length, 'job')} in ${count(plan.stages.length, 'stage')}${left > 0 && `, without ${count(left, 'job')} that rules keep out`}.</p>
${drawnGraph(shown, ({ name, when }) => ({ label: `${name}: ${whens[when].word}`, tone: when === 'on_success' ? 'accent' : 'plain', icon: whens[when].icon }))}
${shown.length < plan.jobs.length && html`<p class="muted">The first ${MOST_JOBS} jobs are shown.</p>`}
<details class="section"><summary>The same as a table</summary>${dataTable({
    label: 'Table of the jobs',
    rows: shown,
    columns: [
      { title: 'Job', cell: ({ name }) => name },
      { title: 'Stage', cell: ({ stage }) => stage },
      {
        title: 'Needs',
        cell: ({ needs }) => (needs === null ? 'the stages before' : needs.length === 0 ? 'nothing' : needs.join(', ')),
      },
      { title: 'When', cell: ({ when }) => whens[when].word },
    ],
  })}</details></div>`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
